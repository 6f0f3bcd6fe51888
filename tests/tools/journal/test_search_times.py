"""A search is narrowed by what another decision tells, and looks at no more rows than it must."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.journal import Decision
from state.reader import whole
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

NOW = datetime(2026, 8, 12, tzinfo=UTC)


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield opened
    await opened.close()


async def test_a_time_may_be_told_by_another_decision(database: Database) -> None:
    search = JournalSearch(JournalStore(database), 0.4)
    days = {"use Redis": 1, "the great migration": 5, "use Redis cluster": 9}
    made = [
        Decision(
            id=title,
            session_id="s",
            title=title,
            decision=title,
            confidence=1.0,
            timestamp=datetime(2026, 3, day, tzinfo=UTC),
        )
        for title, day in days.items()
    ]
    await search.store.put(made)

    async def found(question: str) -> set[str]:
        hits = await search.search(question, whole("default"), now=NOW)
        return {one.decision.title for one in hits}

    assert await found("why Redis before the migration?") == {"use Redis"}
    assert await found("why Redis after our migration?") == {"use Redis cluster"}
    assert await found("why Redis before the flood?") == set()  # nobody knows when that was
    assert await search.search("why Redis before the migration?", whole("other"), now=NOW) == []
