"""A heuristic is sure: it speaks without a model."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Decided
from tools.response import StrategyAssignment, context_of


@dataclass(frozen=True)
class DecideByHeuristic:
    """Let the suggestion speak, shipped or learned. Path: heuristic."""

    strategies: StrategyAssignment

    async def __call__(self, state: Decided) -> State:
        assigned = self.strategies.assigned(state.event)
        found = self.strategies.for_event(state.event).by_heuristic(context_of(state))
        named: dict[str, object] = {"strategy": assigned.strategy, "strategy_by": assigned.by}
        named["metadata"] = {**found.metadata, "intent": state.policy.intent}
        return {"result": found.model_copy(update=named)}
