"""Compare the event's relevance with the current threshold."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Weighed
from tools.adapters import meter_model_use
from tools.attention import LlmTiebreak, RelevanceFilters


@dataclass(frozen=True)
class AssessRelevance:
    """Walk the gates in order; the first that decides gives the reason code."""

    gates: RelevanceFilters
    band: LlmTiebreak | None = None
    """Tips what is uncertain; None: no model is there to be asked."""

    async def __call__(self, state: Weighed) -> State:
        found = self.gates.judge(state)
        if self.band is None:
            return {"relevance": found}
        with meter_model_use() as uses:
            settled = await self.band.settled(state, found)
        return {
            "relevance": settled.model_copy(update={"models": tuple(uses)}) if uses else settled
        }
