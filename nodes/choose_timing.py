"""When? Now, together with others, or at a better moment."""

from dataclasses import dataclass

from state.channels import State
from state.held import Held
from state.stages import Assessed
from tools.policy.beside import wishes_in
from tools.timing.choosing import Choosing
from tools.timing.holds import Holds
from tools.timing.worth import DIGEST, PROMPT, QUIET_ENDED, group_of


@dataclass(frozen=True)
class ChooseTiming:
    """Choose the moment, seeing what else waits in the session."""

    choosing: Choosing
    holds: Holds

    async def __call__(self, state: Assessed) -> State:
        return {"timing": self.choosing.choose(state, await self._beside(state))}

    async def _beside(self, state: Assessed) -> tuple[Held, ...]:
        event, by = state.event, state.arrival.released_by
        if event.is_addressed:
            wishes = wishes_in(event.text) if event.kind == "message" else ()
            if all(one.kind != "prompt" for one in wishes):
                return ()
            by = PROMPT
        group = DIGEST if by == QUIET_ENDED else group_of(event)
        now = state.arrival.received_at.timestamp()
        return await self.holds.beside(event, group=group, released_by=by, now=now)
