"""Feed events to an Executive in order, and tell each decision once, when it settles."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from graph.pulse import pulsing
from graph.runner import Executive
from state.event import Event
from state.record import DecisionRecord
from tools.clock import VirtualClock

LOOK_SECONDS = 0.2
"""How often the machine's clock looks for holds that have ended."""

Tell = Callable[[Event, DecisionRecord], None]


@dataclass
class Player:
    """Plays a stream; with a virtual clock time is the events' own and nothing waits."""

    executive: Executive
    clock: VirtualClock | None
    tell: Tell
    _held: dict[str, list[Event]] = field(default_factory=dict)
    _telling: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.executive.initiating.listener = self._began

    @property
    def held(self) -> int:
        """Count the decisions that wait for their moment."""
        return len(self._held)

    async def play(self, event: Event) -> None:
        """Decide an event and tell it, or keep it in mind until its hold ends.

        Raises:
            AgentError: this event could not be decided; the next one may.
        """
        if self.clock is not None and event.occurred_at is not None:
            while await self._release_next(self.clock, event.occurred_at):
                pass
            self.clock.move_to(event.occurred_at)
        record = await self.executive.submit(event)
        if record.outcome == "held":
            self._held.setdefault(record.decision_id, []).append(event)
        else:
            self.tell(event, record)
        if self._held:  # a signal, or somebody who speaks, may have released one
            await self.executive.resume_unfinished()
        await self._tell_settled()

    async def finish(self) -> None:
        """Go on until nothing is held any more."""
        while self._held:
            if self.clock is None:
                await asyncio.sleep(LOOK_SECONDS)
                await self._tell_settled()
            elif not await self._release_next(self.clock, None):
                break

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let the machine's clock release holds meanwhile; a virtual one is moved by events."""
        if self.clock is not None:
            yield
            return
        async with pulsing(self.executive):
            looking = asyncio.create_task(self._look())
            try:
                yield
            finally:
                looking.cancel()

    def _began(self, event: Event, record: DecisionRecord) -> None:
        """Tell what was begun by nobody's event: a reminder, a check-in, a remark."""
        if record.outcome == "held":
            self._held.setdefault(record.decision_id, []).append(event)
        else:
            self.tell(event, record)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._tell_settled()

    async def _release_next(self, clock: VirtualClock, until: datetime | None) -> bool:
        due = await self.executive.next_due(until)
        if due is None or (until is not None and due > until):
            return False
        clock.move_to(max(due, clock.now()))
        released = await self.executive.release_due()
        await self._tell_settled()
        return released > 0

    async def _tell_settled(self) -> None:
        async with self._telling:
            for decision_id in list(self._held):
                record = await self.executive.decide(decision_id)
                if record.outcome != "held":
                    for event in self._held.pop(decision_id):
                        self.tell(event, record)
