"""What was put on disk, and whether it had been there before."""

from dataclasses import dataclass

from state.event import Event
from state.record import DecisionRecord


@dataclass(frozen=True)
class Accepted:
    """The receipt of an event that is on disk."""

    event: Event
    """As it is kept: with its time, and an identity of its own where its event_id was used."""
    duplicate: bool
    """The same event was sent before: there is one decision."""

    @property
    def decision_id(self) -> str:
        """Name the decision."""
        return self.event.decision_id

    def mark(self, record: DecisionRecord) -> DecisionRecord:
        """Tell on the answer to a second delivery that it is the first one's decision."""
        return record.model_copy(update={"duplicate": True}) if self.duplicate else record
