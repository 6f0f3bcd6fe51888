"""Search over decision records: ours beside words alone, vectors alone and plain rank fusion."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from evals.journal.resampling import mean, resampled
from evals.measures import Measure
from state.errors import BadInput
from state.journal import DecisionFilters
from state.noun import Noun
from tools.embedding.embedder import Embedder
from tools.journal import legs
from tools.journal.fusing import reciprocal
from tools.journal.records import read_record
from tools.journal.search import JournalSearch
from tools.journal.store import JournalStore
from tools.journal.terms import match_of, terms_of
from tools.journal.vectors import Matrices
from tools.storage.database import Database
from tools.storage.journal_tables import journal_entry

MEASURES = ("recall_at_1", "recall_at_5", "mrr", "milliseconds_p95")
HITS = 10
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_TENANT = "default"
_EVERYTHING = DecisionFilters()


class Sought(Noun):
    """A question and the ids of the records that answer it."""

    query: str
    relevant: frozenset[str]


Ranked = Sequence[Sequence[str]]
"""For each question the ids found, best first."""


def sought(rows: Iterable[Mapping[str, Any]]) -> list[Sought]:  # JSON lines
    """Read rows of {query, relevant}."""
    return [Sought(query=row["query"], relevant=frozenset(row["relevant"])) for row in rows]


def rankings(
    rows: Sequence[Mapping[str, Any]],  # as above
    questions: Sequence[Sought],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Mapping[str, Ranked], Sequence[float]]:
    """Import every record from its text, ask every question; also how long ours took, in ms.

    Raises:
        BadInput: a row has no id, path or text.
    """
    return asyncio.run(_rankings(rows, questions, encoder, folder, floor=floor))


def figures(
    ranked: Ranked, questions: Sequence[Sought], milliseconds: Sequence[float] = ()
) -> tuple[Measure, ...]:
    """Sum up one system; a question without a right answer among the hits scores 0."""
    places = [
        next((place for place, found in enumerate(hits, 1) if found in one.relevant), 0)
        for hits, one in zip(ranked, questions, strict=True)
    ]
    columns = {
        "recall_at_1": [float(place == 1) for place in places],
        "recall_at_5": [float(0 < place <= 5) for place in places],
        "mrr": [1 / place if place else 0.0 for place in places],
    }
    found = [resampled(name, mean, np.array(column)) for name, column in columns.items()]
    slow = float(np.quantile(milliseconds, 0.95)) if len(milliseconds) else None
    return (*found, Measure(name="milliseconds_p95", value=slow, n=len(milliseconds)))


async def _rankings(
    rows: Sequence[Mapping[str, Any]],
    questions: Sequence[Sought],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Mapping[str, Ranked], Sequence[float]]:
    database = Database(f"sqlite:///{folder / 'journal.sqlite'}")
    store = JournalStore(database, encoder)
    try:
        decisions = [read_record(row["text"], f"{row.get('repo')}/{row['path']}") for row in rows]
        given = {one.id: str(row["id"]) for one, row in zip(decisions, rows, strict=True)}
    except KeyError as error:
        raise BadInput(f"a row of records needs id, path and text: {error}") from error
    await store.put(decisions)
    names = await database.read(lambda connection: _names(connection, given))
    search = JournalSearch(store, floor)
    ours: list[list[str]] = []
    took: list[float] = []
    for one in questions:
        start = asyncio.get_running_loop().time()
        found = await search.search(one.query, _TENANT, now=_NOW, limit=HITS)
        took.append(1000 * (asyncio.get_running_loop().time() - start))
        ours.append([given[hit.decision.id] for hit in found])
    rivals = await _rivals(database, questions, encoder, names)
    await database.close()
    return {"ours": ours, **rivals}, took


async def _rivals(
    database: Database,
    questions: Sequence[Sought],
    encoder: Embedder | None,
    names: Mapping[int, str],
) -> Mapping[str, Ranked]:
    found: dict[str, list[list[str]]] = {"words alone": []}
    vectors = encoder.embed([one.query for one in questions]) if encoder else None
    matrices = Matrices()
    for at, one in enumerate(questions):
        terms = terms_of(one.query)
        words: Mapping[int, float] = {}
        if terms:
            match = match_of(terms)
            words = await database.read(partial(_by_words, match=match))
        found["words alone"].append([names[entry] for entry in words])
        if vectors is None or encoder is None:
            continue
        question = vectors[at]
        matrix = await database.read(
            partial(matrices.of, tenant_id=_TENANT, encoder=encoder.name, newest=0, changed=())
        )
        nearest = matrix.nearest(question, None, most=legs.MOST_HITS).first
        found.setdefault("vectors alone", []).append([names[entry] for entry in nearest])
        fused = reciprocal(words, nearest)
        found.setdefault("rank fusion, k 60", []).append([names[entry] for entry in fused])
    return found


def _by_words(connection: Connection, match: str) -> Mapping[int, float]:
    return legs.by_words(match, legs.Allowed(connection, _TENANT, _EVERYTHING))


def _names(connection: Connection, given: Mapping[str, str]) -> Mapping[int, str]:
    rows = connection.execute(select(journal_entry.c.entry_id, journal_entry.c.id)).all()
    return {row.entry_id: given[row.id] for row in rows}
