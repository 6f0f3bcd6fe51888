"""Keep the index in step with the tables: apply the outbox, compare, rebuild what differs."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import groupby

import numpy as np
import structlog
from pydantic import Field

from state.errors import IndexUnavailable
from state.noun import Noun
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.vector_index.chroma import ChromaIndex
from tools.adapters.vector_index.vector_table import (
    VectorOwner,
    VectorTable,
    acknowledge,
    count_behind,
    is_behind,
    item_of_vector,
    pending_changes,
    vector_id,
)
from tools.storage import Database

_NEAREST, _ROUNDING = 20, 1e-4
SAMPLE = 40
"""Rows of an owner that are looked up by their own vector: a file cut short raises no error."""
_Ids = list[tuple[set[str], set[str]]]
"""Of each collection of an owner: the ids of the tables, and those of the index."""


class IndexState(Noun):
    """How the index stands to the tables."""

    vectors: int = Field(default=0, description="in the tables")
    missing: int = Field(default=0, description="of those, not in the index")
    surplus: int = Field(default=0, description="in the index, of no row")
    behind: int = Field(default=0, description="rows whose changes it has not been told yet")
    sampled: int = Field(default=0, description="rows looked up by their own vector")
    unfound: int = Field(default=0, description="of those, not found: its files are damaged")
    problem: str = Field(default="", description="why it cannot be asked; empty: it can")

    def plus(self, other: "IndexState") -> "IndexState":
        """Add up two parts of an index."""
        both = zip(self.model_dump().items(), other.model_dump().values(), strict=True)
        return IndexState(**{name: mine + its for (name, mine), its in both})

    @property
    def is_damaged(self) -> bool:
        """Tell whether it lists what it cannot find; it is approximate, so a few mean nothing."""
        return self.unfound * 10 > self.sampled

    @property
    def is_whole(self) -> bool:
        """Tell whether it has what the tables have, and nothing else."""
        differs = self.missing or self.surplus or self.behind
        return not (differs or self.is_damaged or self.problem)


@dataclass(frozen=True)
class IndexComparison:
    """Holds an open index against the tables; every method may raise IndexUnavailable."""

    database: Database
    index: ChromaIndex
    tables: Sequence[VectorTable]

    async def state(self) -> IndexState:
        """Count what is not as the tables have it."""
        state = IndexState(behind=await self.database.read(count_behind))
        for table in self.tables:
            for owner in await self.database.read(table.owners):
                there = await self.found(table, owner)
                state = state.plus(await self._sampled(table, owner, there))
                for mine, its in there:
                    counted = IndexState(
                        vectors=len(mine), missing=len(mine - its), surplus=len(its - mine)
                    )
                    state = state.plus(counted)
        for name in await self.strangers():
            ids = await asyncio.to_thread(self.index.ids, name)
            state = state.plus(IndexState(surplus=len(ids)))
        return state

    async def is_damaged(self, table: VectorTable, owner: VectorOwner, there: _Ids) -> bool:
        """Tell whether it lists of an owner what it cannot find."""
        return (await self._sampled(table, owner, there)).is_damaged

    async def _sampled(self, table: VectorTable, owner: VectorOwner, there: _Ids) -> IndexState:
        """Look some rows up by their own vectors; one as near as itself will do."""
        both = sorted({item_of_vector(one) for mine, its in there for one in mine & its})
        some = both[:: max(1, len(both) // SAMPLE)][:SAMPLE]
        rows = {
            item: np.frombuffer(vector, np.float32)
            for item, _part, vector in await self.database.read(
                lambda one: table.read(one, owner, some)
            )
        }
        unfound = 0
        for vector in rows.values():
            name = table.collection(owner, len(vector))
            ids = await asyncio.to_thread(self.index.nearest, name, vector, _NEAREST)
            found = await self.database.read(
                partial(
                    table.cosines, owner=owner, question=vector, items=set(map(item_of_vector, ids))
                )
            )
            unfound += max(found.values(), default=-1.0) < float(vector @ vector) - _ROUNDING
        return IndexState(sampled=len(rows), unfound=unfound)

    async def found(self, table: VectorTable, owner: VectorOwner) -> _Ids:
        """Give the ids of the tables, and those of the index, of each collection of an owner."""
        mine = await self.database.read(lambda one: table.ids(one, owner))
        prefix = table.prefix(owner)
        names = [one for one in await asyncio.to_thread(self.index.names) if one.startswith(prefix)]
        return [
            (mine.get(name, set()), set(await asyncio.to_thread(self.index.ids, name)))
            for name in sorted({*mine, *names})
        ]

    async def strangers(self) -> list[str]:
        """List the collections that nobody has vectors for any more."""
        names = await asyncio.to_thread(self.index.names)
        known = [
            table.prefix(owner)
            for table in self.tables
            for owner in await self.database.read(table.owners)
        ]
        return [one for one in names if not one.startswith(tuple(known))]


log = structlog.get_logger()

CALM_SECONDS = 5.0
"""After the start, before its process is started too: the first events have the processors."""
REST_SECONDS, LONGEST_REST_SECONDS = 5.0, 3_600.0
"""After a failure, each time four times as long: it is built anew then, and a large one costs
minutes of a processor."""


@dataclass
class Indexer:
    """The index of a data folder, and the tables that it is made of."""

    database: Database
    index: ChromaIndex
    tables: Sequence[VectorTable]
    seconds: Callable[[], float] = time.monotonic
    calm_seconds: float = CALM_SECONDS
    problem: str = ""
    """Why it cannot be asked; empty: it can, or nobody has tried."""
    _is_checked: bool = field(default=False, init=False)
    _is_wanted: bool = field(default=False, init=False)
    _not_before: float = field(default=0.0, init=False)
    _failures: int = field(default=0, init=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def __post_init__(self) -> None:
        self._not_before = self.seconds() + self.calm_seconds

    def nearest(
        self, table: VectorTable, owner: VectorOwner, question: Vectors, most: int
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
        return list(dict.fromkeys(map(item_of_vector, found)))

    def ask(
        self, table: VectorTable, owner: VectorOwner, question: Vectors, most: int
    ) -> "Future[list[int] | None]":
        """Ask for `nearest` and return at once; the index answers one question after the other."""
        return self._asking.submit(self.nearest, table, owner, question, most)

    @cached_property
    def _asking(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "vector-index")

    @cached_property
    def _comparing(self) -> IndexComparison:
        return IndexComparison(self.database, self.index, self.tables)

    async def feed(self) -> int:
        """Tell the index what changed, and tell how many changes; it starts when it is needed."""
        if not await self._is_due():
            return 0
        async with self._turn:
            try:
                done = await self._make_ready() + await self._drain()
            except IndexUnavailable as error:
                self._fail(error)
                return 0
            self._failures = 0
            return done

    async def rebuild(self) -> IndexState:
        """Make it anew from the tables alone, and check it."""
        async with self._turn:
            self._is_checked, self.problem = False, ""
            await asyncio.to_thread(self.index.discard)
            if not await self._has_vectors():
                return IndexState()
            try:
                await self._make_ready()
                await self._drain()
                return await self._comparing.state()
            except IndexUnavailable as error:
                self._fail(error)
                return IndexState(problem=str(error))

    async def compare(self) -> IndexState:
        """Hold its ids against the tables; what is not as it should be is not mended."""
        async with self._turn:
            try:
                await asyncio.to_thread(self.index.open)
                return await self._comparing.state()
            except IndexUnavailable as error:
                return IndexState(problem=str(error))

    async def close(self) -> None:
        """Let it go; what it was not told is told after the next start."""
        if (asking := self.__dict__.pop("_asking", None)) is not None:
            asking.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.index.close)

    async def _is_due(self) -> bool:
        now = self.seconds()
        if now < self._not_before and (self.problem or not self._is_wanted):
            return False
        return self._is_wanted or await self.database.read(is_behind)

    async def _make_ready(self) -> int:
        """Open it, tell it what is waiting, and note whatever else it has not as the tables."""
        if self._is_checked and self.index.is_open:
            return 0
        if self.problem:
            await asyncio.to_thread(self.index.discard)
        await asyncio.to_thread(self.index.open)
        done = await self._drain()
        for table in self.tables:
            for owner in await self.database.read(table.owners):
                there = await self._comparing.found(table, owner)
                differs = {item_of_vector(one) for mine, its in there for one in mine ^ its}
                await self.database.write(partial(table.note, owner=owner, items=differs))
                if await self._comparing.is_damaged(table, owner, there):
                    raise IndexUnavailable("its files are damaged; it is made anew")
        for name in await self._comparing.strangers():
            await asyncio.to_thread(self.index.drop, name)
        self._is_checked, self._is_wanted, self.problem = True, False, ""
        return done

    async def _drain(self) -> int:
        done = 0
        while changes := await self.database.read(pending_changes):
            for (kind, owner), some in groupby(changes, lambda one: (one.kind, one.owner)):
                table = next(one for one in self.tables if one.kind == kind)
                await self._apply(table, owner, [one.item for one in some])
            await self.database.write(acknowledge(changes))
            done += len(changes)
        return done

    async def _apply(self, table: VectorTable, owner: VectorOwner, items: list[int]) -> None:
        """Take rows out and put them in as they are: Chroma takes ten times as long to move one."""
        rows = await self.database.read(lambda one: table.read(one, owner, items))
        every = [vector_id(item, part) for item in items for part in range(table.parts)]
        await asyncio.to_thread(self.index.remove, table.prefix(owner), every)
        rows.sort(key=lambda row: len(row[2]))
        for size, alike in groupby(rows, lambda row: len(row[2])):
            same = list(alike)
            flat = np.frombuffer(b"".join(row[2] for row in same), np.float32)
            name = table.collection(owner, size // flat.itemsize)
            ids = [vector_id(item, part) for item, part, _vector in same]
            await asyncio.to_thread(self.index.put, name, ids, flat.reshape(len(same), -1))

    async def _has_vectors(self) -> bool:
        behind = await self.database.read(is_behind)
        return behind or any([await self.database.read(one.owners) for one in self.tables])

    def _fail(self, error: IndexUnavailable) -> None:
        log.warning("vector_index_failed", reason=str(error))
        self.problem, self._is_checked = str(error), False
        rest = min(REST_SECONDS * 4**self._failures, LONGEST_REST_SECONDS)
        self._is_wanted, self._not_before = True, self.seconds() + rest
        self._failures += 1
