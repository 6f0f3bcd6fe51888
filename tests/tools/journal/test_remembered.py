"""What the Executive hears people decide is kept in the journal, and told as it was heard."""

from pathlib import Path

from state.note import NotedDecision
from state.reader import whole
from tests.noting import notes_of
from tests.stages import NOW, event_of
from tools.journal.decision_recall import decision_line
from tools.storage.database import Database


async def test_it_names_the_decision_it_was_heard_in_and_no_file(data_dir: Path) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    notes = notes_of(database)
    note = NotedDecision(
        note_id="note-d1",
        decision_id="d1",
        decision="dredge the channel",
        rationale="it silts up",
        confidence=0.9,
        decided_at=NOW,
    )
    await notes.put(note, event_of("We decided to dredge the channel because it silts up"))
    kept = await notes.journal.store.get("note-d1", whole("default"))
    assert (kept.heard_in, kept.source) == ("d1", None)
    assert await notes.about(event_of("why dredge the channel?")) == [note]
    forged = kept.model_copy(update={"decision_maker": "ann", "origin": "action"})
    back = await notes.journal.take([], [], "default", decisions=[forged], by="eve")
    assert back.stored.same == 1
    assert await notes.journal.store.get("note-d1", whole("default")) == kept
    other = forged.model_copy(update={"id": "act-1", "decision": "sink it", "title": "sink it"})
    await notes.journal.take([], [], "default", decisions=[other], by="eve")
    (told_of,) = await notes.about(event_of("why sink it?"))
    assert "allowed by ann, imported by eve" in decision_line(told_of)
    assert told_of.decision_id == "act-1"  # nothing that was heard here stands behind it
    await database.close()
