"""What the Executive hears people decide is kept in the journal, and told as it was heard."""

from datetime import UTC, datetime
from pathlib import Path

from state.note import NotedDecision
from tests.stages import NOW, event_of
from tools.journal.detector import Detector
from tools.journal.journal import Journal
from tools.journal.notes import SqlNotes
from tools.journal.remembered import JournalNotes
from tools.journal.search import JournalSearch
from tools.journal.store import JournalStore
from tools.storage.database import Database


class At:
    """A clock that stands."""

    def now(self) -> datetime:
        return datetime(2026, 11, 22, tzinfo=UTC)


async def test_it_names_the_decision_it_was_heard_in_and_no_file(data_dir: Path) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    store = JournalStore(database)
    notes = JournalNotes(
        Journal(JournalSearch(store, 0.5), Detector(0.5), At()), SqlNotes(database)
    )
    note = NotedDecision(
        note_id="note-d1",
        decision_id="d1",
        decision="dredge the channel",
        rationale="it silts up",
        confidence=0.9,
        decided_at=NOW,
    )
    await notes.put(note, event_of("We decided to dredge the channel because it silts up"))
    kept = await store.get("note-d1", "default")
    assert (kept.heard_in, kept.source) == ("d1", None)
    assert await notes.about("why dredge the channel?", "default") == [note]
    await database.close()
