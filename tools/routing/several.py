"""Several requests in one text: each is read by itself, and none is lost or done at once."""

import re
from collections.abc import Mapping, Sequence, Set
from itertools import islice
from typing import Any

from state.policy import Candidate, Routing, Uncovered
from tools.routing.reading import Reading
from tools.routing.worth import OFFERED

MOST_REQUESTS = 4
_LEAST = 0.3
"""What a request of its own is worth at least: enough to be offered."""
_MARK = re.compile(r"(?:\s+(?:\d+[.)]|[-*•]))?[\s?]*$")
"""What ends a request among several: the mark of the next in a list, or the question's mark."""
_MEANT = 0.2
"""Below this a part asks for nothing that is known."""


def requests_in(reading: Reading) -> tuple[str, ...]:
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


def joined(whole: Routing, parts: Sequence[Routing]) -> Routing:
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
