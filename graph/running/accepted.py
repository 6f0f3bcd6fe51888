"""The receipt of an event."""

from dataclasses import dataclass

from state.event import Event
from state.record import DecisionRecord


@dataclass(frozen=True)
class Accepted:
    """The receipt of an event that is on disk."""

    event: Event
    """As it was sent, with its time."""
    duplicate: bool
    differs: bool = False
    """A duplicate by its id that says something else: its answer is about the first one."""

    @property
    def decision_id(self) -> str:
        """Name the decision."""
        return self.event.decision_id

    def mark(self, record: DecisionRecord) -> DecisionRecord:
        """Tell on the answer that it is about other words than were sent this time."""
        return record.model_copy(update={"duplicate": True}) if self.differs else record
