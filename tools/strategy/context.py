"""What a strategy is told of a decision that has come to it."""

from collections.abc import Mapping

from state.policy import PolicyDecision
from state.salience import DIMENSIONS
from state.stages import Decided
from state.strategy import DecisionContext

_SETTLED = ("control", "journal", "explain", "recall", "clarify", "decision")


def is_settled(policy: PolicyDecision) -> bool:
    """Tell whether policy has decided by itself: a chip, chips to offer, its own answer."""
    is_known = policy.action is not None or bool(policy.says)
    return is_known or policy.intent in _SETTLED or policy.beside is not None


def context_of(state: Decided, actions: Mapping[str, str] | None = None) -> DecisionContext:
    """Sum a decision up for a strategy.

    Args:
        actions: what a model may propose, name by name, as it is listed.
    """
    event, vector = state.event, state.salience.vector
    return DecisionContext(
        event_id=event.event_id,
        event_text=event.text,
        event_source=event.source,
        salience={name: getattr(vector, name) for name in DIMENSIONS},
        suggestion=state.policy.suggestion,
        immediate=state.timing.outcome == "immediate",
        decision_id=state.arrival.decision_id,
        addressed=event.is_addressed,
        candidates=state.policy.candidates,
        urgency=state.timing.urgency,
        is_alert=state.relevance.verdict == "alert",
        actions=actions or {},
    )
