"""What has to be known before an action can be judged: things left out, too many, or unreadable."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from state.action import Action
from state.errors import InvalidArguments
from state.policy import EntityMention, PolicyDecision, Routing
from state.result import DecisionResult
from tools.ports import Catalogue

MOST_NAMED = 5
"""Requests that a question lists: nobody answers more at once."""
_SECOND_REQUEST = re.compile(r"(?:and|then|also|or|,)\b\s*\w+", re.IGNORECASE)
"""How a second request begins that was taken for free text of the first."""


class Question(NamedTuple):
    """A question to the person, and its reason code."""

    reason: str
    text: str


def question_about(
    action: Action, policy: PolicyDecision, result: DecisionResult, catalogue: Catalogue
) -> Question | None:
    """Ask for what is missing or cannot be read; None: everything is there."""
    unclear = Question("unclear", policy.unclear) if policy.unclear else None
    unclear = None if policy.explicit else unclear
    if unclear and policy.routing is not None and policy.routing.not_found:
        return unclear
    if action.floor != "A" and not policy.explicit:
        several = _several(action, policy, result)
        if several:
            return Question("several_things", _with_left_out(several, policy))
    if unclear:
        return unclear
    if not policy.variants:
        missing = catalogue.missing(action.name, result.arguments)
        if missing:
            named = " and ".join(name.replace("_", " ") for name in missing)
            sketch = catalogue.summary(action.name, {})
            asked = _with_left_out(f"Which {named}? ({sketch})", policy)
            return Question("missing_slot", asked)
    for arguments in policy.variants or (result.arguments,):
        try:
            catalogue.arguments(action.name, arguments)
        except InvalidArguments as fault:
            return Question("parse_failure", f"I cannot read that: {'; '.join(fault.faults)}")
    return None


def _with_left_out(question: str, policy: PolicyDecision) -> str:
    """Name what was not followed under a question about something else: the answer drops it."""
    return f"{question}\n{policy.left_out}" if policy.left_out else question


def _several(action: Action, policy: PolicyDecision, result: DecisionResult) -> str | None:
    """Ask for one thing at a time: what is approved must be all that was asked for."""
    if policy.variants:  # its chips name one thing each
        return None
    entities = _counted(policy.routing) if policy.routing else ()
    for slot_type in {slot.type for slot in action.slots.values()}:
        named = list(dict.fromkeys(one.value for one in entities if one.type == slot_type))
        if len(named) > 1 and not _has_room(action, slot_type, named, result.arguments):
            return f"One at a time, please: {' or '.join(named[:MOST_NAMED])}?"
    for name, value in result.arguments.items():
        if isinstance(value, str) and _SECOND_REQUEST.match(value):
            return f"One thing at a time, please: {value!r} is no {name.replace('_', ' ')}."
    return None


def _counted(routing: Routing) -> Iterable[EntityMention]:
    """Leave out what stands in a part that does not count: `don't close WO-1, close WO-2`."""
    if routing.left is None:
        return routing.entities
    left = routing.left
    return [one for one in routing.entities if _says(left, routing.text[slice(*one.span)])]


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _has_room(
    action: Action,
    slot_type: str,
    named: Iterable[str],
    arguments: Mapping[str, Any],  # by slot type
) -> bool:
    slots = {name: slot for name, slot in action.slots.items() if slot.type == slot_type}
    if not any(slot.many for slot in slots.values()):
        return len(list(named)) <= len(slots)
    taken: set[Any] = set()
    for name in slots:
        value = arguments.get(name)
        taken.update(value if isinstance(value, (list, tuple)) else [value])
    return set(named) <= taken
