"""The journal's store: write decisions in one transaction, read them by tenant.

The full-text index follows by triggers, the vector index by its outbox; drift between index
and rows is measured and repaired.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import Field
from sqlalchemy import ColumnElement, Connection, delete, func, select, true
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from state.errors import NotFound
from state.journal import Decision, DecisionStatus
from state.noun import Noun
from state.reader import Reader
from tools.adapters import Embedder, Indexer, Vectors
from tools.adapters.vector_index.indexer import IndexState
from tools.journal.events import events_of
from tools.journal.extraction.attributes import fold_name
from tools.journal.store.entry_rows import PARTS, decision_to_row, embed_decisions, put_vectors
from tools.journal.store.import_rules import (
    count_future_dates,
    needs_no_write,
    repair_future_dates,
    stored_entry_stands,
    stored_row,
    with_linked_status,
)
from tools.journal.store.link_rows import read_visible
from tools.notifications import Outbox
from tools.platform.clock import DAY_SECONDS
from tools.storage import Database, readable_in
from tools.storage.tables.journal import journal_entry, journal_person, journal_vector


@dataclass(frozen=True)
class UncomparedEntry:
    """A decision, and its place in the order in which they came."""

    entry_id: int
    decision: Decision


def list_uncompared(
    connection: Connection, tenant_id: str | None, limit: int
) -> list[UncomparedEntry]:
    """List them in their order, of a tenant or of all."""
    entry = journal_entry.c
    query = select(entry.entry_id, entry.body).where(~entry.is_compared)
    if tenant_id is not None:
        query = query.where(entry.tenant_id == tenant_id)
    rows = connection.execute(query.order_by(entry.entry_id).limit(limit)).all()
    return [UncomparedEntry(row.entry_id, Decision.model_validate(row.body)) for row in rows]


class Drift(Noun):
    """What is not as the tables say; all zero when the index is whole."""

    entries: int
    without_vectors: int
    text_is_whole: bool
    dated_ahead: int = Field(default=0, description="dated further ahead of our clock than can be")
    dates_mended: int = Field(default=0, description="of those, by this rebuilding")
    index: IndexState | None = Field(
        default=None, description="how the vector index stands to the tables; null: not looked at"
    )


def rebuild_text(connection: Connection) -> None:
    """Build the full-text index from the rows."""
    connection.exec_driver_sql("INSERT INTO journal_text (journal_text) VALUES ('rebuild')")
    connection.exec_driver_sql("INSERT INTO journal_text (journal_text) VALUES ('optimize')")


def entries_without_vectors(connection: Connection, encoder: str) -> list[int]:
    """List the entries that have not all their vectors of this encoder."""
    complete = (
        select(journal_vector.c.entry_id)
        .where(journal_vector.c.encoder == encoder)
        .group_by(journal_vector.c.entry_id)
        .having(func.count() == PARTS)
    )
    query = select(journal_entry.c.entry_id).where(journal_entry.c.entry_id.not_in(complete))
    return [entry for (entry,) in connection.execute(query).all()]


def measure_drift(connection: Connection, encoder: str | None, latest: float) -> Drift:
    """Tell whether text and vectors are those of the rows, and dates as they can be."""
    entries = connection.scalar(select(func.count()).select_from(journal_entry)) or 0
    without = 0 if encoder is None else len(entries_without_vectors(connection, encoder))
    return Drift(
        entries=entries,
        without_vectors=without,
        text_is_whole=_is_whole(connection),
        dated_ahead=count_future_dates(connection, latest),
    )


def _is_whole(connection: Connection) -> bool:
    # Compares the index with the rows; it writes nothing, whatever its form.
    check = "INSERT INTO journal_text (journal_text, rank) VALUES ('integrity-check', 1)"
    try:
        connection.exec_driver_sql(check)
    except DatabaseError:
        return False
    return True


AT_ONCE = 100
"""Decisions in one write: an import of thousands lets others write in between."""


class Stored(Noun):
    """What a write did."""

    added: int = 0
    changed: int = 0
    same: int = 0

    def plus(self, other: "Stored") -> "Stored":
        """Add up two writes."""
        return Stored(
            added=self.added + other.added,
            changed=self.changed + other.changed,
            same=self.same + other.same,
        )


@dataclass
class EmbeddingBacklog:
    """What is to be embedded."""

    lagging: set[int] = field(default_factory=set)
    """Entries written inside another's transaction, where nothing waits for an encoder."""
    is_checked: bool = False
    """Whether what an earlier process, or a failing encoder, left without was looked for."""


