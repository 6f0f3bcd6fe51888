"""Whether the index has what the tables have, and finds it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from pydantic import Field

from state.noun import Noun
from tools.storage.database import Database
from tools.vector_index.chroma import ChromaIndex
from tools.vector_index.outbox import count_behind
from tools.vector_index.vector_table import Owner, VectorTable, item_of

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
class Comparing:
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

    async def is_damaged(self, table: VectorTable, owner: Owner, there: _Ids) -> bool:
        """Tell whether it lists of an owner what it cannot find."""
        return (await self._sampled(table, owner, there)).is_damaged

    async def _sampled(self, table: VectorTable, owner: Owner, there: _Ids) -> IndexState:
        """Look some rows up by their own vectors; one as near as itself will do."""
        both = sorted({item_of(one) for mine, its in there for one in mine & its})
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
                partial(table.cosines, owner=owner, question=vector, items=set(map(item_of, ids)))
            )
            unfound += max(found.values(), default=-1.0) < float(vector @ vector) - _ROUNDING
        return IndexState(sampled=len(rows), unfound=unfound)

    async def found(self, table: VectorTable, owner: Owner) -> _Ids:
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
