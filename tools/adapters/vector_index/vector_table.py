"""Vectors of a kind of row in its table, and the outbox of changes to the index."""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal,
    literal_column,
    select,
)

from tools.adapters.embedding.embedder import Vectors
from tools.storage.tables.outboxes import vector_outbox

_AT_ONCE = 5_000
"""Vectors in memory at a time, where all of a tenant are read: 8 MB."""


class VectorOwner(NamedTuple):
    """Whose vectors, and by which encoder."""

    tenant_id: str
    encoder: str


@dataclass(frozen=True)
class VectorTable:
    """A table of rows, and the one with their vectors; both have the same key."""

    kind: str
    owner: Table
    vectors: Table
    key: str
    parts: int = 1
    """Vectors a row has at most; with more than one, the table has a column `part`."""

    def prefix(self, owner: VectorOwner) -> str:
        """Begin the name of an owner's collections; each dimension has its own."""
        digest = hashlib.blake2b("\0".join(owner).encode(), digest_size=16)
        return f"{self.kind}-{digest.hexdigest()}-"

    def collection(self, owner: VectorOwner, dimensions: int) -> str:
        """Name the collection of an owner's vectors of so many dimensions."""
        return f"{self.prefix(owner)}{dimensions}"

    def owners(self, connection: Connection) -> list[VectorOwner]:
        """List whoever has vectors."""
        query = select(self.owner.c.tenant_id, self.vectors.c.encoder).distinct()
        rows = connection.execute(query.select_from(self.owner.join(self.vectors))).all()
        return [VectorOwner(*row) for row in rows]

    def ids(self, connection: Connection, owner: VectorOwner) -> dict[str, set[str]]:
        """List the ids that the index should have, by collection."""
        found: dict[str, set[str]] = {}
        size = func.length(self.vectors.c.vector)
        for item, part, length in connection.execute(
            self._of(owner).with_only_columns(self._item, self._part, size)
        ):
            name = self.collection(owner, length // np.dtype(np.float32).itemsize)
            found.setdefault(name, set()).add(vector_id(item, part))
        return found

    def read(
        self, connection: Connection, owner: VectorOwner, items: Collection[int]
    ) -> list[tuple[int, int, bytes]]:
        """Read item, part and vector of some rows."""
        query = self._of(owner, items)
        query = query.with_only_columns(self._item, self._part, self.vectors.c.vector)
        rows = connection.execute(query).all()
        return [(row[0], row[1], row[2]) for row in rows]

    def cosines(
        self,
        connection: Connection,
        owner: VectorOwner,
        question: Vectors,
        items: Collection[int] | None = None,
    ) -> dict[int, float]:
        """Compare rows with a question, each by the best of its vectors; None: all of the owner."""
        query = self._of(owner, items).with_only_columns(self._item, self.vectors.c.vector)
        of, cosines = [np.empty(0, np.int64)], [np.empty(0, np.float32)]
        with connection.execute(query) as rows:
            while some := rows.fetchmany(_AT_ONCE):
                same = [row for row in some if len(row[1]) == question.nbytes]
                flat = np.frombuffer(b"".join(row[1] for row in same), np.float32)
                of.append(np.array([row[0] for row in same], np.int64))
                # BLAS adds up in another order for other rows beside it; this does not.
                cosines.append(np.einsum("ij,j->i", flat.reshape(-1, len(question)), question))
        found, places = np.unique(np.concatenate(of), return_inverse=True)
        best = np.full(len(found), -np.inf, np.float32)
        np.maximum.at(best, places, np.concatenate(cosines))
        return dict(zip(found.tolist(), best.tolist(), strict=True))

    def pending(self, connection: Connection, owner: VectorOwner) -> frozenset[int]:
        """List the rows that the index may know as they were."""
        query = select(vector_outbox.c.item).where(
            vector_outbox.c.kind == self.kind,
            vector_outbox.c.tenant_id == owner.tenant_id,
            vector_outbox.c.encoder == owner.encoder,
        )
        return frozenset(connection.scalars(query))

    def note(self, connection: Connection, owner: VectorOwner, items: Collection[int]) -> None:
        """Have the index told of rows as if they had changed."""
        row = {"kind": self.kind, "tenant_id": owner.tenant_id, "encoder": owner.encoder}
        if items:
            connection.execute(insert(vector_outbox), [row | {"item": one} for one in items])

    @cached_property
    def _item(self) -> Any:  # a column of numbers
        return self.vectors.c[self.key]

    @cached_property
    def _part(self) -> Any:  # as above
        return self.vectors.c.part if self.parts > 1 else literal(0)

    def _of(
        self, owner: VectorOwner, items: Collection[int] | None = None
    ) -> Select[Any]:  # columns are chosen by whoever asks
        tenant: ColumnElement[str] = self.owner.c.tenant_id
        is_one: tuple[ColumnElement[bool], ...] = ()
        if items is not None:
            # Else SQLite walks the tenant's index for a few of its rows: 10 ms of 90,000.
            tenant = literal_column(f"+{self.owner.name}.tenant_id", String)
            is_one = (self._item.in_(id_list(items)),)
        return (
            select(self._item)
            .select_from(self.vectors.join(self.owner))
            .where(self.vectors.c.encoder == owner.encoder, tenant == owner.tenant_id, *is_one)
        )


def vector_id(item: int, part: int) -> str:
    """Name a vector of a row in the index."""
    return f"{item}.{part}"


def item_of_vector(name: str) -> int:
    """Tell whose vector an id of the index names."""
    return int(name.partition(".")[0])


def id_list(items: Collection[int]) -> Select[Any]:
    """Write numbers as a query, for an IN."""
    # One parameter, not a thousand: SQLAlchemy takes longer to write those than SQLite to look.
    ids = func.json_each(json.dumps(sorted(items))).table_valued("value")
    return select(ids.c.value)


AT_ONCE = 100
"""Rows the index is told of in one go; a search waits for them, some 50 ms."""
_OF = (
    vector_outbox.c.kind,
    vector_outbox.c.tenant_id,
    vector_outbox.c.encoder,
    vector_outbox.c.item,
)


@dataclass(frozen=True)
class IndexChange:
    """A row, and up to which note of it."""

    kind: str
    owner: VectorOwner
    item: int
    until: int
    """Number of its newest note: what is noted after that is told after it."""


def count_behind(connection: Connection) -> int:
    """Count the rows whose changes the index has not been told."""
    return connection.scalar(select(func.count()).select_from(_noted().subquery())) or 0


def is_behind(connection: Connection) -> bool:
    """Tell whether it has not been told something."""
    return connection.scalar(select(vector_outbox.c.seq).limit(1)) is not None


def _noted() -> Select[Any]:  # of _OF, and the newest number
    return select(*_OF, func.max(vector_outbox.c.seq).label("until")).group_by(*_OF)


def pending_changes(connection: Connection) -> list[IndexChange]:
    """List some of what it has not been told, those of an owner beside each other."""
    rows = connection.execute(_noted().order_by(*_OF).limit(AT_ONCE))  # as its index has them
    return [
        IndexChange(row.kind, VectorOwner(row.tenant_id, row.encoder), row.item, row.until)
        for row in rows
    ]


def acknowledge(told: Sequence[IndexChange]) -> Callable[[Connection], None]:
    """Strike out what it was told; what was noted of these rows since then stays."""
    of = vector_outbox.c
    done = delete(vector_outbox).where(
        of.kind == bindparam("of_kind"),
        of.tenant_id == bindparam("of_tenant"),
        of.encoder == bindparam("of_encoder"),
        of.item == bindparam("of_item"),
        of.seq <= bindparam("until"),
    )
    rows = [
        {
            "of_kind": one.kind,
            "of_tenant": one.owner.tenant_id,
            "of_encoder": one.owner.encoder,
            "of_item": one.item,
            "until": one.until,
        }
        for one in told
    ]

    def work(connection: Connection) -> None:
        connection.execute(done, rows)

    return work
