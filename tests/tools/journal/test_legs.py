"""Looking up by words ranks little, and rows that are named are found by their number."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from state.journal import Decision, DecisionFilters
from state.reader import whole
from tools.journal.search import retrieval as legs
from tools.journal.search import retrieval as rarest
from tools.journal.store.store import JournalStore
from tools.storage.database import Database
from tools.storage.tables.journal import journal_entry

NOW = datetime(2026, 8, 12, tzinfo=UTC)


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield opened
    await opened.close()


async def test_the_commonest_words_of_a_question_are_left_out_of_the_ranking(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = JournalStore(database)
    await store.put([_made(f"d{n}", f"pier number {n} gets planks") for n in range(20)])
    monkeypatch.setattr(rarest, "MOST_RANKED", 5)
    kept = await database.read(
        lambda one: rarest.rarest_terms(one, ("pier", "planks", "number", "7", "3"))
    )
    assert kept == ("7", "3")


async def test_few_rows_of_many_are_not_looked_for_along_the_tenants_index(
    database: Database,
) -> None:
    def plan(connection: Connection) -> str:
        where = legs.scope_condition(whole("default"), DecisionFilters(since=NOW))
        query = select(journal_entry.c.entry_id).where(journal_entry.c.entry_id.in_([1, 2]), where)
        written = query.compile(
            connection.engine, compile_kwargs={"literal_binds": True, "render_postcompile": True}
        )
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {written}").all()
        return " ".join(str(row[-1]) for row in rows)

    assert "INTEGER PRIMARY KEY" in await database.read(plan)


def _made(name: str, decision: str) -> Decision:
    return Decision(id=name, session_id="s", title=decision, decision=decision, confidence=1.0)
