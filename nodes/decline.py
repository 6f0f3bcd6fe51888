"""No heuristic is sure and no model may be asked: say so, or relay the event in its own words."""

from dataclasses import dataclass

from state.channels import State
from state.result import DecisionPath
from state.stages import Decided
from tools.dialogue import fallback_reply
from tools.ports import Catalogue
from tools.response import StrategyAssignment, context_of
from tools.response.template_replies import template_reply


@dataclass(frozen=True)
class Decline:
    """Path: rejected for a message, fallback for an event that speaks for itself."""

    strategies: StrategyAssignment
    has_model: bool
    catalogue: Catalogue

    async def __call__(self, state: Decided) -> State:
        assigned = self.strategies.assigned(state.event)
        strategy = self.strategies.for_event(state.event)
        chosen = strategy.choose(context_of(state), has_llm=self.has_model)
        is_rejected = chosen.path is DecisionPath.REJECTED
        reason = chosen.reason if is_rejected else "no_matching_action"
        session, user = state.session, state.event.user
        called = session.profile.called if user is not None and session.person == user else None
        words = fallback_reply(state.event, state.policy, self.catalogue, called)
        declined = template_reply(
            state.event, state.policy, reason, self.catalogue, last_word=words
        )
        named = {"strategy": assigned.strategy, "strategy_by": assigned.by}
        return {"result": declined.model_copy(update=named)}
