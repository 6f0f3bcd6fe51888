"""The class of an action on this occasion: its floor, and what raises it. Nothing lowers it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from state.action import Action, ExecutionClass
from state.execution import ExecutionTuning
from state.policy import Candidate
from state.preview import Preview
from tools.approvals.measures import measures_of
from tools.approvals.recipients import outsiders

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
    forced: bool = False,
    tainted: bool = False,
    held_back: Sequence[str] = (),
) -> Raised:
    """Raise an action above its floor for what speaks against doing it by itself.

    Args:
        explicit: a person chose exactly this.
        forced: policy decided on this read by a rule, however sure the router is.
        tainted: a model or an untrusted text shaped it.
        held_back: reasons from elsewhere: what the router holds, what awaits its canary.

    Source: action execution contract §1 and §6; safety.md rule 9.
    """
    reasons: list[str] = []
    execution_class = floor
    if execution_class == "A" and not explicit:
        rival = competitor_of(confidence, alternatives, tuning.competitor_margin)
        if confidence < tuning.auto_confidence and not forced:
            reasons.append("low_confidence")
        if rival is not None and not forced:
            reasons.append("competitor")
        if tainted:
            reasons.append("tainted")
        reasons += held_back
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

    By the very numbers that a person is shown, see tools/approvals/measures.py.

    Args:
        rules: what holds for this action, see ExecutionTuning.of.

    Source: action execution contract §1; issue 3 §2.
    """
    measures = measures_of(action, arguments, preview)
    reasons = []
    if measures.unread:
        reasons.append("parse_failure")
    if measures.count is not None and measures.count > rules.bulk_count:
        reasons.append("bulk")
    if measures.amount is not None and measures.amount > rules.amount:
        reasons.append("amount")
    if outsiders(action, arguments, preview, internal_domains):
        reasons.append("outside_recipients")
    return Raised(_ONE_UP[execution_class] if reasons else execution_class, tuple(reasons))
