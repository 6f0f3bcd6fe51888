"""The nearest decisions by the index, beside an exact product with every vector in memory."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, select

from state.journal import DecisionFilters
from state.reader import whole
from tools.embedding.embedder import Vectors
from tools.embedding.minilm import MiniLM
from tools.journal.searching.legs import MOST_HITS, Allowed
from tools.journal.searching.vectors import OF_DECISIONS
from tools.storage.database import Database
from tools.storage.tables.journal import journal_entry, journal_vector
from tools.vector_index.chroma import ChromaIndex
from tools.vector_index.indexing import Indexing
from tools.vector_index.nearest import Nearness
from tools.vector_index.vector_table import Owner, VectorTable

_OURS = whole("default")
_RECALLED = 60
_TIMES = (
    DecisionFilters(),
    DecisionFilters(since=datetime(2023, 1, 1, tzinfo=UTC)),
    DecisionFilters(until=datetime(2022, 1, 1, tzinfo=UTC)),
    DecisionFilters(since=datetime(2024, 4, 1, tzinfo=UTC), until=datetime(2024, 7, 1, tzinfo=UTC)),
)


@dataclass
class InMemory(Indexing):
    """Candidates by an exact product with every vector, which is read once."""

    items: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    vectors: Vectors = field(default_factory=lambda: np.empty((0, 0), np.float32))

    @classmethod
    def read(cls, connection: Connection) -> "InMemory":
        """Read all vectors of the tenant that is asked about."""
        query = (
            select(journal_vector.c.entry_id, journal_vector.c.vector)
            .join(journal_entry)
            .where(journal_entry.c.tenant_id == _OURS.tenant_id)
        )
        rows = connection.execute(query).all()
        made = cls(Database("sqlite://"), ChromaIndex(Path()), ())
        made.items = np.array([row.entry_id for row in rows])
        flat = np.frombuffer(b"".join(row.vector for row in rows), np.float32)
        made.vectors = flat.reshape(len(rows), -1)
        return made

    def nearest(
        self, table: VectorTable, owner: Owner, question: Vectors, most: int
    ) -> list[int] | None:
        """Multiply, and take the best."""
        count = min(most * table.parts, len(self.items))
        products = self.vectors @ question
        best = np.argpartition(-products, count - 1)[:count]
        ranked = self.items[best[np.argsort(-products[best])]]
        return list(dict.fromkeys(ranked.tolist()))


def recalled(connection: Connection, indexing: Indexing, encoder: MiniLM) -> float:
    """Tell how many of the ten nearest the index leads to, under filters, on average.

    Vectors and questions are drawn by chance, which is the hardest case for any graph of them.
    """
    chance = np.random.default_rng(1)
    owner, shares = Owner(_OURS.tenant_id, encoder.name), []
    for number in range(_RECALLED):
        drawn = chance.standard_normal(encoder.dimensions).astype(np.float32)
        question = drawn / np.linalg.norm(drawn)
        allowed = Allowed(connection, _OURS, _TIMES[number % len(_TIMES)])
        asked = Nearness(connection, OF_DECISIONS, owner, question, indexing)
        first = [*asked.nearest(allowed, most=MOST_HITS).first][:10]
        every = OF_DECISIONS.cosines(connection, owner, question, allowed.all)
        true = sorted(every, key=lambda entry: -every[entry])[:10]
        shares.append(len({*first} & {*true}) / len(true))
    return float(np.mean(shares))
