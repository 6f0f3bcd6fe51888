"""No heuristic is sure and no model may be asked: say so, or relay the event in its own words."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Decided
from tools.ports import Catalogue
from tools.strategy.fallback import without_words


@dataclass(frozen=True)
class Decline:
    """Path: rejected for a message, fallback for an event that speaks for itself."""

    has_model: bool
    catalogue: Catalogue

    async def __call__(self, state: Decided) -> State:
        reason = "no_matching_action" if self.has_model else "llm_unavailable"
        return {"result": without_words(state.event, state.policy, reason, self.catalogue)}
