"""Does the event stand out at all? Dull ones go straight to the record."""

import asyncio
from dataclasses import dataclass

from state.channels import State
from state.stages import Received
from tools.relevance.weighing import Weighing


@dataclass(frozen=True)
class FilterSalience:
    """Weigh the event in its session."""

    weighing: Weighing

    async def __call__(self, state: Received) -> State:
        given = (state.event, state.arrival, state.session)
        if self.weighing.asks_encoder(state.event):  # it blocks: other sessions go on meanwhile
            return {"salience": await asyncio.to_thread(self.weighing.weigh, *given)}
        return {"salience": self.weighing.weigh(*given)}
