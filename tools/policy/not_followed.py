"""What of a request no slot takes: a time it is limited to, or a state that it denies."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from state.action import Action
from state.policy import Routing
from tools.routing.unclear import Unclear

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = (
    rf"(?:(?:early|late|mid|last|this|the last|the) )?(?:(?:{_MONTHS})(?: \d{{4}})?|(?:19|20)\d\d"
    r"|week|month|quarter|year|spring|summer|autumn|winter|christmas|easter|new year)(?![\w-])"
)
_SINCE = re.compile(
    rf"(?<!\w)(?:since|after|before|until|till|from|prior to) {_TIME}", re.IGNORECASE
)
_WITHIN = re.compile(rf"(?<!\w)(?:in|during|within) {_TIME}(?! days| hours| weeks)", re.IGNORECASE)
_DENIED = re.compile(
    r"(?<!\w)(?:that|which|who) (?:is|are|was|were|has|have)(?: not|n't)"
    r" (?:\w+ )?\w+|(?<=\w )(?:has|have)(?: not|n't)(?: yet| been)? \w+(?:ed|en)(?!\w)",
    re.IGNORECASE,
)

_OF_TIME = frozenset({"year", "date", "since", "until", "period", "day", "days", "month"})
"""What the name of a slot says that takes a time, whatever its type."""


def not_followed(
    action: Action,
    routing: Routing,
    arguments: Mapping[str, Any],  # by slot type
) -> tuple[str, ...]:
    """Name the limits that the text sets and this action, so filled, does not keep."""
    patterns = [] if _has_day(action, arguments) else [_SINCE]
    if action.floor == "A":
        patterns += [_DENIED, *([_WITHIN] if patterns else [])]
    found = [match for pattern in patterns for match in pattern.finditer(routing.text)]
    kept = " ".join(_texts(arguments)).casefold()
    return tuple(
        match.group()
        for match in sorted(found, key=lambda match: match.start())
        if match.group().casefold() not in kept and not _is_of_name(match, routing)
    )


def limits_told(limits: Sequence[str]) -> str:
    """Write the sentence that goes with an answer; empty where all was followed."""
    return f"Not followed: {', '.join(f'“{words}”' for words in limits)}." if limits else ""


def asked_about(limits: Sequence[str], action: Action, sketch: str) -> Unclear | None:
    """Ask before a change that would not keep a limit it was asked with; a read is told of it."""
    if not limits or action.floor == "A":
        return None
    return Unclear(question=f"I cannot follow “{limits[0]}” here. How is it meant? ({sketch})")


def _has_day(action: Action, arguments: Mapping[str, Any]) -> bool:
    return any(
        action.slots[name].type == "date" or not _OF_TIME.isdisjoint(name.split("_"))
        for name in arguments
        if name in action.slots
    )


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    values: list[str] = []
    for value in arguments.values():
        values += map(str, value) if isinstance(value, (list, tuple)) else [str(value)]
    return values


def _is_of_name(match: re.Match[str], routing: Routing) -> bool:
    first, end = match.span()
    return any(one.span[0] < end and first < one.span[1] for one in routing.entities)
