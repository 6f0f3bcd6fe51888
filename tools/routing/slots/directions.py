"""Which way does it go: to somebody or from them, from a day on or until it?"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache

from state.action import Action
from tools.routing.slots.days.toward import BEGINS, ENDS
from tools.routing.words.phrases import word_set

_DIRECTED = re.compile(r"\b(from|to|into) \{(\w+)\}", re.IGNORECASE)
_ENDED = word_set("until till before by")
_BEGUN = word_set("since after")


def is_of_the_other_side(
    action: Action, name: str, words: Sequence[str], first: int, end: int
) -> bool:
    """Tell that what is taken from somebody, or they from it, does not go back to them.

    Args:
        name: the slot, such as `back_to`, or `payee` in `from {account} to {payee}`.
        first: where in `words` they are named, up to `end`.
    """
    before, behind = words[:first][-1:], words[end : end + 1]
    side = _side_of(action, name)
    if side == "to" and before not in (["to"], ["into"]):
        return before in (["from"], ["off"]) or behind in (["from"], ["off"], ["away"])
    return side == "from" and before in (["to"], ["into"])


@cache
def _sides(summary: str) -> Mapping[str, str]:
    """Read `from {account} to {payee}`; where only one way is said, either word may mean it."""
    said = _DIRECTED.findall(summary.lower())
    found = {name: "from" if word == "from" else "to" for word, name in said}
    return found if len(set(found.values())) > 1 else {}


def _side_of(action: Action, name: str) -> str | None:
    parts = name.split("_")
    own = "to" if "to" in parts else "from" if "from" in parts else None
    return own or _sides(action.summary).get(name)


def is_the_other_end(parts: Set[str], beside: Sequence[str]) -> bool:
    """Tell that nothing begins on a day: `export them until June`; or that nothing ends on it.

    Args:
        parts: of the name of the slot.
        beside: the two words before the day.
    """
    if parts & BEGINS:
        return not _ENDED.isdisjoint(beside) or list(beside) == ["up", "to"]
    return bool(parts & ENDS) and not _BEGUN.isdisjoint(beside)
