"""Names with a letter wrong: which thing was meant by a word that means nothing?"""

import re
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from tools.routing.things.names import LONG_WORD, Kind, Names, NamesOfKind

_TYPO_RATIO = 90.0
_NEAR = 80.0
"""Below this ratio not even one letter of a long word is wrong."""
_MOST_CHOICES = 5_000
"""Among more names every word is near to some name, and the search takes milliseconds."""


class Slip(NamedTuple):
    """A name that was nearly written; `ratio` is 0 to 100, `first` the word it begins at."""

    kind: Kind
    canonical: str
    ratio: float
    first: int


def slip_near(
    words: list[str], taken: list[bool], place: int, length: int, names: Names
) -> Slip | None:
    """Find the name of `length` words nearest to the words around one that means nothing."""
    for first in range(max(0, place - length + 1), min(place, len(words) - length) + 1):
        if any(taken[first : first + length]):
            continue
        text = " ".join(words[first : first + length])
        slips = [_slip_of(text, first, length, kind) for kind in names.kinds.values()]
        near = [slip for slip in slips if slip is not None]
        if near:
            return max(near, key=lambda slip: slip.ratio)
    return None


def _slip_of(text: str, first: int, length: int, names: NamesOfKind) -> Slip | None:
    choices = names.by_length.get(length)
    if not choices or len(choices) > _MOST_CHOICES:
        return None
    best = process.extractOne(text, choices.keys(), scorer=fuzz.ratio, score_cutoff=_NEAR)
    if best is None or not _is_slip(text, best[0], best[1]):
        return None
    return Slip(names.kind, choices[best[0]], best[1], first)


def _is_slip(text: str, name: str, ratio: float) -> bool:
    """Numbers are never slips of each other; below the ratio only one letter may be wrong."""
    if re.findall(r"\d+", text) != re.findall(r"\d+", name) or text[0] != name[0]:
        return False
    return ratio >= _TYPO_RATIO or (len(text) > LONG_WORD and OSA.distance(text, name) == 1)
