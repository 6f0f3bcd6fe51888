"""Answer a question about ourselves: the journal, what was said, reminders, goals, our reasons."""

from dataclasses import dataclass

from state.channels import State
from state.event import Event
from state.policy import PolicyDecision
from state.stages import Decided
from state.tuning import RelevanceTuning
from tools.journal import decision_line
from tools.memory.answers import AgendaAnswers, RecallAnswers, WhyAnswers
from tools.platform.texts import t
from tools.ports import DecisionNotes
from tools.response import StrategyAssignment
from tools.response.template_replies import policy_result

_AGENDA = ("remind", "no_reminder", "reminders", "goals")
_MATCHED = {"explain": "explained", "recall": "recalled", "journal": "journal"}
"""Intent of a question to what the record names as its source."""


def is_question_of_ours(policy: PolicyDecision) -> bool:
    """Tell whether our own records hold the answer."""
    if policy.says or policy.detected:
        return False
    return policy.talk.kind in _AGENDA if policy.talk else policy.intent in _MATCHED


@dataclass(frozen=True)
class AnswerQuestion:
    """Answer from our own records. Path: policy."""

    strategies: StrategyAssignment
    notes: DecisionNotes
    why: WhyAnswers
    agenda: AgendaAnswers
    recall: RecallAnswers
    tuning: RelevanceTuning

    async def __call__(self, state: Decided) -> State:
        policy, event = state.policy, _asked_in(state)
        if policy.talk:
            text, matched = await self.agenda(event, policy.talk), "talk_request"
        else:
            text, matched = await self._told(event, policy.intent), _MATCHED[policy.intent]
        assigned = self.strategies.assigned(state.event)
        return {"result": policy_result(state, assigned, text, matched, self.tuning)}

    async def _told(self, event: Event, intent: str) -> str:
        match intent:
            case "explain":
                return await self.why(event)
            case "recall":
                return await self.recall(event)
        found = await self.notes.about(event)
        if not found:
            return t("answer.not_decided")
        return "\n".join(map(decision_line, found))


def _asked_in(state: Decided) -> Event:
    """Give the event with the words that the decision is of: not those of a wish beside it."""
    aside = state.policy.beside
    return state.event if aside is None else state.event.model_copy(update={"text": aside.rest})
