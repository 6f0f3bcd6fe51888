"""Did people just decide something? Then remember what, and why."""

from dataclasses import dataclass

from state.channels import State
from state.note import NotedDecision
from state.stages import Composed
from state.tuning import JournalTuning
from tools.journal.detect import detect_decision
from tools.ports import Notes


@dataclass(frozen=True)
class NoteDecisions:
    """Detect a decision in a message, extract it, keep it; one note a message."""

    notes: Notes
    tuning: JournalTuning

    async def __call__(self, state: Composed) -> State:
        event = state.event
        detected = detect_decision(event.text) if event.kind == "message" else None
        if detected is None or detected.confidence < self.tuning.detection_threshold:
            return {"noted": None}
        note = NotedDecision(
            note_id=f"note-{state.arrival.decision_id}",
            decision_id=state.arrival.decision_id,
            decision=detected.decision,
            rationale=detected.rationale,
            decision_maker=event.user,
            confidence=detected.confidence,
            decided_at=event.occurred_at or state.arrival.received_at,
        )
        await self.notes.put(note, event)
        return {"noted": note}
