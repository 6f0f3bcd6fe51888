"""Keeps the index in step with the tables: what changed is told to it, whatever happened before."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import structlog
from pydantic import Field
from sqlalchemy import Connection, delete, func, select

from state.errors import IndexUnavailable
from state.noun import Noun
from tools.embedding.embedder import Vectors
from tools.storage.database import Database
from tools.storage.tables.vectors import vector_outbox
from tools.vector_index.chroma import ChromaIndex
from tools.vector_index.vector_table import Owner, VectorTable, id_of, item_of

log = structlog.get_logger()

AT_ONCE = 100
"""Rows the index is told of in one go; a search waits for them, some 50 ms."""
CALM_SECONDS = 5.0
"""After the start, before its process is started too: the first events have the processors."""
REST_SECONDS, LONGEST_REST_SECONDS = 5.0, 3_600.0
"""After a failure, each time four times as long: it is built anew then, and a large one costs
minutes of a processor."""


class IndexState(Noun):
    """How the index stands to the tables."""

    vectors: int = Field(default=0, description="in the tables")
    missing: int = Field(default=0, description="of those, not in the index")
    surplus: int = Field(default=0, description="in the index, of no row")
    behind: int = Field(default=0, description="changes that it has not been told yet")

    @property
    def is_whole(self) -> bool:
        """Tell whether it has what the tables have, and nothing else."""
        return not (self.missing or self.surplus or self.behind)


@dataclass(frozen=True)
class _Change:
    seq: int
    kind: str
    owner: Owner
    item: int


@dataclass
class Indexing:
    """The index of a data folder, and the tables that it is made of."""

    database: Database
    index: ChromaIndex
    tables: Sequence[VectorTable]
    seconds: Callable[[], float] = time.monotonic
    problem: str = ""
    """Why it cannot be asked; empty: it can, or nobody has tried."""
    _is_checked: bool = field(default=False, init=False)
    _is_wanted: bool = field(default=False, init=False)
    _not_before: float = field(default=0.0, init=False)
    _failures: int = field(default=0, init=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def __post_init__(self) -> None:
        self._not_before = self.seconds() + CALM_SECONDS

    def nearest(
        self, table: VectorTable, owner: Owner, question: Vectors, most: int
    ) -> list[int] | None:
        """List rows near to a question, the nearest first; it blocks.

        None: it is not ready, or failed. The next `feed` sees to that.
        """
        if self.problem or not (self._is_checked and self.index.is_open):
            self._is_wanted = True
            return None
        name = table.collection(owner, len(question))
        try:
            found = self.index.nearest(name, question, most * table.parts)
        except IndexUnavailable as error:
            self._fail(error)
            return None
        return list(dict.fromkeys(map(item_of, found)))

    async def feed(self) -> int:
        """Tell the index what changed, and tell how many changes; it starts when it is needed."""
        if not await self._is_due():
            return 0
        async with self._turn:
            try:
                await self._make_ready()
                done = await self._drain()
            except IndexUnavailable as error:
                self._fail(error)
                return 0
            self._failures = 0
            return done

    async def rebuild(self) -> IndexState:
        """Make it anew from the tables alone, and check it.

        Raises:
            IndexUnavailable: it cannot be made.
        """
        async with self._turn:
            self._is_checked, self.problem = False, ""
            await asyncio.to_thread(self.index.discard)
            await self._make_ready()
            await self._drain()
            return await self._compared()

    async def compare(self) -> IndexState:
        """Hold its ids against the tables; what is not as it should be is not mended.

        Raises:
            IndexUnavailable: it cannot be asked.
        """
        async with self._turn:
            await asyncio.to_thread(self.index.open)
            return await self._compared()

    async def close(self) -> None:
        """Let it go; what it was not told is told after the next start."""
        await asyncio.to_thread(self.index.close)

    async def _is_due(self) -> bool:
        now = self.seconds()
        if now < self._not_before and (self.problem or not self._is_wanted):
            return False
        return self._is_wanted or bool(await self.database.read(_waiting_first))

    async def _make_ready(self) -> None:
        """Open it, and note what it has not as the tables have it: a file may be another's."""
        if self._is_checked and self.index.is_open:
            return
        if self.problem:
            await asyncio.to_thread(self.index.discard)
        await asyncio.to_thread(self.index.open)
        for table in self.tables:
            for owner in await self.database.read(table.owners):
                there = await self._found(table, owner)
                differs = {item_of(one) for mine, its in there for one in mine ^ its}
                if differs:
                    await self.database.write(_noting(table, owner, differs))
        for name in await self._strangers():
            await asyncio.to_thread(self.index.drop, name)
        self._is_checked, self._is_wanted, self.problem = True, False, ""

    async def _drain(self) -> int:
        done = 0
        while changes := await self.database.read(_waiting):
            for (kind, owner), some in groupby(changes, lambda one: (one.kind, one.owner)):
                table = next(one for one in self.tables if one.kind == kind)
                await self._apply(table, owner, sorted({one.item for one in some}))
            await self.database.write(_telling([one.seq for one in changes]))
            done += len(changes)
        return done

    async def _apply(self, table: VectorTable, owner: Owner, items: list[int]) -> None:
        rows = await self.database.read(lambda one: table.read(one, owner, items))
        there = {id_of(item, part) for item, part, _vector in rows}
        every = {id_of(item, part) for item in items for part in range(table.parts)}
        rows.sort(key=lambda row: len(row[2]))
        sizes = {len(row[2]) for row in rows}
        if gone := sorted(every if len(sizes) > 1 else every - there):
            await asyncio.to_thread(self.index.remove, table.prefix(owner), gone)
        for size, alike in groupby(rows, lambda row: len(row[2])):
            same = list(alike)
            flat = np.frombuffer(b"".join(row[2] for row in same), np.float32)
            name = table.collection(owner, size // flat.itemsize)
            ids = [id_of(item, part) for item, part, _vector in same]
            await asyncio.to_thread(self.index.put, name, ids, flat.reshape(len(same), -1))

    async def _compared(self) -> IndexState:
        vectors = missing = surplus = 0
        for table in self.tables:
            for owner in await self.database.read(table.owners):
                for mine, its in await self._found(table, owner):
                    vectors, missing = vectors + len(mine), missing + len(mine - its)
                    surplus += len(its - mine)
        for name in await self._strangers():
            surplus += len(await asyncio.to_thread(self.index.ids, name))
        behind = await self.database.read(count_behind)
        return IndexState(vectors=vectors, missing=missing, surplus=surplus, behind=behind)

    async def _found(
        self, table: VectorTable, owner: Owner
    ) -> list[tuple[set[str], set[str]]]:
        """Give the ids of the tables, and those of the index, of each collection of an owner."""
        mine = await self.database.read(lambda one: table.ids(one, owner))
        prefix = table.prefix(owner)
        names = [one for one in await asyncio.to_thread(self.index.names) if one.startswith(prefix)]
        return [
            (mine.get(name, set()), set(await asyncio.to_thread(self.index.ids, name)))
            for name in sorted({*mine, *names})
        ]

    async def _strangers(self) -> list[str]:
        """List the collections that nobody has vectors for any more."""
        names = await asyncio.to_thread(self.index.names)
        known = [
            table.prefix(owner)
            for table in self.tables
            for owner in await self.database.read(table.owners)
        ]
        return [one for one in names if not one.startswith(tuple(known))]

    def _fail(self, error: IndexUnavailable) -> None:
        log.warning("vector_index_failed", reason=str(error))
        self.problem, self._is_checked = str(error), False
        rest = min(REST_SECONDS * 4**self._failures, LONGEST_REST_SECONDS)
        self._is_wanted, self._not_before = True, self.seconds() + rest
        self._failures += 1


def count_behind(connection: Connection) -> int:
    """Count the changes that the index has not been told."""
    return connection.scalar(select(func.count()).select_from(vector_outbox)) or 0


def _waiting_first(connection: Connection) -> list[_Change]:
    return _waiting(connection, most=1)


def _waiting(connection: Connection, *, most: int = AT_ONCE) -> list[_Change]:
    query = select(vector_outbox).order_by(vector_outbox.c.seq).limit(most)
    return [
        _Change(row.seq, row.kind, Owner(row.tenant_id, row.encoder), row.item)
        for row in connection.execute(query)
    ]


def _noting(
    table: VectorTable, owner: Owner, items: Collection[int]
) -> Callable[[Connection], None]:
    return lambda connection: table.note(connection, owner, items)


def _telling(told: Sequence[int]) -> Callable[[Connection], None]:
    done = delete(vector_outbox).where(vector_outbox.c.seq.in_(told))

    def work(connection: Connection) -> None:
        connection.execute(done)

    return work
