"""No heuristic is sure and no model may be asked: say so, or relay the event in its own words."""

from dataclasses import dataclass

from state.channels import State
from state.result import DecisionPath
from state.stages import Decided
from tools.policy.last_word import last_word
from tools.ports import Catalogue
from tools.strategy.assigning import Strategies
from tools.strategy.context import context_of
from tools.strategy.fallback import without_words


@dataclass(frozen=True)
class Decline:
    """Path: rejected for a message, fallback for an event that speaks for itself."""

    strategies: Strategies
    has_model: bool
    catalogue: Catalogue

    async def __call__(self, state: Decided) -> State:
        assigned = self.strategies.assigned(state.event)
        strategy = self.strategies.for_event(state.event)
        chosen = strategy.choose(context_of(state), has_llm=self.has_model)
        is_rejected = chosen.path is DecisionPath.REJECTED
        reason = chosen.reason if is_rejected else "no_matching_action"
        words = last_word(state.event, state.policy, self.catalogue)
        declined = without_words(state.event, state.policy, reason, self.catalogue, last_word=words)
        named = {"strategy": assigned.strategy, "strategy_by": assigned.by}
        return {"result": declined.model_copy(update=named)}
