"""The class of an action on this occasion: its floor, and what raises it. Nothing lowers it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from state.action import PRIMITIVE_SLOT_TYPES, Action, ExecutionClass, RiskMeasure
from state.execution import ExecutionTuning
from state.policy import Candidate
from state.preview import Preview

_DOMAIN = re.compile(r"@([^\s@<>,;()\[\]\"']+)")
_ONE_UP: Mapping[ExecutionClass, ExecutionClass] = {"A": "B", "B": "C", "C": "C"}


class Raised(NamedTuple):
    """A class, and every reason why it is above its floor."""

    execution_class: ExecutionClass
    reasons: tuple[str, ...]


def raised_class(
    floor: ExecutionClass,
    confidence: float,
    alternatives: Sequence[Candidate],
    tuning: ExecutionTuning,
    *,
    explicit: bool = False,
    tainted: bool = False,
    held_back: bool = False,
) -> Raised:
    """Raise an action above its floor for what speaks against doing it by itself.

    Args:
        explicit: a person chose exactly this.
        tainted: a model or an untrusted text shaped it.
        held_back: its canary phase has not come to this session.

    Source: action execution contract §1 and §6; safety.md rule 9.
    """
    reasons: list[str] = []
    execution_class = floor
    if execution_class == "A" and not explicit:
        if confidence < tuning.auto_confidence:
            reasons.append("low_confidence")
        if competitor_of(confidence, alternatives, tuning.competitor_margin) is not None:
            reasons.append("competitor")
        if tainted:
            reasons.append("tainted")
        if held_back:
            reasons.append("canary")
        if reasons:
            execution_class = "B"
    if execution_class == "B" and floor != "A" and tainted:
        reasons.append("tainted")
        execution_class = "C"
    return Raised(execution_class, tuple(reasons))


def competitor_of(
    confidence: float, alternatives: Sequence[Candidate], margin: float
) -> Candidate | None:
    """Find the strongest other action that comes within `margin` of the one meant."""
    close = [one for one in alternatives if one.confidence > confidence - margin]
    return max(close, key=lambda one: one.confidence, default=None)


def raised_by_risk(
    execution_class: ExecutionClass,
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
    rules: ExecutionTuning,
    internal_domains: Sequence[str],
) -> Raised:
    """Raise a class by one for how much, how many, and who gets it.

    A recipient is one of our own when it is an entity of the pack and no address, or when every
    e-mail domain in it is an internal one; whoever else is named is outside.

    Args:
        rules: what holds for this action, see ExecutionTuning.of.

    Source: action execution contract §1; issue 3 §2.
    """
    amounts = _measured(action, arguments, "amount")
    counts = [*_measured(action, arguments, "count"), *_lengths(action, arguments)]
    if preview is not None:
        amounts += [preview.amount] if preview.amount is not None else []
        counts += [float(preview.count)] if preview.count is not None else []
    reasons = []
    if None in amounts or None in counts:
        reasons.append("parse_failure")
    # Written so that what cannot be compared raises too.
    if not all(abs(count) <= rules.bulk_count for count in counts if count is not None):
        reasons.append("bulk")
    if not all(abs(amount) <= rules.amount for amount in amounts if amount is not None):
        reasons.append("amount")
    if any(_outsiders(action, arguments, preview, internal_domains)):
        reasons.append("outside_recipients")
    return Raised(_ONE_UP[execution_class] if reasons else execution_class, tuple(reasons))


def _measured(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    measure: RiskMeasure,
) -> list[float | None]:
    """Sum up each value that feeds a measure; None: it is no number."""
    return [
        _total(arguments[name])
        for name, slot in action.slots.items()
        if slot.risk == measure
        and arguments.get(name) is not None
        and not (measure == "count" and isinstance(arguments[name], (list, tuple)))
    ]


def _total(value: Any) -> float | None:  # whatever its slot holds
    if isinstance(value, (list, tuple)):
        parts = [_total(part) for part in value]
        return None if None in parts else sum(abs(part) for part in parts if part is not None)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _lengths(action: Action, arguments: Mapping[str, Any]) -> list[float]:  # by slot type
    return [
        float(len(arguments[name]))
        for name, slot in action.slots.items()
        if (slot.many or slot.risk in ("count", "recipients"))
        and isinstance(arguments.get(name), (list, tuple))
    ]


def _outsiders(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
    internal_domains: Sequence[str],
) -> Iterator[str]:
    ours = {domain.casefold() for domain in internal_domains}
    known = set()
    for name, slot in action.slots.items():
        if slot.risk != "recipients" or arguments.get(name) is None:
            continue
        given = arguments[name]
        named = [str(one) for one in (given if isinstance(given, (list, tuple)) else [given])]
        # An address is judged by its domain, whatever type a pack gave it: a pattern knows nobody.
        is_free = slot.type in PRIMITIVE_SLOT_TYPES
        judged = [one for one in named if is_free or "@" in one]
        yield from (one for one in judged if not _is_inside(one, ours))
        known |= {one.casefold() for one in named if one not in judged}
    for recipient in preview.recipients if preview is not None else ():
        if recipient.casefold() not in known and not _is_inside(recipient, ours):
            yield recipient


def _is_inside(recipient: str, ours: set[str]) -> bool:
    domains = [found.rstrip(".").casefold() for found in _DOMAIN.findall(recipient)]
    return bool(domains) and recipient.count("@") == len(domains) and set(domains) <= ours
