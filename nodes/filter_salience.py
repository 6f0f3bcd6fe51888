"""Does the event stand out at all? Dull ones go straight to the record."""

from dataclasses import dataclass

from state.channels import State
from state.stages import Received
from tools.relevance.weighing import Weighing


@dataclass(frozen=True)
class FilterSalience:
    """Weigh the event in its session."""

    weighing: Weighing

    async def __call__(self, state: Received) -> State:
        return {"salience": self.weighing.weigh(state.event, state.arrival, state.session)}
