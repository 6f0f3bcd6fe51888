"""Split a text into several requests, and an order from the condition or time it depends on."""

import re
from collections.abc import Mapping, Sequence, Set
from datetime import date
from itertools import islice
from typing import Any, NamedTuple

from state.policy import Candidate, Routing, Uncovered
from tools.nlu.dialogue_acts.connectives import BINDING
from tools.nlu.intent_classifier.calibration import OFFERED
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.values.time_expressions import times_in

MOST_REQUESTS = 4
_LEAST = 0.3
"""What a request of its own is worth at least: enough to be offered."""
_MARK = re.compile(r"(?:\s+(?:\d+[.)]|[-*•]))?[\s?]*$")
"""What ends a request among several: the mark of the next in a list, or the question's mark."""
_MEANT = 0.2
"""Below this a part asks for nothing that is known."""


def requests_in(reading: ParsedUtterance) -> tuple[str, ...]:
    """Cut a text before each clause that asks for something; one piece: it asks once."""
    if len(reading.act.asks) < 2:
        return (reading.normal.original,)
    firsts: list[int] = []
    for clause, verb in reading.act.asks:
        is_bare = verb is not None and clause.end - clause.first == verb.end - verb.first
        if not is_bare or clause == reading.act.asks[-1][0]:
            firsts.append(clause.first)
    if len(firsts) < 2 or reading.act.mood not in ("command", "request"):
        return (reading.normal.original,)
    tokens = reading.normal.tokens
    starts = [0, *(tokens[first].start for first in firsts[1:])]
    ends = [*starts[1:], len(reading.normal.text)]
    pieces = (
        _MARK.sub("", reading.normal.written(start, end))
        for start, end in zip(starts, ends, strict=True)
    )
    return tuple(islice(pieces, MOST_REQUESTS))


def join_requests(whole: Routing, parts: Sequence[Routing]) -> Routing:
    """Name the first request and list the others, each with its own slots, all to be chosen.

    Parts that come to one action, or to none, leave the whole text as it was read.
    """
    known = [part for part in parts if part.action is not None and part.confidence >= _MEANT]
    names = {part.action for part in known}
    if len(names) == 1 and len(known) > 1:
        return _of_one_action(whole, known)
    if len(names) < 2:
        return whole
    first = known[0]
    others: dict[str, Candidate] = {}
    for part in known[1:]:
        if part.action is not None and part.action not in (first.action, *others):
            others[part.action] = _candidate(part.action, part.confidence, part.slots)
    rest = [one for one in whole.alternatives if one.action not in {first.action, *others}]
    least = min(one.confidence for one in others.values())
    listed = [
        *sorted(others.values(), key=lambda one: -one.confidence),
        *(
            one.model_copy(update={"confidence": min(one.confidence, least)})
            for one in rest[: max(0, MOST_REQUESTS - len(others))]
        ),
    ]
    return first.model_copy(
        update={
            "text": whole.text,
            "normalized": whole.normalized,
            "tokens": whole.tokens,
            "entities": whole.entities,
            "confidence": min(first.confidence, OFFERED),
            "held": "several_requests",
            "uncovered": _uncovered(known),
            "alternatives": tuple(listed),
            "reasons": (*_without(whole.reasons, {"several_requests"}), "several_requests"),
        }
    )


def _of_one_action(whole: Routing, parts: Sequence[Routing]) -> Routing:
    """Leave open which thing is meant where one action is asked for with several.

    A part that does not say it means the same: `update WO-1042 and push it back a week`.
    """
    first = parts[0]
    differing = {
        name: tuple(dict.fromkeys(str(part.slots[name]) for part in parts if name in part.slots))
        for name, value in first.slots.items()
        if isinstance(value, str)
        and any(name in part.slots and part.slots[name] != value for part in parts[1:])
    }
    if len(differing) != 1:
        return whole
    slots = {name: value for name, value in first.slots.items() if name not in differing}
    return first.model_copy(
        update={
            "text": whole.text,
            "normalized": whole.normalized,
            "tokens": whole.tokens,
            "entities": whole.entities,
            "slots": slots,
            "held": "several_requests",
            "uncovered": _uncovered(parts),
            "choices": {**first.choices, **differing},
            "missing_slots": tuple(dict.fromkeys((*first.missing_slots, *differing))),
            "reasons": (*_without(whole.reasons, {"several_requests"}), "several_requests"),
        }
    )


