"""What is said when neither a heuristic nor a model has words."""

from state.event import Event
from state.policy import ASKS_NOTHING, Candidate, PolicyDecision
from state.result import DecisionPath, DecisionResult, response_id_of
from tools.ports import Catalogue

TALK = ASKS_NOTHING | {"statement"}
"""Moods of what people say to each other too: better nothing than something annoying."""
NO_CLICK = "no_such_click"
"""Policy's reason when an event claims a choice that nobody made."""


_LIKELY = 0.4
"""What a question is surely about has at least this: the router caps it below what is offered."""


def without_words(
    event: Event,
    policy: PolicyDecision,
    reason: str,
    catalogue: Catalogue | None = None,
    *,
    last_word: str = "",
) -> DecisionResult:
    """Relay an event in its own words; turn down a message that nothing here can answer.

    Args:
        reason: why there are no better words, such as llm_unavailable.
        catalogue: where a question about an action finds how that is asked for.
        last_word: the answer to a message that asks for nothing. See policy/last_word.py.
    """
    relayed = not event.is_addressed
    if policy.routing and policy.routing.mood in TALK:
        reason = "nothing_asked"
    if NO_CLICK in policy.reasons:
        reason = NO_CLICK
    return DecisionResult(
        path=DecisionPath.FALLBACK if relayed else DecisionPath.REJECTED,
        response_text=event.text if relayed else _turned_down(event, policy, catalogue, last_word),
        response_id=response_id_of(event.decision_id),
        confidence=policy.confidence,
        metadata={"reason": reason, "intent": policy.intent},
    )


def _turned_down(
    event: Event, policy: PolicyDecision, catalogue: Catalogue | None, last_word: str
) -> str:
    if NO_CLICK in policy.reasons:
        return "That choice was not made on an offer of mine; nothing was done."
    is_talk = "small_talk" in policy.reasons
    if policy.routing and (is_talk or policy.routing.mood in TALK):
        return last_word
    if catalogue is not None and (asked_with := _way_to_ask(event, policy, catalogue)):
        return f'That is done when it is asked for, such as: "{asked_with}". Nothing was done.'
    return "I can't do that yet."


def _way_to_ask(event: Event, policy: PolicyDecision, catalogue: Catalogue) -> str | None:
    """Show how the action that a question is about is asked for, to whom it may ask for it."""
    routing = policy.routing
    if routing is None or routing.mood != "question":
        return None
    best = next(iter(routing.alternatives), None)
    if routing.action is not None:
        best = Candidate(action=routing.action, confidence=routing.confidence)
    if best is None or best.confidence < _LIKELY or not catalogue.may_ask(best.action, event.roles):
        return None
    examples = catalogue.actions[best.action].examples
    return examples[0] if examples else best.action.replace("_", " ")
