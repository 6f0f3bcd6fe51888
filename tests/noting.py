"""Noted decisions on a database: the journal as the Executive has it, and rows from before it."""

from datetime import datetime

from sqlalchemy import insert

from state.note import NotedDecision
from tests.stages import NOW
from tools.journal.decision_recall import JournalNotes, LegacyNotes
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database
from tools.storage.tables.decisions import noted_decision


class _Standing:
    def now(self) -> datetime:
        return NOW


def notes_of(database: Database) -> JournalNotes:
    """Build the notes on words alone; their clock stands at NOW."""
    search = JournalSearch(JournalStore(database), 0.5)
    return JournalNotes(Journal(search, Detector(0.5), _Standing()), LegacyNotes(database))


async def note_earlier(database: Database, note: NotedDecision, tenant_id: str = "default") -> None:
    """Write a row as releases without a journal did."""
    columns = set(noted_decision.c.keys()) - {"decided_at"}
    row = note.model_dump(include=columns) | {
        "tenant_id": tenant_id,
        "session_id": "s",
        "body": note.model_dump(mode="json"),
        "decided_at": (note.decided_at or NOW).timestamp(),
    }
    await database.write(lambda connection: connection.execute(insert(noted_decision).values(row)))
