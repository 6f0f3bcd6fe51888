"""People just decided something: remember what, and why."""

from dataclasses import dataclass

from state.channels import State
from state.note import NotedDecision
from state.stages import Composed
from tools.ports import DecisionNotes


@dataclass(frozen=True)
class NoteDecisions:
    """Keep what policy recognised as a decision that people took; one note a message."""

    notes: DecisionNotes

    async def __call__(self, state: Composed) -> State:
        event = state.event
        detected = state.policy.detected
        if detected is None:
            return {"noted": None}
        received = state.arrival.received_at
        note = NotedDecision(
            note_id=f"note-{state.arrival.decision_id}",
            decision_id=state.arrival.decision_id,
            decision=detected.decision,
            rationale=detected.rationale,
            decision_maker=event.user,
            confidence=detected.confidence,
            # Nobody decides later than they are heard, whatever the sender's clock says.
            decided_at=min(event.occurred_at or received, received),
        )
        await self.notes.put(note, event)
        return {"noted": note}
