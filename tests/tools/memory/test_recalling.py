"""Recalling by meaning: all that was said, a little later too, and nothing that was forgotten."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.tools.journal.topics import Topics
from tools.memory.recall import FRESH, RecallScope, UtteranceRecall, UtteranceVectors
from tools.storage.database import Database
from tools.storage.retention import forget_person
from tools.storage.tables.memory import memory_entry

_AT = datetime(2026, 8, 12, tzinfo=UTC).timestamp()


def said(number: int, text: str, *, user: str = "ann", session_id: str = "s") -> dict[str, Any]:
    return {
        "decision_id": f"d{number}", "tenant_id": "default", "session_id": session_id,
        "said_by": "person", "user": user, "at": _AT + number, "text": text, "about": "",
        "body": {},
    }  # fmt: skip


async def test_what_was_said_long_ago_is_recalled_by_its_meaning_until_it_is_forgotten(
    data_dir: Path,
) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    encoder = Topics()
    recalling, vectors = (
        UtteranceRecall(database, encoder, floor=0.4),
        UtteranceVectors(database, encoder),
    )
    old = [said(0, "Take the ferry"), said(1, "Hire a boat", user="bo", session_id="other")]
    rest = [said(2 + number, "Nothing of note") for number in range(FRESH)]
    newest = [said(900, "The last ferry left"), said(901, "A boat came", user="cat")]
    await database.write(
        lambda connection: connection.execute(memory_entry.insert(), [*old, *rest, *newest])
    )

    async def recalled(where: RecallScope) -> set[str]:
        return {one.text for one in await recalling.about("a boat", where, match="", limit=50)}

    everywhere = RecallScope("default")
    fresh = {one["text"] for one in newest}
    assert await recalled(everywhere) == fresh
    encoder.broken = True
    assert (await vectors.catch_up(), await recalled(everywhere)) == (0, set())
    encoder.broken = False
    assert await vectors.catch_up() == len([*old, *rest, *newest])
    assert await vectors.catch_up() == 0
    assert await recalled(everywhere) == {*fresh, "Take the ferry", "Hire a boat"}
    assert await recalled(RecallScope("default", session_id="other")) == {"Hire a boat"}
    assert await recalled(RecallScope("another")) == set()
    await database.write(lambda connection: forget_person(connection, "default", "bo"))
    assert await recalled(everywhere) == {*fresh, "Take the ferry"}
    await database.close()
