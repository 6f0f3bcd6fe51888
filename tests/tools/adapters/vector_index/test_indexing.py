"""The index follows the tables, answers as they do, and what becomes of its files loses nothing."""

import os
import signal
import threading
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, Executable, delete, update
from sqlalchemy.dialects import sqlite

from state.journal import Decision, DecisionFilters, DecisionStatus
from state.reader import Reader, whole
from tests.tools.journal.importing import Hashed
from tools.adapters import VectorOwner, Vectors
from tools.adapters.vector_index.chroma import ChromaIndex
from tools.adapters.vector_index.indexer import Indexer
from tools.journal.search import retrieval as legs
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import OF_DECISIONS, PARTS
from tools.journal.store.retention import empty_archived
from tools.journal.store.store import JournalStore
from tools.memory.recall import OF_UTTERANCES
from tools.storage.database import Database
from tools.storage.tables.journal import journal_entry, journal_vector

NOW = datetime(2026, 8, 12, tzinfo=UTC)
COUNT = 300
MANY = 1_010
"""With so many vectors Chroma writes the graph itself out."""
QUESTIONS = ("paint the pier", "paint the crane", "why the dock?")
FILTERS = (
    DecisionFilters(),
    DecisionFilters(since=NOW - timedelta(days=30)),
    DecisionFilters(until=NOW - timedelta(days=150)),
    DecisionFilters(status=DecisionStatus.REJECTED),
)


def decision(number: int, *, tenant_id: str = "default", text: str = "paint it") -> Decision:
    rejected = DecisionStatus.REJECTED if number % 9 == 0 else DecisionStatus.ACTIVE
    return Decision(
        id=f"d{number}", tenant_id=tenant_id, session_id=f"s{number % 7}", title=f"part {number}",
        decision=f"{text} {number}", timestamp=NOW - timedelta(days=number), status=rejected,
        confidence=1.0,
    )  # fmt: skip


