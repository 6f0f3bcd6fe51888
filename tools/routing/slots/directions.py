"""Which way does it go: to somebody or from them, from a day on or until it?"""

from collections.abc import Sequence, Set

from tools.routing.slots.days.toward import BEGINS, ENDS
from tools.routing.words.phrases import word_set

_ENDED = word_set("until till before by")
_BEGUN = word_set("since after")


def is_of_the_other_side(name: str, words: Sequence[str], first: int, end: int) -> bool:
    """Tell that what is taken from somebody, or they from it, does not go back to them.

    Args:
        name: the slot, such as `back_to`.
        first: where in `words` they are named, up to `end`.
    """
    before, behind = words[:first][-1:], words[end : end + 1]
    parts = name.split("_")
    if "to" in parts and before != ["to"]:
        return before in (["from"], ["off"]) or behind in (["from"], ["off"], ["away"])
    return "from" in parts and before == ["to"]


def is_the_other_end(parts: Set[str], beside: Sequence[str]) -> bool:
    """Tell that nothing begins on a day: `export them until June`; or that nothing ends on it.

    Args:
        parts: of the name of the slot.
        beside: the two words before the day.
    """
    if parts & BEGINS:
        return not _ENDED.isdisjoint(beside) or list(beside) == ["up", "to"]
    return bool(parts & ENDS) and not _BEGUN.isdisjoint(beside)
