"""Which way does it go: to somebody or from them, from a day on or until it?"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import Literal

from state.action import Action
from tools.routing.slots.days.toward import BEGINS, ENDS
from tools.routing.words.normalise import words_of
from tools.routing.words.of_orders import PREPOSITIONS
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import DETERMINERS

Side = Literal["to", "from"]

_TO, _FROM = word_set("to into onto"), word_set("from off")
_DIRECTED = re.compile(r"\b(from|off|of|to|into|onto) \{(\w+)\}")
_OF_THING = re.compile(r"\bof \{\w+\}")
"""Of two people one gives and one gets, `the shift of {giver} to {taker}`; of other kinds of things
it says nothing of a side."""
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
    side = side_of(action, name)
    if f"with {{{name}}}" in action.summary and _is_owner(action, words, end):
        return True
    said, behind = side_said(action, name, words, first, end), words[end : end + 1]
    if side == "to" and said != "to":
        return said == "from" or behind in (["from"], ["off"], ["away"])
    return side == "from" and said == "to"


def _is_owner(action: Action, words: Sequence[str], end: int) -> bool:
    """Tell `share Lena's library`, which is no library of ours, from `take Lena's access`."""
    own = words_of(action.object)
    is_whose = words[end - 1].endswith("'s") and tuple(words[end : end + len(own)]) == own
    behind = words[end + len(own) : end + len(own) + 1]
    return is_whose and (not behind or behind[0] in PREPOSITIONS)


def is_on_its_side(action: Action, name: str, words: Sequence[str], first: int, end: int) -> bool:
    """Tell whether what stands before a thing says that it belongs into this slot."""
    side = side_of(action, name)
    return side is not None and side == side_said(action, name, words, first, end)


def side_said(action: Action, name: str, words: Sequence[str], first: int, end: int) -> Side | None:
    """Give the side on which a thing is said to be: `from the account AC-2001`, `Ben's shift`."""
    type_ = action.slots[name].type
    skipped = DETERMINERS | set(words_of(type_))
    place = first - 1
    while place >= 0 and words[place] in skipped:
        place -= 1
    before = words[place] if place >= 0 else ""
    if before in _TO:
        return "to"
    is_of = _is_shared(action, type_) and (before == "of" or words[end - 1].endswith("'s"))
    return "from" if is_of or before in _FROM else None


@cache
def _sides(summary: str) -> Mapping[str, Side]:
    """Read `from {account} to {payee}`.

    Where it says `from` alone, a text may say `to` all the same: `delete the comment to WO-1042`.
    """
    said = _DIRECTED.findall(summary.lower())
    found: dict[str, Side] = {name: "to" if word in _TO else "from" for word, name in said}
    return found if "to" in found.values() else {}


def side_of(action: Action, name: str) -> Side | None:
    """Tell on which side a slot lies, by its name or by the summary; None: on neither."""
    parts = name.split("_")
    own: Side | None = "to" if "to" in parts else "from" if "from" in parts else None
    if own is not None:
        return own
    is_shared = _is_shared(action, action.slots[name].type)
    return _sides(action.summary if is_shared else _OF_THING.sub("", action.summary)).get(name)


def _is_shared(action: Action, type_: str) -> bool:
    return sum(slot.type == type_ for slot in action.slots.values()) > 1


def is_the_other_end(parts: Set[str], beside: Sequence[str]) -> bool:
    """Tell that nothing begins on a day: `export them until June`; or that nothing ends on it.

    Args:
        parts: of the name of the slot.
        beside: the two words before the day.
    """
    if parts & BEGINS:
        return not _ENDED.isdisjoint(beside) or list(beside) == ["up", "to"]
    return bool(parts & ENDS) and not _BEGUN.isdisjoint(beside)
