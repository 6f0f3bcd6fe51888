"""What is said when neither a heuristic nor a model has words."""

from state.event import Event
from state.policy import ASKS_NOTHING, PolicyDecision
from state.result import DecisionResult, response_id_of

TALK = ASKS_NOTHING | {"statement"}
"""Moods of what people say to each other too: better nothing than something annoying."""
NO_CLICK = "no_such_click"
"""Policy's reason when an event claims a choice that nobody made."""


def without_words(event: Event, policy: PolicyDecision, reason: str) -> DecisionResult:
    """Relay an event in its own words; turn down a message that nothing here can answer.

    Args:
        reason: why there are no better words, such as llm_unavailable.
    """
    relayed = not event.is_addressed
    if policy.routing and policy.routing.mood in TALK:
        reason = "nothing_asked"
    if NO_CLICK in policy.reasons:
        reason = NO_CLICK
    return DecisionResult(
        path="fallback" if relayed else "rejected",
        response_text=event.text if relayed else _turned_down(policy),
        response_id=response_id_of(event.decision_id),
        confidence=policy.confidence,
        metadata={"reason": reason, "intent": policy.intent},
    )


def _turned_down(policy: PolicyDecision) -> str:
    if NO_CLICK in policy.reasons:
        return "That choice was not made on an offer of mine; nothing was done."
    if policy.routing and policy.routing.mood in TALK:
        return ""
    return "I know no action for that."
