"""What decisions mean, as vectors in our tables: exact, in the transaction of the row itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from state.journal import Decision
from tools.embedding.embedder import Vectors
from tools.storage.journal_tables import journal_entry, journal_vector

PARTS = 2
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
class Matrix:
    """All vectors of a tenant: a row of `vectors` belongs to the entry of the same place."""

    entries: np.ndarray[tuple[int], np.dtype[np.int64]]
    vectors: Vectors

    def nearest(self, question: Vectors, allowed: frozenset[int] | None) -> Mapping[int, float]:
        """Give each allowed entry the cosine of its part that is nearest; None: all are."""
        if not len(self.entries):
            return {}
        cosines = self.vectors @ question
        entries, places = np.unique(self.entries, return_inverse=True)
        best = np.full(len(entries), -1.0, np.float32)
        np.maximum.at(best, places, cosines)
        pairs = zip(entries.tolist(), best.tolist(), strict=True)
        return {entry: cosine for entry, cosine in pairs if allowed is None or entry in allowed}


@dataclass
class Matrices:
    """Matrices by tenant and encoder, read anew when the tenant's entries have changed."""

    _kept: dict[tuple[str, str], tuple[tuple[int, int], Matrix]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(
        self, connection: Connection, tenant_id: str, encoder: str, version: tuple[int, int]
    ) -> Matrix:
        """Read a tenant's matrix; `version` changes whenever an entry does."""
        with self._lock:
            known = self._kept.get((tenant_id, encoder))
        if known is not None and known[0] == version:
            return known[1]
        rows = connection.execute(
            select(journal_vector.c.entry_id, journal_vector.c.vector)
            .join(journal_entry)
            .where(journal_entry.c.tenant_id == tenant_id, journal_vector.c.encoder == encoder)
            .order_by(journal_vector.c.entry_id, journal_vector.c.part)
        ).all()
        matrix = _matrix(rows)
        with self._lock:
            self._kept[(tenant_id, encoder)] = (version, matrix)
        return matrix


def _matrix(rows: Sequence[tuple[int, bytes]]) -> Matrix:
    if not rows:
        return Matrix(np.empty(0, np.int64), np.empty((0, 0), np.float32))
    entries = np.array([entry for entry, _vector in rows], np.int64)
    flat = np.frombuffer(b"".join(vector for _entry, vector in rows), np.float32)
    return Matrix(entries, flat.reshape(len(rows), -1))