@dataclass(frozen=True)
class JournalStore:
    """Keeps decisions; with an encoder it keeps their vectors beside them."""

    database: Database
    encoder: Embedder | None = None
    seconds: Callable[[], float] = field(default=time.time)
    embedding: EmbeddingBacklog = field(default_factory=EmbeddingBacklog)
    outbox: Outbox | None = None
    """What other services are told of new decisions; None: nothing."""
    future_days: float = 1.0
    """How far ahead of our clock anything may be dated."""
    indexing: Indexer | None = None
    """Finds vectors among very many; None: each is compared."""

    async def put(self, decisions: Sequence[Decision]) -> Stored:
        """Keep decisions under tenant and id; the same again changes nothing."""
        done = Stored()
        for start in range(0, len(decisions), AT_ONCE):
            some = decisions[start : start + AT_ONCE]
            vectors = await asyncio.to_thread(embed_decisions, self.encoder, some)
            work = partial(self._put, decisions=some, vectors=vectors)
            done = done.plus(await self.database.write(work))
            if vectors is None:  # out of order: the next `catch_up` looks for what is without
                self.embedding.is_checked = False
        return done

    def keep(self, connection: Connection, decisions: Sequence[Decision]) -> Callable[[], None]:
        """Keep decisions inside a transaction of somebody else; what is returned comes after it.

        Their words are found at once, their meaning after the next `catch_up`.
        """
        kept = [
            self._write(connection, one) for one in decisions if not needs_no_write(connection, one)
        ]
        return partial(self.embedding.lagging.update, kept)

    async def catch_up(self) -> int:
        """Embed what was kept without; tell how many. It waits for an encoder out of order."""
        if self.encoder is None:
            return 0
        if not self.embedding.is_checked:
            name = self.encoder.name
            self.embedding.lagging.update(
                await self.database.read(lambda one: entries_without_vectors(one, name))
            )
            self.embedding.is_checked = True
        if not self.embedding.lagging:
            return 0
        some = sorted(self.embedding.lagging)[:AT_ONCE]
        if not await self._embed(some):
            return 0
        self.embedding.lagging.difference_update(some)
        return len(some)

    async def not_compared(self, tenant_id: str | None = None) -> list[UncomparedEntry]:
        """List decisions nobody has held against earlier ones yet, in their order; all tenants'."""
        return await self.database.read(lambda one: list_uncompared(one, tenant_id, AT_ONCE))

    async def unknown(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Leave out what is kept already, whatever it says by now."""
        return await self.database.read(
            lambda connection: [one for one in decisions if stored_row(connection, one) is None]
        )

    async def get(self, decision_id: str, reader: Reader) -> Decision:
        """Read one by its id.

        Raises:
            NotFound: none in this tenant, or it is closed to the reader.
        """
        found = await self._read(reader, journal_entry.c.id == decision_id)
        if not found:
            raise NotFound("decision", decision_id)
        return found[0]

    async def all(self, reader: Reader, *, status: DecisionStatus | None = None) -> list[Decision]:
        """List what one may read, oldest first; those of unknown date come first of all."""
        wanted = true() if status is None else journal_entry.c.status == status
        return await self._read(reader, wanted)

    async def reindex(self, told: Callable[[], None] = lambda: None) -> Drift:
        """Build both indexes and every missing vector from the rows alone; mend dates."""
        mended = await self.database.write(lambda one: repair_future_dates(one, self._latest))
        await self.database.write(rebuild_text)
        if self.encoder is not None:
            name = self.encoder.name
            ids = await self.database.read(
                lambda connection: entries_without_vectors(connection, name)
            )
            for start in range(0, len(ids), AT_ONCE):
                await self._embed(ids[start : start + AT_ONCE])
                told()
        index = await self.indexing.rebuild() if self.indexing else None
        return (await self.drift()).model_copy(update={"dates_mended": mended, "index": index})

    async def drift(self) -> Drift:
        """Tell whether text and vectors are those of the rows."""
        name = self.encoder.name if self.encoder else None
        return await self.database.read(lambda one: measure_drift(one, name, self._latest))

    @property
    def _latest(self) -> float:
        return self.seconds() + self.future_days * DAY_SECONDS

    async def _read(self, reader: Reader, wanted: ColumnElement[bool]) -> list[Decision]:
        query = (
            select(journal_entry.c.body)
            .where(readable_in(journal_entry, reader), wanted)
            .order_by(func.coalesce(journal_entry.c.decided_at, 0.0), journal_entry.c.entry_id)
        )
        return await self.database.read(partial(read_visible, query=query, reader=reader))

    async def _embed(self, ids: Sequence[int]) -> bool:
        query = select(journal_entry.c.entry_id, journal_entry.c.body).where(
            journal_entry.c.entry_id.in_(ids)
        )
        rows = await self.database.read(lambda connection: connection.execute(query).all())
        decisions = [Decision.model_validate(row.body) for row in rows]
        vectors = await asyncio.to_thread(embed_decisions, self.encoder, decisions)
        if vectors is not None and self.encoder is not None:
            name = self.encoder.name

            def work(connection: Connection) -> None:
                for row, found in zip(rows, vectors, strict=True):
                    put_vectors(connection, row.entry_id, name, found)

            await self.database.write(work)
        return vectors is not None or not rows

    def _put(
        self,
        connection: Connection,
        decisions: Sequence[Decision],
        vectors: list[Vectors] | None,
    ) -> Stored:
        added = changed = same = 0
        for at, given in enumerate(decisions):
            decision = with_linked_status(connection, given)
            known = stored_row(connection, decision)
            if known is not None and stored_entry_stands(known, decision):
                same += 1
                continue
            entry_id = self._write(connection, decision)
            if vectors is not None and self.encoder is not None:
                put_vectors(connection, entry_id, self.encoder.name, vectors[at])
            added, changed = added + (known is None), changed + (known is not None)
        return Stored(added=added, changed=changed, same=same)

    def _write(self, connection: Connection, decision: Decision) -> int:
        if self.outbox and stored_row(connection, decision) is None:
            for event in events_of(decision):
                self.outbox.note(
                    connection, event.kind, decision.tenant_id, event.data, (decision.session_id,)
                )
        row = decision_to_row(decision, self.seconds())
        given = insert(journal_entry).values(row)
        key = ("tenant_id", "id", "is_compared")
        statement = given.on_conflict_do_update(
            index_elements=key[:2], set_={name: row[name] for name in row if name not in key}
        ).returning(journal_entry.c.entry_id)
        entry_id: int = connection.execute(statement).scalar_one()
        for table in (journal_person, journal_vector):
            connection.execute(delete(table).where(table.c.entry_id == entry_id))
        names = {
            fold_name(name) for name in (*decision.stakeholders, decision.decision_maker or "")
        }
        people = [{"entry_id": entry_id, "name": name} for name in sorted(names - {""})]
        if people:
            connection.execute(insert(journal_person), people)
        return entry_id
