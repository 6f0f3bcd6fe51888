"""On which side of today the day of a slot lies, by its name and description."""

from enum import StrEnum

from state.action import Slot
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import word_set

_TO_COME = word_set("due deadline expires expiry until")
"""In the name of a slot: a day that lies ahead."""
BEGINS = word_set("since from start")
"""In the name of a slot: where a time begins, `from March to May`."""
ENDS = word_set("to end till")
_WAS = word_set(
    "newest latest recorded happened past issued opened closed logged done reported gone"
)
"""In the name or the description of a slot: a day that is over."""


class Toward(StrEnum):
    """Where the day lies that is looked for; it tells which Friday `Friday` is."""

    AHEAD = "ahead"
    BEHIND = "behind"
    UNKNOWN = "unknown"


def toward_of(name: str, slot: Slot | None = None) -> Toward:
    """Tell by a slot's name and description where its day lies, so which Friday `Friday` is."""
    own = {*name.split("_")}
    if own & _TO_COME:
        return Toward.AHEAD
    own |= {*words_of(slot.description)} if slot is not None else set()
    return Toward.BEHIND if own & (_WAS | BEGINS) else Toward.UNKNOWN
