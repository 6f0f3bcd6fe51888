"""The vectors of a kind of row, as the tables keep them; what the index knows is made of these."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Select, Table, func, insert, literal, select

from tools.embedding.embedder import Vectors
from tools.storage.tables.vectors import vector_outbox

_AT_ONCE = 5_000
"""Vectors in memory at a time, where all of a tenant are read: 8 MB."""


class Owner(NamedTuple):
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

    def prefix(self, owner: Owner) -> str:
        """Begin the name of an owner's collections; each dimension has its own."""
        digest = hashlib.blake2b("\0".join(owner).encode(), digest_size=16)
        return f"{self.kind}-{digest.hexdigest()}-"

    def collection(self, owner: Owner, dimensions: int) -> str:
        """Name the collection of an owner's vectors of so many dimensions."""
        return f"{self.prefix(owner)}{dimensions}"

    def owners(self, connection: Connection) -> list[Owner]:
        """List whoever has vectors."""
        query = select(self.owner.c.tenant_id, self.vectors.c.encoder).distinct()
        rows = connection.execute(query.select_from(self.owner.join(self.vectors))).all()
        return [Owner(*row) for row in rows]

    def ids(self, connection: Connection, owner: Owner) -> dict[str, set[str]]:
        """List the ids that the index should have, by collection."""
        found: dict[str, set[str]] = {}
        size = func.length(self.vectors.c.vector)
        for item, part, length in connection.execute(
            self._of(owner).with_only_columns(self._item, self._part, size)
        ):
            name = self.collection(owner, length // np.dtype(np.float32).itemsize)
            found.setdefault(name, set()).add(id_of(item, part))
        return found

    def read(
        self, connection: Connection, owner: Owner, items: Collection[int]
    ) -> list[tuple[int, int, bytes]]:
        """Read item, part and vector of some rows."""
        query = self._of(owner).with_only_columns(self._item, self._part, self.vectors.c.vector)
        rows = connection.execute(query.where(self._item.in_(numbers(items)))).all()
        return [(row[0], row[1], row[2]) for row in rows]

    def cosines(
        self,
        connection: Connection,
        owner: Owner,
        question: Vectors,
        items: Collection[int] | None = None,
    ) -> dict[int, float]:
        """Compare rows with a question, each by the best of its vectors; None: all of the owner."""
        query = self._of(owner).with_only_columns(self._item, self.vectors.c.vector)
        if items is not None:
            query = query.where(self._item.in_(numbers(items)))
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

    def pending(self, connection: Connection, owner: Owner) -> frozenset[int]:
        """List the rows that the index may know as they were."""
        query = select(vector_outbox.c.item).where(
            vector_outbox.c.kind == self.kind,
            vector_outbox.c.tenant_id == owner.tenant_id,
            vector_outbox.c.encoder == owner.encoder,
        )
        return frozenset(connection.scalars(query))

    def note(self, connection: Connection, owner: Owner, items: Collection[int]) -> None:
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

    def _of(self, owner: Owner) -> Select[Any]:  # columns are chosen by whoever asks
        return (
            select(self._item)
            .select_from(self.vectors.join(self.owner))
            .where(
                self.vectors.c.encoder == owner.encoder, self.owner.c.tenant_id == owner.tenant_id
            )
        )


def id_of(item: int, part: int) -> str:
    """Name a vector of a row in the index."""
    return f"{item}.{part}"


def item_of(name: str) -> int:
    """Tell whose vector an id of the index names."""
    return int(name.partition(".")[0])


def numbers(items: Collection[int]) -> Select[Any]:
    """Write numbers as a query, for an IN."""
    # One parameter, not a thousand: SQLAlchemy takes longer to write those than SQLite to look.
    ids = func.json_each(json.dumps(sorted(items))).table_valued("value")
    return select(ids.c.value)
