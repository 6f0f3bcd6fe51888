"""Choose when to speak: now, in a batch, or at a better moment."""

from dataclasses import dataclass

from state.channels import State
from state.held import Held
from state.release import DIGEST, PROMPT, QUIET_ENDED, group_of
from state.stages import Assessed
from tools.attention import TimingPolicy
from tools.dialogue import control_requests_in
from tools.ports import HeldDecisions


@dataclass(frozen=True)
class ChooseTiming:
    """Choose the moment, seeing what else waits in the session."""

    choosing: TimingPolicy
    holds: HeldDecisions

    async def __call__(self, state: Assessed) -> State:
        return {"timing": self.choosing.choose(state, await self._beside(state))}

    async def _beside(self, state: Assessed) -> tuple[Held, ...]:
        event, by = state.event, state.arrival.released_by
        if event.is_addressed:
            wishes = control_requests_in(event.text) if event.kind == "message" else ()
            if all(one.kind != "prompt" for one in wishes):
                return ()
            by = PROMPT
        group = DIGEST if by == QUIET_ENDED else group_of(event)
        now = state.arrival.received_at.timestamp()
        return await self.holds.beside(event, group=group, released_by=by, now=now)
