"""Drop events without salience; they go straight to the record."""

import asyncio
from dataclasses import dataclass

from state.channels import State
from state.stages import Received
from tools.attention import SalienceAssessor
from tools.response import Character


@dataclass(frozen=True)
class FilterSalience:
    """Weigh the event in its session; what it stirs up moves the traits at once."""

    weighing: SalienceAssessor
    character: Character

    async def __call__(self, state: Received) -> State:
        if self.weighing.asks_encoder(state.event):  # it blocks: other sessions go on meanwhile
            return await asyncio.to_thread(self._weighed, state)
        return self._weighed(state)

    def _weighed(self, state: Received) -> State:
        salience = self.weighing.weigh(state.event, state.arrival, state.session)
        now = state.arrival.received_at.timestamp()
        session = self.character.stirred(state.session, state.event, salience.vector, now)
        return {"salience": salience, "session": session}
