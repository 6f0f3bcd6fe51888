"""Nouns of verbs, and who asks to undo what they name: `cancel the cancellation of WO-1042`."""

from collections.abc import Iterator, Sequence

from tools.routing.words.phrases import singular, word_set
from tools.routing.words.signs import DETERMINERS

UNDOING = word_set(
    "undo cancel revert reverse revoke rescind withdraw annul void retract stop drop overturn"
)
"""What is done by these to the noun of a verb takes back what that verb does."""
_ENDINGS = ("ation", "ition", "ion", "ment", "al", "ure", "ance", "ing", "age")
_LEAST_STEM = 3


def verbs_of_noun(noun: str) -> Iterator[str]:
    """Guess of which verbs a noun may be made: `cancellation`, `approval`, `closure`."""
    word = singular(noun)
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _LEAST_STEM:
            continue
        yield stem
        yield f"{stem}e"
        yield f"{stem}ate"  # `activation`
        if stem[-1] == stem[-2]:
            yield stem[:-1]


def undone_noun(words: Sequence[str], base: str, place: int, end: int) -> int | None:
    """Find the noun that is undone, behind a verb that ends before `place`."""
    if base not in UNDOING:
        return None
    while place < end and words[place] in DETERMINERS:
        place += 1
    return place if place < end and next(verbs_of_noun(words[place]), None) else None
