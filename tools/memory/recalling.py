"""Recall what was said: the newest, or what is about a question, by words and by meaning."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Row,
    and_,
    column,
    literal_column,
    select,
    table,
)

from state.errors import EncoderUnavailable
from state.reader import Reader
from state.remembered import Remembered, SaidBy
from tools.embedding.embedder import Embedder
from tools.storage.database import Database
from tools.storage.paging import Paging
from tools.storage.readable import readable_in
from tools.storage.tables.memory import memory_entry as entry

MEANT_AMONG = 100
"""The newest of so many are compared by meaning; older ones are found by their words."""
MOST_KNOWN = 5_000
"""Vectors that are kept, 1.5 kB each."""
_text = table("memory_text", column("rowid"))
_RANK = literal_column("bm25(memory_text, 2.0, 1.0)", Float)


@dataclass(frozen=True)
class Where:
    """Whose words, and in which session; None: in any of the tenant."""

    tenant_id: str
    session_id: str | None = None
    said_by: SaidBy | None = None
    user: str | None = None
    not_decision: str = ""
    reader: Reader | None = None
    """Who asks, where it may be of any session; None: it is one that they may read."""

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        """Put it into conditions of a query."""
        wanted = [entry.c.tenant_id == self.tenant_id, entry.c.decision_id != self.not_decision]
        if self.reader is not None:
            wanted.append(readable_in(entry, self.reader))
        for known, given in (
            (entry.c.session_id, self.session_id),
            (entry.c.said_by, self.said_by),
            (entry.c.user, self.user),
        ):
            if given is not None:
                wanted.append(known == given)
        return tuple(wanted)


@dataclass(frozen=True)
class Recalling:
    """Reads the memory; without an encoder by words alone."""

    database: Database
    embedder: Embedder | None
    floor: float
    """Cosine from which an utterance is about a question though none of its words fit."""
    known: dict[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    """Vectors of what was compared before."""

    async def recent(self, where: Where, *, limit: int = 10) -> tuple[Remembered, ...]:
        """List the newest first."""
        query = select(entry).where(*where.conditions()).order_by(*_NEWEST).limit(limit)
        return await self._read(query)

    async def page(
        self, where: Where, *, limit: int, after: int | None = None
    ) -> tuple[tuple[Remembered, ...], int | None]:
        """List a page, the newest first, and what the next one begins after; None: it is the last.

        Raises:
            BadInput: none that is listed has the number `after`.
        """
        paging = Paging(and_(*where.conditions()), (entry.c.at, entry.c.entry_id), descending=True)

        def work(connection: Connection) -> tuple[tuple[Remembered, ...], int | None]:
            page = paging.page(connection, select(entry), limit=limit, after=after)
            rows = connection.execute(page).all()
            following = int(rows[-1].entry_id) if len(rows) == limit else None
            return tuple(map(_remembered, rows)), following

        return await self.database.read(work)

    async def about(
        self, question: str, where: Where, *, match: str, limit: int = 5
    ) -> tuple[Remembered, ...]:
        """List what is about a question, the nearest first.

        Args:
            match: its words, as the full-text index wants them; empty: none of its own.
        """
        found: dict[tuple[str, str], Remembered] = {}
        if match:
            for one in await self._read(_worded(match, where, limit)):
                found[one.decision_id, one.said_by] = one
        if len(found) < limit and self.embedder is not None:
            for one in await self._meant(question, where):
                found.setdefault((one.decision_id, one.said_by), one)
        return tuple(found.values())[:limit]

    async def _meant(self, question: str, where: Where) -> tuple[Remembered, ...]:
        if self.embedder is None:
            return ()
        newest = await self.recent(where, limit=MEANT_AMONG)
        try:
            near = await asyncio.to_thread(self._nearness, question, [one.text for one in newest])
        except EncoderUnavailable:
            return ()
        ranked = sorted(zip(near, newest, strict=True), key=lambda pair: -pair[0])
        return tuple(one for cosine, one in ranked if cosine >= self.floor)

    def _nearness(self, question: str, texts: Sequence[str]) -> list[float]:
        """Compare a question with texts; each of them is embedded once, while it is among them."""
        if not texts or self.embedder is None:
            return []
        before = dict(self.known)  # another thread, or somebody's wish to be forgotten, clears it
        fresh = [one for one in dict.fromkeys(texts) if one not in before]
        vectors = self.embedder.embed([question, *fresh])
        new = dict(zip(fresh, vectors[1:], strict=True))
        known = before | new
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        self.known.update(new)
        return [float(known[one] @ vectors[0]) for one in texts]

    async def _read(self, query: Any) -> tuple[Remembered, ...]:  # a Select of any columns
        return await self.database.read(
            lambda connection: tuple(map(_remembered, connection.execute(query)))
        )


_NEWEST = (entry.c.at.desc(), entry.c.entry_id.desc())


def _worded(match: str, where: Where, limit: int) -> Any:  # a Select of any columns
    return (
        select(entry)
        .select_from(_text.join(entry, entry.c.entry_id == _text.c.rowid))
        .where(literal_column("memory_text").op("MATCH")(match), *where.conditions())
        .order_by(_RANK, *_NEWEST)
        .limit(limit)
    )


def _remembered(row: Row[Any]) -> Remembered:
    return Remembered(
        decision_id=row.decision_id,
        session_id=row.session_id,
        said_by=row.said_by,
        user=row.user,
        at=datetime.fromtimestamp(row.at, UTC),
        text=row.text,
        about=row.about,
        action=row.body,
        reaction=row.reaction,
    )
