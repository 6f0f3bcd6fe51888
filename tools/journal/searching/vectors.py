"""What decisions mean, as vectors in our tables: exact, in the transaction of the row itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from state.journal import Decision
from tools.embedding.embedder import Vectors
from tools.journal.searching.first_look import FirstLook, first_look
from tools.storage.tables.journal import journal_entry, journal_vector

PARTS = 2
MOST_CHANGED = 2_000
"""Entries that are kept beside a matrix before it is read anew."""
_ROUNDING = 1e-5
"""What the same product may differ by when other rows stand beside it."""
Ids = npt.NDArray[np.int64]
_MOST_CHARACTERS = 1_500
"""Of one part: the encoder reads about as many."""


def parts_of(decision: Decision) -> tuple[str, ...]:
    """Give what is embedded: what was decided, and why."""
    why = " ".join(filter(None, (decision.context, decision.rationale)))
    what = f"{decision.title}. {decision.decision}"
    return tuple(part[:_MOST_CHARACTERS] for part in (what, f"{decision.title}. {why}"))


def put_vectors(connection: Connection, entry_id: int, encoder: str, vectors: Vectors) -> None:
    """Keep an entry's vectors in place of those it had with this encoder."""
    connection.execute(
        delete(journal_vector).where(
            journal_vector.c.entry_id == entry_id, journal_vector.c.encoder == encoder
        )
    )
    rows = [
        {"entry_id": entry_id, "encoder": encoder, "part": part, "vector": vector.tobytes()}
        for part, vector in enumerate(vectors)
    ]
    connection.execute(insert(journal_vector), rows)


@dataclass(frozen=True)
class Nearest:
    """Entries and their cosines."""

    first: Mapping[int, float]
    """The nearest ones, best first."""
    known: Mapping[int, float]
    """Those, and whatever else was asked for."""


@dataclass(frozen=True)
class Matrix:
    """All vectors of a tenant, those of an entry beside each other."""

    entries: Ids
    starts: Ids
    """Where in `vectors` each entry's begin."""
    vectors: Vectors
    look: FirstLook | None = None
    """Of many: spares the exact product with those that cannot be the nearest."""

    def nearest(
        self,
        question: Vectors,
        allowed: Collection[int] | None,
        *,
        most: int,
        also: Collection[int] = (),
        without: Ids | None = None,
    ) -> Nearest:
        """Find the entries nearest to a question, each by the best of its parts; cosines are exact.

        Args:
            question: (dimensions,), unit length.
            allowed: the entries to choose from; None: all.
            most: at most so many.
            also: entries whose cosine is wanted however far they are.
            without: entries that are not to be found here.
        """
        if not len(self.entries):
            return Nearest({}, {})
        stays = np.ones(len(self.entries), np.bool_)
        if without is not None:
            stays = np.isin(self.entries, without, invert=True)
        asked = self._places_of(also)
        known = self._cosines(question, asked[stays[asked]])
        if allowed is not None:
            stays &= np.isin(self.entries, np.fromiter(allowed, np.int64, len(allowed)))
        near = self._cosines(question, self._near(question, np.flatnonzero(stays), most))
        first = dict(sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:most])
        return Nearest(first, known | first)

    def _near(self, question: Vectors, places: Ids, most: int) -> Ids:
        """Leave out the places that cannot be among the nearest; of equals all stay."""
        if len(places) <= most:
            return places
        if self.look is None:
            products, off = _products(self.vectors, question), _ROUNDING
        else:
            products, off = self.look.at(question)
        best = self._best(products)[places]
        least = np.partition(best, -most)[-most]
        found: Ids = places[best >= least - 2 * off]
        return found

    def _best(self, products: Vectors) -> Vectors:
        if (np.diff(self.starts, append=len(products)) == PARTS).all():  # and thirty times as fast
            return np.maximum(products[::PARTS], products[1::PARTS])
        found: Vectors = np.maximum.reduceat(products, self.starts)
        return found

    def _cosines(self, question: Vectors, places: Ids) -> dict[int, float]:
        if not len(places):
            return {}
        counts = np.append(self.starts, len(self.vectors))[places + 1] - self.starts[places]
        begins = np.cumsum(counts) - counts
        rows = np.repeat(self.starts[places] - begins, counts) + np.arange(counts.sum())
        best = np.maximum.reduceat(_products(self.vectors[rows], question), begins)
        return dict(zip(self.entries[places].tolist(), best.tolist(), strict=True))

    def _places_of(self, wanted: Collection[int]) -> Ids:
        asked = np.fromiter(sorted(wanted), np.int64, len(wanted))
        places: Ids = np.minimum(np.searchsorted(self.entries, asked), len(self.entries) - 1)
        found: Ids = places[self.entries[places] == asked]
        return found


