"""The decision journal as it grows, and the vector index beside exact search."""

from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, insert, select

from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from state.journal import Decision, DecisionFilters, JournalMessage
from state.reader import whole
from tools.adapters import Indexer, VectorOwner, Vectors, VectorTable
from tools.adapters.embedding.minilm import MiniLM
from tools.adapters.vector_index.chroma import ChromaIndex
from tools.adapters.vector_index.nearest_neighbours import NearestSearch
from tools.journal import Detector, JournalSearch, JournalStore
from tools.journal.conversation import read_conversations
from tools.journal.search.query import match_of, terms_of
from tools.journal.search.question import read_question
from tools.journal.search.retrieval import MOST_HITS, SearchScope
from tools.journal.store.entry_rows import OF_DECISIONS, PARTS, decision_to_row
from tools.storage import Database
from tools.storage.tables.journal import journal_entry, journal_vector

_OURS = whole("default")
_RECALLED = 60
_TIMES = (
    DecisionFilters(),
    DecisionFilters(since=datetime(2023, 1, 1, tzinfo=UTC)),
    DecisionFilters(until=datetime(2022, 1, 1, tzinfo=UTC)),
    DecisionFilters(since=datetime(2024, 4, 1, tzinfo=UTC), until=datetime(2024, 7, 1, tzinfo=UTC)),
)


@dataclass
class InMemory(Indexer):
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
        self, table: VectorTable, owner: VectorOwner, question: Vectors, most: int
    ) -> list[int] | None:
        """Multiply, and take the best."""
        count = min(most * table.parts, len(self.items))
        products = self.vectors @ question
        best = np.argpartition(-products, count - 1)[:count]
        ranked = self.items[best[np.argsort(-products[best])]]
        return list(dict.fromkeys(ranked.tolist()))

    def ask(
        self, table: VectorTable, owner: VectorOwner, question: Vectors, most: int
    ) -> Future[list[int] | None]:
        """Answer at once: beside other work of this process a product takes longer, not less."""
        asked: Future[list[int] | None] = Future()
        asked.set_result(self.nearest(table, owner, question, most))
        return asked


def nearest_recall(connection: Connection, indexing: Indexer, encoder: MiniLM) -> float:
    """Tell how many of the ten nearest the index leads to, under filters, on average.

    Vectors and questions are drawn by chance, which is the hardest case for any graph of them.
    """
    chance = np.random.default_rng(1)
    owner, shares = VectorOwner(_OURS.tenant_id, encoder.name), []
    for number in range(_RECALLED):
        drawn = chance.standard_normal(encoder.dimensions).astype(np.float32)
        question = drawn / np.linalg.norm(drawn)
        allowed = SearchScope(connection, _OURS, _TIMES[number % len(_TIMES)])
        asked = NearestSearch(connection, OF_DECISIONS, owner, question, indexing)
        first = [*asked.nearest(allowed, most=MOST_HITS).first][:10]
        every = OF_DECISIONS.cosines(connection, owner, question, allowed.all)
        true = sorted(every, key=lambda entry: -every[entry])[:10]
        shares.append(len({*first} & {*true}) / len(true))
    return float(np.mean(shares))


SIZES = (1_000, 10_000, 100_000)
_GOALS = {1_000: "", 10_000: "p95 < 30", 100_000: "p95 < 60"}
_EVERYTHING = whole("default")
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_WORDS, _LENGTH, _AT_ONCE = 20_000, 60, 2_000
_COMMONEST = 100
"""Words that stand everywhere: a question's are no terms. See tools/journal/search/query.py."""
_EVERY_WORD = "SELECT rowid FROM journal_text WHERE journal_text MATCH ? ORDER BY rank LIMIT 10"
_FILTERS = ("", " in Q2 2024", " since 2023", " before 2022")


