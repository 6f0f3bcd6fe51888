"""Numbers that say which one of several: `page 2` and `the second page`, and not `2 pages`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from state.action import Slot
from tools.routing.slots.measures import Number
from tools.routing.things.counting import SAYS_NUMBER
from tools.routing.words.ordinals import ORDINALS

_WRITTEN = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")


def fitting_in_place(
    slot: Slot, numbers: Iterable[Number], words: Sequence[str]
) -> Iterator[Number]:
    """Give the numbers that stand where the slot wants them; most take them from anywhere."""
    yield from (one for one in numbers if not slot.behind or _is_behind(slot, one, words))
    if slot.behind:
        yield from _ordinals_before(slot, words)


def _is_behind(slot: Slot, number: Number, words: Sequence[str]) -> bool:
    place = number.first - 1
    while place >= 0 and words[place] in SAYS_NUMBER:  # `page number 2`
        place -= 1
    return place >= 0 and words[place] in slot.behind


def _ordinals_before(slot: Slot, words: Sequence[str]) -> Iterator[Number]:
    for place, (word, noun) in enumerate(pairwise(words)):
        written = _WRITTEN.fullmatch(word)
        number = int(written[1]) if written else ORDINALS.get(word)
        if noun in slot.behind and number is not None:
            yield Number(float(number), place, place + 1)