def _uncovered(parts: Sequence[Routing]) -> tuple[Uncovered, ...]:
    """Give what no part takes: whatever is chosen first, none of it may be dropped."""
    return tuple(one for part in parts for one in part.uncovered)


def _candidate(
    action: str,
    confidence: float,
    slots: Mapping[str, Any],  # by slot type
) -> Candidate:
    value = max(_LEAST, min(confidence, OFFERED))
    return Candidate(action=action, confidence=value, slots=dict(slots))


def _without(reasons: Sequence[str], dropped: Set[str]) -> tuple[str, ...]:
    return tuple(reason for reason in reasons if reason not in dropped)


_HEADS = BINDING - {"the", "as", "so", "in", "on", "by", "under", "subject", "because", "since"}
_ORDERS = ("command", "request")


class ConditionalOrder(NamedTuple):
    """An order, and the words that it hangs on."""

    order: str
    conditions: tuple[str, ...]


def split_condition(reading: ParsedUtterance, today: date | None) -> ConditionalOrder | None:
    """Set aside the clauses that make a condition, or the time that a text begins with.

    None: nothing is set aside, or the text asks for something as it stands.
    """
    if reading.act.mood == "hypothetical":
        return _without_conditions(reading)
    return _without_time(reading, today) if reading.act.mood == "statement" else None


def with_order(whole: Routing, order: Routing, parted: ConditionalOrder) -> Routing:
    """Give the routing of a text with that of its order; unchanged, where it orders no change.

    The whole goes on to ask for nothing: what hangs on a condition is not to be done or offered.
    """
    if order.action is None or order.mood not in _ORDERS:
        return whole
    said = (Uncovered(text=text, narrows=True, attaches=True) for text in parted.conditions)
    starts = {text: whole.text.find(text) for text in parted.conditions}
    entities = (
        one
        for one in whole.entities
        if not any(at <= one.span[0] < at + len(text) for text, at in starts.items())
    )
    own = {
        "text": whole.text,
        "normalized": whole.normalized,
        "tokens": whole.tokens,
        "entities": tuple(entities),
        "confidence": min(order.confidence, OFFERED),
        "held": "unread",
        "uncovered": (*order.uncovered, *said),
    }
    return whole.model_copy(update={"order": order.model_copy(update=own)})


def _without_conditions(reading: ParsedUtterance) -> ConditionalOrder | None:
    words, clauses = reading.normal.words, reading.act.cut.clauses
    aside = [one for one in clauses if one.joint == "if" or words[one.first] in _HEADS]
    kept = [one for one in clauses if one not in aside]
    if not aside or not kept:
        return None

    def written(first: int, end: int) -> str:
        tokens = reading.normal.tokens
        return reading.normal.written(tokens[first].start, tokens[end - 1].end)

    order = ", ".join(written(one.first, one.end) for one in kept)
    if reading.act.cut.content_first is not None:
        order += f": {written(reading.act.cut.content_first, len(words))}"
    return ConditionalOrder(order, tuple(written(one.first, one.end) for one in aside))


def _without_time(reading: ParsedUtterance, today: date | None) -> ConditionalOrder | None:
    normal = reading.normal
    first = [one for one in times_in(normal, today) if one.first == 0]
    end = max((one.end for one in first), default=0)
    if not 0 < end < len(normal.words):
        return None
    time = normal.written(0, normal.tokens[end - 1].end)
    return ConditionalOrder(normal.written(normal.tokens[end].start, len(normal.text)), (time,))
