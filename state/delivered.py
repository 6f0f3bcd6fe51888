"""What the store knew of an event when it was delivered."""

from dataclasses import dataclass

from state.arrival import Standing
from state.event import Event
from state.initiative import Initiative
from state.record import DecisionRecord
from state.session import Session


@dataclass(frozen=True)
class Delivered:
    """Whose decision it is, where that stands, and the session's snapshot."""

    decision_id: str
    standing: Standing
    event: Event
    record: DecisionRecord | None
    session: Session
    released_by: str | None
    held_at: float | None = None
    initiative: Initiative | None = None