async def measure(folder: Path, *, runs: int, sizes: Sequence[int]) -> AsyncIterator[Measurement]:
    """Time searches and commits in journals of growing size; words follow Zipf's law."""
    encoder = MiniLM(folder)
    for size in sizes:
        database = Database(f"sqlite:///{folder / f'journal-{size}.sqlite'}")
        await _plant(database, encoder.name, encoder.dimensions, size)
        indexing = Indexer(
            database, ChromaIndex(folder / f"vectors-{size}"), (OF_DECISIONS,), calm_seconds=0
        )
        search = JournalSearch(JournalStore(database, encoder, indexing=indexing), 0.4)
        asked = list(_questions(runs))
        watch = Stopwatch()
        await search.search(asked[0], _EVERYTHING, now=_NOW)  # no index yet: all are compared
        first = watch.ms
        watch = Stopwatch()
        await indexing.feed()
        built = watch.ms
        product = await database.read(InMemory.read)
        beside = JournalSearch(JournalStore(database, encoder, indexing=product), 0.4)
        took, worked, exact = [], [], []
        for question in asked:
            watch, start = Stopwatch(), process_time()
            await search.search(question, _EVERYTHING, now=_NOW)
            took.append(watch.ms)
            worked.append(1000 * (process_time() - start))
            watch = Stopwatch()
            await beside.search(question, _EVERYTHING, now=_NOW)
            exact.append(watch.ms)
        yield (whole_of_it := summarise(f"journal of {size:,}, search", took, goal=_GOALS[size]))
        yield summarise("  processor time of it, all threads", worked)
        yield summarise("  the first one of a process", [first])
        yield (by_product := summarise("  by a product with all vectors in memory", exact))
        slower = (whole_of_it.p95 or 0) / (by_product.p95 or 1)
        yield summarise("  p95 of it, times that of the product", [slower], "×", goal="< 1.3")
        yield summarise("  until the index has everything", [built])
        found = await database.read(partial(nearest_recall, indexing=indexing, encoder=encoder))
        yield summarise("  of the ten truly nearest, found", [found], "", goal="> .98")
        for one in await database.read(partial(_baselines, encoder=encoder, asked=asked)):
            yield one
        async for one in _committed(search, max(20, runs // 4)):
            yield one
        await indexing.close()
        await database.close()
    encoder.close()
    for one in _imported(max(3, runs // 100)):
        yield one


def _imported(runs: int) -> Iterator[Measurement]:
    """Time reading ten messages of 60 kB that each decide something, in two hostile wordings."""
    for told, piece in (("plans", "we decided to use a because b. "), ("marks", "! ")):
        worked = []
        for _ in range(runs):
            messages = [
                JournalMessage(
                    message_id=f"m{number}",
                    session_id="s",
                    speaker=f"p{number % 3}",
                    content=(f"RESOLVED: use x{number}\n" + piece * 60_000)[:60_000],
                )
                for number in range(10)
            ]
            start = process_time()
            if not all(one.is_decision for one in read_conversations(messages, Detector(0.7))):
                raise AssertionError("a message that is marked as a decision is not taken for one")
            worked.append(1000 * (process_time() - start))
        yield summarise(f"import of ten messages of 60 kB, {told}, processor time", worked)


def _baselines(connection: Connection, encoder: MiniLM, asked: Sequence[str]) -> list[Measurement]:
    """Time each leg as one would write it first: every word ranked, every vector multiplied."""
    words, meaning = [], []
    for question in asked:
        terms = terms_of(read_question(question, _NOW).text)
        watch = Stopwatch()
        connection.exec_driver_sql(_EVERY_WORD, (match_of(terms),)).all()
        words.append(watch.ms)
    rows = connection.execute(select(journal_vector.c.vector)).scalars().all()
    vectors = np.frombuffer(b"".join(rows), np.float32).reshape(len(rows), -1)
    for question in asked:
        vector = encoder.embed([question])[0]
        watch = Stopwatch()
        np.argpartition(-(vectors @ vector), 10)
        meaning.append(watch.ms)
    return [
        summarise("  beside it: full text alone", words),
        summarise("  beside it: all vectors alone", meaning),
    ]


async def _committed(search: JournalSearch, runs: int) -> AsyncIterator[Measurement]:
    took, worked, seen, whole = [], [], [], []
    for number in range(runs):
        made = _decision(_Talk(10_000_000 + number), f"new-{number}")
        watch, start = Stopwatch(), process_time()
        after = await search.store.database.write(partial(search.store.keep, decisions=[made]))
        took.append(watch.ms)
        worked.append(1000 * (process_time() - start))
        after()
        await search.store.catch_up()
        found = await search.search(made.title, _EVERYTHING, now=_NOW, limit=50)
        if not any(one.decision.id == made.id and one.similarity for one in found):
            raise AssertionError(f"{made.id} is not found by its meaning")
        seen.append(watch.ms)
        watch = Stopwatch()
        await search.store.put([made.model_copy(update={"id": f"{made.id}-again"})])
        whole.append(watch.ms)
    yield summarise("  commit", took, goal="p95 < 5")
    yield summarise("  processor time of it, all threads", worked)
    yield summarise("  until its meaning is found", seen, goal="p95 < 2,000")
    yield summarise("  commit, embedding included", whole)


async def _plant(database: Database, encoder: str, dimensions: int, size: int) -> None:
    chance = np.random.default_rng(0)
    for start in range(0, size, _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, size))
        rows = [
            decision_to_row(_decision(_Talk(number), f"dec-{number}"), 0.0) for number in numbers
        ]
        for row in rows[::10]:
            row["tenant_id"] = "another"
        drawn = chance.standard_normal((len(rows), PARTS, dimensions)).astype(np.float32)
        drawn /= np.linalg.norm(drawn, axis=-1, keepdims=True)

        def work(connection: Connection, rows: list[dict[str, object]] = rows, at: int = start,
                 drawn: Vectors = drawn) -> None:  # fmt: skip
            numbered = [{"entry_id": at + n + 1, **row} for n, row in enumerate(rows)]
            connection.execute(insert(journal_entry), numbered)
            vectors = [
                {"entry_id": at + n + 1, "encoder": encoder, "part": part, "vector": one.tobytes()}
                for n, of_one in enumerate(drawn)
                for part, one in enumerate(of_one)
            ]
            connection.execute(insert(journal_vector), vectors)

        await database.write(work)


class _Talk:
    """Words by chance, the first ones often, the last ones hardly ever."""

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)

    def words(self, count: int, *, rarer_than: int = 0) -> str:
        ranks = np.minimum(self._chance.zipf(1.3, 20 * count), _WORDS)
        return " ".join(f"w{rank}" for rank in ranks[ranks > rarer_than][:count])


def _decision(talk: _Talk, name: str) -> Decision:
    number = abs(hash(name)) if name.startswith("new") else int(name.removeprefix("dec-"))
    return Decision(
        id=name,
        session_id="bench",
        timestamp=_NOW - timedelta(days=number % 3_650),
        title=talk.words(8),
        decision=talk.words(_LENGTH // 3),
        rationale=talk.words(_LENGTH),
        confidence=1.0,
    )


def _questions(runs: int) -> Iterator[str]:
    for number in range(runs):
        words = _Talk(20_000_000 + number).words(7, rarer_than=_COMMONEST)
        yield f"why did we choose {words}{_FILTERS[number % len(_FILTERS)]}?"
