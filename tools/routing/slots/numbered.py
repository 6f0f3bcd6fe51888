"""Numbers that say which one of several: `page 2`, and not `2 pages`."""

from collections.abc import Iterable, Iterator, Sequence

from state.action import Slot
from tools.routing.slots.measures import Number
from tools.routing.things.counting import SAYS_NUMBER


def fitting_in_place(
    slot: Slot, numbers: Iterable[Number], words: Sequence[str]
) -> Iterator[Number]:
    """Give the numbers that stand where the slot wants them; most take them from anywhere."""
    return (one for one in numbers if not slot.behind or _is_behind(slot, one, words))


def _is_behind(slot: Slot, number: Number, words: Sequence[str]) -> bool:
    place = number.first - 1
    while place >= 0 and words[place] in SAYS_NUMBER:  # `page number 2`
        place -= 1
    return place >= 0 and words[place] in slot.behind
