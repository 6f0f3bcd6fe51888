"""The receipt of an event."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from state.errors import Conflict, NotFound
from state.event import Event
from state.record import DecisionRecord
from tools.callers.readers import Readers
from tools.ports import Decisions


async def refuse_taken(decisions: Decisions, readers: Readers, events: Sequence[Event]) -> None:
    """Refuse an event whose id is taken in a session that its own may not be told of.

    The answer to a duplicate is the first one's: whoever guesses an id would read it.

    Raises:
        Conflict: one is.
    """
    for event in events if readers.rules else ():
        with suppress(NotFound):
            first, _thread, _standing = await decisions.find(event.decision_id)
            if not readers.may_tell(event.tenant_id, first.session_id, event.session_id):
                told = f"event_id {event.event_id!r} of source {event.source!r} is taken"
                raise Conflict(f"{told}; give it another", "taken")


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