@dataclass(frozen=True)
class Layered:
    """A matrix as it was read, and what was written since: a commit costs no second reading."""

    read: Matrix
    since: Matrix
    changed: Ids
    """Entries that were written since, with vectors or without."""

    def nearest(
        self,
        question: Vectors,
        allowed: Collection[int] | None,
        *,
        most: int,
        also: Collection[int] = (),
    ) -> Nearest:
        """Find the nearest of both. See Matrix.nearest."""
        without = self.changed if len(self.changed) else None
        old = self.read.nearest(question, allowed, most=most, also=also, without=without)
        if without is None:
            return old
        new = self.since.nearest(question, allowed, most=most, also=also)
        both = sorted({**old.first, **new.first}.items(), key=lambda pair: (-pair[1], pair[0]))
        return Nearest(dict(both[:most]), {**old.known, **new.known})


@dataclass(frozen=True)
class _Kept:
    newest: int
    seen: int
    matrix: Layered


@dataclass
class Matrices:
    """Matrices by tenant and encoder; what this process writes is read by itself."""

    _kept: dict[tuple[str, str], _Kept] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(
        self,
        connection: Connection,
        tenant_id: str,
        encoder: str,
        *,
        newest: int,
        changed: Sequence[int],
    ) -> Layered:
        """Read a tenant's matrix, or what has changed of it.

        Args:
            newest: number of the newest vector; one that we did not write has it all read again.
            changed: entries that this process has written, in their order.
        """
        key, seen = (tenant_id, encoder), len(changed)
        with self._lock:
            known = self._kept.get(key)
        if known is not None and (known.newest, known.seen) == (newest, seen):
            return known.matrix
        matrix = None
        if known is not None and seen > known.seen:
            ids = {*known.matrix.changed.tolist(), *changed[known.seen :]}
            if len(ids) <= MOST_CHANGED:
                since = _read(connection, tenant_id, encoder, sorted(ids))
                matrix = Layered(known.matrix.read, since, np.array(sorted(ids), np.int64))
        if matrix is None:
            nothing = Layered(_matrix(()), _matrix(()), np.empty(0, np.int64))
            matrix = replace(nothing, read=_read(connection, tenant_id, encoder))
        with self._lock:
            self._kept[key] = _Kept(newest, seen, matrix)
        return matrix


def _products(vectors: Vectors, question: Vectors) -> Vectors:
    """Multiply a few thousand rows: the threads of BLAS take longer to meet than one for that."""
    found: Vectors = np.einsum("ij,j->i", vectors, question)
    return found


def _read(
    connection: Connection, tenant_id: str, encoder: str, only: Sequence[int] | None = None
) -> Matrix:
    query = (
        select(journal_vector.c.entry_id, journal_vector.c.vector)
        .join(journal_entry)
        .where(journal_entry.c.tenant_id == tenant_id, journal_vector.c.encoder == encoder)
        .order_by(journal_vector.c.entry_id, journal_vector.c.part)
    )
    if only is not None:
        query = query.where(journal_vector.c.entry_id.in_(only))
    return _matrix(connection.execute(query).all())


def _matrix(rows: Sequence[Any]) -> Matrix:  # rows of entry_id and vector
    if not rows:
        return Matrix(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0), np.float32))
    of = np.array([row.entry_id for row in rows], np.int64)
    entries, starts = np.unique(of, return_index=True)
    flat = np.frombuffer(b"".join(row.vector for row in rows), np.float32)
    vectors = flat.reshape(len(rows), -1)
    return Matrix(entries, starts, vectors, first_look(vectors))
