"""The answer is known without a model: a routed action, a request about talking, a heuristic."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from state.channels import State
from state.event import Event
from state.policy import PolicyDecision
from state.result import DecisionPath, DecisionResult, response_id_of
from state.stages import Decided
from state.talk import TalkRequest
from state.tuning import RelevanceTuning
from tools.journal.decision_recall import decision_line
from tools.ports import DecisionNotes
from tools.response.strategies import StrategyAssignment
from tools.response.strategy_base import context_of, is_decided_by_policy
from tools.response.template_replies import acknowledgement

ExplainFunction = Callable[[Event], Awaitable[str]]
"""Answers why we did something, from our own records."""


RecountFunction = Callable[[Event, TalkRequest], Awaitable[str]]
"""Answers a request about reminders and goals, from our own rows."""
_RECOUNTED = ("remind", "no_reminder", "reminders", "goals")


@dataclass(frozen=True)
class DecideByHeuristic:
    """Turn what policy found into the content of the decision. Path: heuristic."""

    strategies: StrategyAssignment
    notes: DecisionNotes
    tuning: RelevanceTuning
    explains: ExplainFunction
    recounts: RecountFunction
    recalls: ExplainFunction

    async def __call__(self, state: Decided) -> State:
        policy = state.policy
        assigned = self.strategies.assigned(state.event)
        named = {"strategy": assigned.strategy, "strategy_by": assigned.by}
        if policy.suggestion and not is_decided_by_policy(policy):
            strategy = self.strategies.for_event(state.event)
            found = strategy.by_heuristic(context_of(state))
            told = {**found.metadata, "intent": policy.intent}
            return {"result": found.model_copy(update={**named, "metadata": told})}
        text, heuristic_id = await self._words(state)
        result = DecisionResult(
            path=DecisionPath.HEURISTIC,
            response_text=text,
            told_beside=self._told_beside(policy),
            response_id=response_id_of(state.arrival.decision_id),
            matched_heuristic_id=heuristic_id,
            predicted_success=policy.confidence,
            prediction_confidence=policy.confidence,
            action=policy.action,
            arguments=policy.arguments,
            confidence=policy.confidence,
            metadata={"intent": policy.intent},
        )
        return {"result": result.model_copy(update=named)}

    async def _words(self, state: Decided) -> tuple[str, str | None]:
        policy, event = state.policy, _asked_in(state)
        if policy.says:
            return policy.says, None
        if policy.talk and policy.talk.kind in _RECOUNTED:
            return await self.recounts(event, policy.talk), "talk_request"
        if policy.talk:
            said = acknowledgement(policy.talk, self.tuning, state.timing.beside)
            left_out = f" {policy.left_out}" if policy.left_out else ""
            return f"{said}{left_out}", "talk_request"
        if policy.detected:
            return f"Noted: {policy.detected.decision}.", "decision_noted"
        if policy.intent == "explain":
            return await self.explains(event), "explained"
        if policy.intent == "recall":
            return await self.recalls(event), "recalled"
        if policy.intent == "journal":
            return await self._recall(event), "journal"
        return "", _matched(policy)

    def _told_beside(self, policy: PolicyDecision) -> str:
        aside = policy.beside
        if aside is None:
            return ""
        return acknowledgement(aside.talk, self.tuning) if aside.talk else aside.says

    async def _recall(self, event: Event) -> str:
        found = await self.notes.about(event)
        if not found:
            return "I have no decision on record that this could be about."
        return "\n".join(map(decision_line, found))


def _asked_in(state: Decided) -> Event:
    """Give the event with the words that the decision is of: not those of a wish beside it."""
    aside = state.policy.beside
    return state.event if aside is None else state.event.model_copy(update={"text": aside.rest})


def _matched(policy: PolicyDecision) -> str | None:
    if policy.explicit:
        return "chosen_chip"
    return "catalogue" if policy.action or policy.alternatives else None