class Bench:
    """A journal with its index, and beside it the same journal without one."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(f"sqlite:///{folder / 'prefrontal.sqlite'}")
        self.index = ChromaIndex(folder / "vectors")
        self.now = 0.0
        tables = (OF_DECISIONS, OF_UTTERANCES)
        self.indexing = Indexer(
            self.database, self.index, tables, seconds=lambda: self.now, calm_seconds=0
        )
        self.store = JournalStore(self.database, Hashed(), indexing=self.indexing)

    async def is_whole(self, rows: int) -> bool:
        await self.indexing.feed()
        state = await self.indexing.compare()
        return (state.vectors, state.is_whole) == (PARTS * rows, True)

    async def found(self, reader: Reader, *, with_index: bool = True) -> list[list[str]]:
        store = self.store if with_index else JournalStore(self.database, Hashed())
        search = JournalSearch(store, floor=-1.0)
        return [
            [
                one.decision.id
                for one in await search.search(question, reader, now=NOW, filters=filters, limit=50)
            ]
            for question in QUESTIONS
            for filters in FILTERS
        ]

    async def close(self) -> None:
        await self.indexing.close()
        await self.database.close()


@pytest.fixture
async def bench(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setattr(legs, "FEW", 0)  # what a small journal is spared
    made = Bench(data_dir)
    await made.store.put([decision(number) for number in range(COUNT)])
    yield made
    await made.close()


async def test_the_index_follows_the_rows_and_finds_what_they_alone_would_find(bench: Bench):
    assert (await bench.indexing.compare()).missing == PARTS * COUNT
    assert await bench.is_whole(COUNT)
    closed = Reader(tenant_id="default", closed=("s1", "s2"))
    for reader in (whole("default"), closed):
        assert await bench.found(reader) == await bench.found(reader, with_index=False)
    assert not bench.indexing._is_wanted  # it was asked, and answered

    await bench.store.put([decision(1, text="scrape it"), decision(1, tenant_id="other")])
    assert [one[:1] for one in await bench.found(whole("other"))] == [
        ["d1"] if filters.until is None and filters.status is None else []
        for _question in QUESTIONS
        for filters in FILTERS
    ]
    everyone = whole("default")
    assert await bench.found(everyone) == await bench.found(everyone, with_index=False)
    assert await bench.is_whole(COUNT + 1)

    old = [decision(9), decision(18)]
    await bench.database.write(lambda connection: empty_archived(connection, old=old))
    entry, vector = journal_entry.c, journal_vector.c
    for change in (
        delete(journal_entry).where(entry.id == "d3"),
        update(journal_vector).where(vector.entry_id == 5).values(encoder="another"),
    ):
        await bench.database.write(partial(_run, change=change))
    assert await bench.found(everyone) == await bench.found(everyone, with_index=False)
    assert await bench.is_whole(COUNT + 1 - len(old) - 1)


async def test_the_index_looks_while_the_words_are_ranked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    await bench.indexing.feed()
    answered = threading.Event()
    nearest, by_words = bench.index.nearest, legs.score_by_words

    def looked(name: str, question: Vectors, most: int) -> list[str]:
        found = nearest(name, question, most)
        answered.set()
        return found

    def ranked(match: str, allowed: legs.SearchScope) -> Mapping[int, float]:
        assert answered.wait(30), "the index is asked after the words"
        return by_words(match, allowed)

    monkeypatch.setattr(bench.index, "nearest", looked)
    monkeypatch.setattr(legs, "score_by_words", ranked)
    search = JournalSearch(bench.store, floor=-1.0)
    assert await search.search("paint the pier", whole("default"), now=NOW)


async def test_a_narrow_time_of_a_large_tenant_is_compared_without_asking(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(legs, "MOST_LOOKED", 8 * legs.MOST_HITS)  # a look hopes for an eighth
    asked = []
    nearest = bench.index.nearest

    def noted(name: str, question: Vectors, most: int) -> list[str]:
        asked.append(most)
        return nearest(name, question, most)

    monkeypatch.setattr(bench.index, "nearest", noted)
    await bench.indexing.feed()
    search = JournalSearch(bench.store, floor=-1.0)
    for days, is_asked in ((30, False), (60, True)):  # of COUNT
        filters = DecisionFilters(since=NOW - timedelta(days=days))
        few = await bench.database.read(partial(_is_few, filters=filters))
        assert few is not is_asked
        asked.clear()
        found = await search.search("pier", whole("default"), now=NOW, filters=filters, limit=50)
        assert (len(found), bool(asked)) == (min(50, days + 1), is_asked)


async def test_some_rows_are_read_by_their_keys_alone(bench: Bench):
    """However many the tenant has: its index is not walked for a few of them."""
    tables = {OF_DECISIONS: "journal_entry", OF_UTTERANCES: "memory_entry"}
    for table, name in tables.items():
        owner = VectorOwner("default", Hashed().name)
        query = str(
            table._of(owner, [1, 2]).compile(
                dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}
            )
        )
        steps = await bench.database.read(partial(_plan, query=query))
        assert f"SEARCH {name} USING INTEGER PRIMARY KEY (rowid=?)" in steps, steps
        assert not any("tenant_id" in step for step in steps), steps


def _is_few(connection: Connection, filters: DecisionFilters) -> bool:
    return legs.SearchScope(connection, whole("default"), filters).is_few


def _plan(connection: Connection, query: str) -> list[str]:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
    return [str(row.detail) for row in rows]


def _run(connection: Connection, change: Executable) -> None:
    connection.execute(change)


def _cut_short(folder: Path) -> None:
    for file in folder.glob("chroma/*/data_level0.bin"):
        os.truncate(file, 1_000)


def _written_over(folder: Path) -> None:
    (folder / "chroma" / "chroma.sqlite3").write_bytes(b"nothing of the kind" * 1_000)


@pytest.mark.parametrize("damage", [_cut_short, _written_over])
async def test_damaged_files_lose_nothing_and_are_made_anew(bench: Bench, damage):
    more = [decision(number) for number in range(COUNT, MANY)]
    await bench.store.put(more)
    await bench.indexing.feed()
    await bench.indexing.close()
    damage(bench.index.folder)
    everyone = whole("default")
    exact = await bench.found(everyone, with_index=False)
    assert await bench.found(everyone) == exact
    await bench.indexing.feed()
    assert await bench.found(everyone) == exact
    bench.now += 10_000
    assert await bench.is_whole(MANY)
    assert bench.indexing.problem == ""


async def test_an_index_that_dies_or_cannot_be_made_is_told_and_the_tables_answer(
    bench: Bench, data_dir: Path
):
    await bench.indexing.feed()
    process = bench.index._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    everyone = whole("default")
    exact = await bench.found(everyone, with_index=False)
    assert await bench.found(everyone) == exact
    assert await bench.is_whole(COUNT)
    await bench.indexing.close()
    bench.index.folder = data_dir / "prefrontal.sqlite" / "no folder"
    assert await bench.found(everyone) == exact
    assert await bench.indexing.feed() == 0
    assert "cannot be started" in bench.indexing.problem
    assert await bench.found(everyone) == exact
