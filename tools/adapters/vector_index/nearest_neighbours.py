"""Rows nearest to a query vector: the index names candidates, the tables judge them."""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Protocol

from sqlalchemy import Connection

from tools.adapters.embedding.embedder import Vectors
from tools.adapters.vector_index.indexer import Indexer
from tools.adapters.vector_index.vector_table import VectorOwner, VectorTable

FIRST_LOOK = 400
"""Candidates that are held against filters; the index knows none of these."""
DEEPER = 4
"""Times as many, where those left enough to hope for it."""

MOST_LOOKED = FIRST_LOOK * DEEPER


def _first_look(allowed: "RowFilter", most: int) -> int:
    return FIRST_LOOK if allowed.is_narrowed else 2 * most


class RowFilter(Protocol):
    """Which rows may be found."""

    @property
    def is_narrowed(self) -> bool:
        """Tell whether anything of the owner is left out."""
        ...

    @property
    def is_few(self) -> bool:
        """Tell whether so few are left that to compare each takes no longer than to ask."""
        ...

    @property
    def all(self) -> Collection[int]:
        """List every row that may be found."""
        ...

    def among(self, rows: Sequence[int]) -> list[int]:
        """Leave the rows that may be found, in their order."""
        ...


@dataclass(frozen=True)
class NearestRows:
    """Rows and their cosines, computed from the tables."""

    first: Mapping[int, float]
    """The nearest ones, best first."""
    known: Mapping[int, float]
    """Those, and whatever else was asked for."""


@dataclass(frozen=True)
class NearestSearch:
    """A question about the vectors of an owner, inside one read transaction."""

    connection: Connection
    table: VectorTable
    owner: VectorOwner
    question: Vectors
    """(dimensions,), unit length."""
    indexing: Indexer | None = None
    """None: nobody but the service has the index; the tables alone answer."""
    asked: Future[list[int] | None] | None = None
    """The index's first answer, where it was asked ahead."""

    def ask_ahead(self, allowed: RowFilter, *, most: int) -> "NearestSearch":
        """Have the index asked, in its own process, while something else is read.

        `nearest` of what this returns, called with the same two, waits for the answer.
        """
        if self.indexing is None or allowed.is_few:
            return self
        look = _first_look(allowed, most)
        asked = self.indexing.ask(self.table, self.owner, self.question, look)
        return replace(self, asked=asked)

    def nearest(self, allowed: RowFilter, *, most: int, also: Collection[int] = ()) -> NearestRows:
        """Find the rows nearest to the question; cosines are exact.

        Whatever the index has not been told yet is compared by itself, so that what is written is
        found at once. Where filters leave too little of its candidates, all they let through is.

        Args:
            allowed: which may be found.
            most: at most so many.
            also: rows whose cosine is wanted however far they are.
        """
        rows: Collection[int] | None = None
        if self.indexing is not None and not allowed.is_few:
            rows = self._candidates(allowed, most)
        if rows is None and allowed.is_narrowed:
            rows = allowed.all
        wanted = None if rows is None else {*rows, *also}
        cosines = self.table.cosines(self.connection, self.owner, self.question, wanted)
        near = cosines if rows is None else {one: cosines[one] for one in rows if one in cosines}
        first = dict(sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:most])
        return NearestRows(first, {one: cosines[one] for one in also if one in cosines} | first)

    def _candidates(self, allowed: RowFilter, most: int) -> list[int] | None:
        """Ask the index; None: it cannot be asked, or knows too few that are let through."""
        if self.indexing is None:
            return None
        pending = self.table.pending(self.connection, self.owner)
        look, ahead = _first_look(allowed, most), self.asked
        for looked in (look, DEEPER * look):
            asked = ahead or self.indexing.ask(self.table, self.owner, self.question, looked)
            found, ahead = asked.result(), None
            if found is None:
                return None
            left = allowed.among([one for one in found if one not in pending])
            if len(left) >= most:
                return [*left[:most], *allowed.among(sorted(pending))]
            if len(left) * DEEPER < most:
                return None
        return None
