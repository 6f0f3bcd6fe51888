"""Recall of utterances: the newest, or those about a question, by words and by vectors.

Vectors are stored beside the words and deleted with them.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Row,
    and_,
    column,
    func,
    literal_column,
    select,
    table,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql import Select

from state.errors import EncoderUnavailable
from state.memory import PackMemory
from state.reader import Reader
from state.record import DecisionRecord
from state.remembered import EntityMemory, Forgotten, Remembered, SaidBy
from tools.adapters import Embedder, Indexer, VectorOwner, Vectors, VectorTable
from tools.adapters.vector_index.nearest_neighbours import NearestSearch
from tools.adapters.vector_index.vector_table import id_list
from tools.journal.search.query import match_of, terms_of
from tools.nlu import matches_topic
from tools.storage import Database, KeysetPage, SqlRecords, readable_in
from tools.storage.retention import forget_person
from tools.storage.sessions import read_session
from tools.storage.tables.memory import memory_entry, memory_vector
from tools.storage.tables.memory import memory_entry as entry

OF_UTTERANCES = VectorTable("memory", memory_entry, memory_vector, "entry_id")
AT_ONCE = 100
_Row = tuple[int, str]


@dataclass
class UtteranceVectors:
    """Embeds what was said a little after it, so that nobody waits for an encoder."""

    database: Database
    encoder: Embedder | None
    _until: int = field(default=0, init=False)
    """Everything up to this entry was looked at."""

    async def catch_up(self) -> int:
        """Embed some of what has no vector yet; tell how many. It waits for a resting encoder."""
        if self.encoder is None:
            return 0
        name = self.encoder.name
        rows = await self.database.read(lambda one: self._lacking(one, name))
        if not rows:
            return 0
        try:
            texts = [text for _entry, text in rows]
            vectors = await asyncio.to_thread(self.encoder.embed, texts)
        except EncoderUnavailable:
            return 0
        await self.database.write(lambda one: _put(one, name, rows, vectors))
        self._until = rows[-1][0]
        return len(rows)

    def _lacking(self, connection: Connection, encoder: str) -> Sequence[_Row]:
        newest = connection.scalar(select(func.max(memory_entry.c.entry_id))) or 0
        self._until = min(self._until, newest)  # numbers are given again once the newest went
        has = memory_vector.c.entry_id == memory_entry.c.entry_id
        query = (
            select(memory_entry.c.entry_id, memory_entry.c.text)
            .where(
                memory_entry.c.entry_id > self._until,
                ~select(memory_vector.c.entry_id)
                .where(has, memory_vector.c.encoder == encoder)
                .exists(),
            )
            .order_by(memory_entry.c.entry_id)
            .limit(AT_ONCE)
        )
        rows = [(row.entry_id, row.text) for row in connection.execute(query)]
        if not rows:
            self._until = newest
        return rows


def _put(connection: Connection, encoder: str, rows: Sequence[_Row], vectors: Vectors) -> None:
    """Keep vectors of what is there still, as it was: somebody may have had it forgotten."""
    texts = select(memory_entry.c.entry_id, memory_entry.c.text).where(
        memory_entry.c.entry_id.in_([entry for entry, _text in rows])
    )
    there = {(row.entry_id, row.text) for row in connection.execute(texts)}
    kept = [
        {"entry_id": row[0], "encoder": encoder, "vector": vector.tobytes()}
        for row, vector in zip(rows, vectors, strict=True)
        if row in there
    ]
    if kept:
        connection.execute(insert(memory_vector).on_conflict_do_nothing(), kept)


MOST_MESSAGES = 300
"""Newest records of a session in which a thing is looked for."""
MOST_MEANT = 100
FRESH = 20
"""Of what has no vector yet, how much is embedded while somebody waits: the newest."""
FEW = 1_000
"""Utterances that are compared one by one: that takes no longer than to ask the index."""
_text = table("memory_text", column("rowid"))
_RANK = literal_column("bm25(memory_text, 2.0, 1.0)", Float)


@dataclass(frozen=True)
class RecallScope:
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
class _Allowed:
    """What may be recalled, as a filter of candidates."""

    connection: Connection
    where: RecallScope
    is_narrowed: bool = True

    @property
    def is_few(self) -> bool:
        """Tell whether few are of the session or tenant; only an index of SQLite is looked at."""
        some: Select[Any] = select(literal_column("1")).where(
            entry.c.tenant_id == self.where.tenant_id
        )
        if self.where.session_id is not None:
            some = some.where(entry.c.session_id == self.where.session_id)
        count = select(func.count()).select_from(some.limit(FEW + 1).subquery())
        return (self.connection.scalar(count) or 0) <= FEW

    @property
    def all(self) -> frozenset[int]:
        """List every entry that may be recalled."""
        query = select(entry.c.entry_id).where(*self.where.conditions())
        return frozenset(self.connection.scalars(query))

    def among(self, rows: Sequence[int]) -> list[int]:
        """Leave of some entries those that may be recalled, in their order."""
        query = select(entry.c.entry_id).where(
            entry.c.entry_id.in_(id_list(rows)), *self.where.conditions()
        )
        left = frozenset(self.connection.scalars(query))
        return [one for one in rows if one in left]


@dataclass(frozen=True)
class UtteranceRecall:
    """Reads the memory; without an encoder by words alone."""

    database: Database
    embedder: Embedder | None
    floor: float
    """Cosine from which an utterance is about a question though none of its words fit."""
    indexing: Indexer | None = None
    """Finds vectors among very many; None: each is compared."""

    async def recent(self, where: RecallScope, *, limit: int = 10) -> tuple[Remembered, ...]:
        """List the newest first."""
        query = select(entry).where(*where.conditions()).order_by(*_NEWEST).limit(limit)
        return await self._read(query)

    async def page(
        self, where: RecallScope, *, limit: int, after: int | None = None
    ) -> tuple[tuple[Remembered, ...], int | None]:
        """List a page, the newest first, and what the next one begins after; None: it is the last.

        Raises:
            BadInput: none that is listed has the number `after`.
        """
        paging = KeysetPage(
            and_(*where.conditions()), (entry.c.at, entry.c.entry_id), descending=True
        )

        def work(connection: Connection) -> tuple[tuple[Remembered, ...], int | None]:
            page = paging.page(connection, select(entry), limit=limit, after=after)
            rows = connection.execute(page).all()
            following = int(rows[-1].entry_id) if len(rows) == limit else None
            return tuple(map(_remembered, rows)), following

        return await self.database.read(work)

    async def about(
        self, question: str, where: RecallScope, *, limit: int = 10, match: str | None = None
    ) -> tuple[Remembered, ...]:
        """List what is about a question, the nearest first: by its words, then by meaning.

        Args:
            match: words in the form of the full-text index instead of the question's own.
        """
        match = match_of(terms_of(question)) if match is None else match
        found: dict[tuple[str, str], Remembered] = {}
        if match:
            for one in await self._read(_worded(match, where, limit)):
                found[one.decision_id, one.said_by] = one
        if len(found) < limit and self.embedder is not None:
            for one in await self._meant(question, where):
                found.setdefault((one.decision_id, one.said_by), one)
        return tuple(found.values())[:limit]

    async def entity(self, name: str, tenant_id: str, session_id: str) -> EntityMemory:
        """Gather what is known of a thing: words, decisions, and what packs remember."""
        said = await self.about(name, RecallScope(tenant_id, session_id))
        newest = await SqlRecords(self.database).newest(
            tenant_id, session_id=session_id, limit=MOST_MESSAGES
        )
        session = await self.database.read(lambda one: read_session(one, tenant_id, session_id))
        return EntityMemory(
            entity=name,
            said=tuple(one for one in said if matches_topic(name, one.text, one.about)),
            happened=tuple(one for one in newest if _concerns(one, name))[:10],
            facts=_facts(session.memory, name),
        )

    async def forget(self, user: str, tenant_id: str) -> Forgotten:
        """Remove what memory holds of a person; records and the ledger stay."""
        return await self.database.write(
            lambda connection: forget_person(connection, tenant_id, user)
        )

    async def _meant(self, question: str, where: RecallScope) -> tuple[Remembered, ...]:
        if self.embedder is None:
            return ()
        try:
            fresh = await self._read(_newest_without(where, self.embedder.name))
            texts = [question, *(one.text for one in fresh)]
            vectors = await asyncio.to_thread(self.embedder.embed, texts)
        except EncoderUnavailable:
            return ()
        cosines = [float(vector @ vectors[0]) for vector in vectors[1:]]
        near = await self.database.read(lambda one: self._near(one, vectors[0], where))
        ranked = sorted([*zip(cosines, fresh, strict=True), *near], key=lambda pair: -pair[0])
        return tuple(one for cosine, one in ranked if cosine >= self.floor)

    def _near(
        self, connection: Connection, question: Vectors, where: RecallScope
    ) -> list[tuple[float, Remembered]]:
        if self.embedder is None:
            return []
        owner = VectorOwner(where.tenant_id, self.embedder.name)
        asked = NearestSearch(connection, OF_UTTERANCES, owner, question, self.indexing)
        near = asked.nearest(_Allowed(connection, where), most=MOST_MEANT).first
        rows = connection.execute(select(entry).where(entry.c.entry_id.in_(near))).all()
        return [(near[row.entry_id], _remembered(row)) for row in rows]

    async def _read(self, query: Any) -> tuple[Remembered, ...]:  # a Select of any columns
        return await self.database.read(
            lambda connection: tuple(map(_remembered, connection.execute(query)))
        )


_NEWEST = (entry.c.at.desc(), entry.c.entry_id.desc())


def _newest_without(where: RecallScope, encoder: str) -> Any:  # as below
    has = (memory_vector.c.entry_id == entry.c.entry_id) & (memory_vector.c.encoder == encoder)
    without = ~select(memory_vector.c.entry_id).where(has).exists()
    newest = select(entry).where(*where.conditions()).order_by(*_NEWEST).limit(FRESH).subquery()
    return (
        select(entry)
        .join(newest, newest.c.entry_id == entry.c.entry_id)
        .where(without)
        .order_by(*_NEWEST)
    )


def _worded(match: str, where: RecallScope, limit: int) -> Any:  # a Select of any columns
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


def _concerns(record: DecisionRecord, name: str) -> bool:
    arguments = " ".join(map(str, (record.arguments or {}).values()))
    return matches_topic(name, record.text, arguments)


def _facts(memory: Mapping[str, PackMemory], name: str) -> dict[str, str]:
    return {
        f"{pack}.{fact}": learnt.value
        for pack, kept in memory.items()
        for fact, learnt in kept.facts.items()
        if matches_topic(name, fact.replace("_", " "), learnt.value)
    }
