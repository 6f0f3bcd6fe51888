"""Should we respond? The event's relevance against the threshold of this moment."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Weighed
from tools.relevance.gates import Gates


@dataclass(frozen=True)
class AssessRelevance:
    """Walk the gates in order; the first that decides gives the reason code."""

    gates: Gates

    async def __call__(self, state: Weighed) -> State:
        return {"relevance": self.gates.judge(state)}
