"""The port of what waits for its moment."""

from typing import Protocol

from state.event import Event
from state.held import Held


class Holds(Protocol):
    """Decisions that wait for their moment. See tools/storage/holds.py."""

    async def beside(
        self, event: Event, *, group: str, released_by: str | None, now: float
    ) -> tuple[Held, ...]:
        """List what is told together with an event."""
        ...
