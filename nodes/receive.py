"""Take an event in: whose decision is it, and on what snapshot of the session?"""

import time
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

from state.arrival import Arrival
from state.channels import State
from state.personality import Traits
from state.session import Session
from state.stages import Opened
from tools.clock import Clock
from tools.ports import Decisions


@dataclass(frozen=True)
class Receive:
    """Claim the decision for this thread; a duplicate is answered with the first record."""

    decisions: Decisions
    clock: Clock
    traits: Traits

    async def __call__(self, state: Opened, config: RunnableConfig) -> State:
        now = self.clock.now()
        event = state.event.at(now)
        thread_id: str = config["configurable"]["thread_id"]
        delivered = await self.decisions.open(event, thread_id)
        event = delivered.event
        arrival = Arrival(
            decision_id=delivered.decision_id,
            standing=delivered.standing,
            received_at=now,
            age_seconds=(now - (event.occurred_at or now)).total_seconds(),
            released_by=delivered.released_by,
            started_ns=time.time_ns(),
        )
        received: State = {
            "event": event,
            "arrival": arrival,
            "session": self._started(delivered.session, now.timestamp()),
        }
        if delivered.standing == "duplicate" and delivered.record is not None:
            received["record"] = delivered.record
        return received

    def _started(self, session: Session, now: float) -> Session:
        if session.started_at:
            return session
        return session.model_copy(update={"started_at": now, "traits": self.traits})
