"""On which side of today the day of a slot lies: by its name, its description, or the examples."""

import re
from enum import StrEnum
from functools import lru_cache

from state.action import Action
from tools.routing.slots.days.shifts import COUNT
from tools.routing.words.calendar import DAYS_OF_WEEK, MONTH_NAMES
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
_SPAN = "(?:days?|weeks?|weekends?|fortnights?|months?|quarters?|years?)"
_NAMED = rf"(?:{_SPAN}|{'|'.join((*DAYS_OF_WEEK, *MONTH_NAMES))}|spring|summer|autumn|winter|fall)"
_AHEAD = re.compile(
    rf"\b(?:tomorrow|tonight|(?:next|coming) (?:\w+ )?{_NAMED}|from (?:now|today)"
    rf"|(?:with)?in (?:{COUNT}|\d+) {_SPAN})\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"\b(?:yesterday|last (?:night|(?:\w+ )?{_NAMED})|ago|(?:this|the) past)\b", re.IGNORECASE
)


class Toward(StrEnum):
    """Where the day lies that is looked for; it tells which Friday `Friday` is."""

    AHEAD = "ahead"
    BEHIND = "behind"
    UNKNOWN = "unknown"


def toward_of(action: Action, name: str) -> Toward:
    """Tell where the day of a slot has to lie: by its name or description, or else by the examples.

    By these only of a change: one that is asked for `tomorrow` and never of `yesterday` plans what
    is to come. A read may be of either side; `leaning_of` tells on which of them `Friday` is.
    """
    toward = _by_name(action, name)
    if toward is Toward.UNKNOWN and action.effect != "read":
        return leaning_of(action, name)
    return toward


def leaning_of(action: Action, name: str) -> Toward:
    """Tell on which side a day lies whose own words leave that open."""
    toward = _by_name(action, name)
    if toward is Toward.UNKNOWN and ENDS.isdisjoint(name.split("_")):
        return _by_examples(action.examples)
    return toward


def _by_name(action: Action, name: str) -> Toward:
    own = {*name.split("_")}
    if own & _TO_COME:
        return Toward.AHEAD
    own |= {*words_of(action.slots[name].description)}
    return Toward.BEHIND if own & (_WAS | BEGINS) else Toward.UNKNOWN


@lru_cache(maxsize=4096)
def _by_examples(examples: tuple[str, ...]) -> Toward:
    ahead = sum(_AHEAD.search(one) is not None for one in examples)
    behind = sum(_BEHIND.search(one) is not None for one in examples)
    if ahead > 3 * behind:
        return Toward.AHEAD
    return Toward.BEHIND if behind > 3 * ahead else Toward.UNKNOWN
