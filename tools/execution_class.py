"""The class of an action on this occasion: its floor, and what raises it. Nothing lowers it."""

from collections.abc import Sequence
from typing import NamedTuple

from state.action import ExecutionClass
from state.execution import ExecutionTuning
from state.policy import Candidate


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
) -> Raised:
    """Raise an action above its floor for what speaks against doing it by itself.

    Args:
        explicit: a person chose exactly this.
        tainted: a model or an untrusted text shaped it.

    Source: action execution contract §1; safety.md rule 9.
    """
    reasons: list[str] = []
    execution_class = floor
    if execution_class == "A" and not explicit:
        if confidence < tuning.auto_confidence:
            reasons.append("low_confidence")
        close = confidence - tuning.competitor_margin
        if any(candidate.confidence > close for candidate in alternatives):
            reasons.append("competitor")
        if tainted:
            reasons.append("tainted")
        if reasons:
            execution_class = "B"
    if execution_class == "B" and floor != "A" and tainted:
        reasons.append("tainted")
        execution_class = "C"
    return Raised(execution_class, tuple(reasons))
