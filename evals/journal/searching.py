"""Search over decision records: ours beside words alone, vectors alone and plain rank fusion."""

import asyncio
import re
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
from state.journal import Decision, DecisionFilters
from state.noun import Noun
from state.reader import whole
from tools.embedding.embedder import Embedder
from tools.journal.keeping.store import JournalStore
from tools.journal.records.reading import read_record
from tools.journal.searching import legs
from tools.journal.searching.fusing import reciprocal
from tools.journal.searching.search import JournalSearch
from tools.journal.searching.terms import match_of, terms_of
from tools.journal.searching.vectors import OF_DECISIONS
from tools.storage.database import Database
from tools.storage.tables.journal import journal_entry
from tools.vector_index.vector_table import Owner

MEASURES = ("recall_at_1", "recall_at_5", "mrr", "milliseconds_p95", "above_rank_fusion")
FUSION = "rank fusion, k 60"
HITS = 10
_FEWEST_WORDS, _MOST_WORDS = 6, 40
_NO_FLOOR = -1.0
"""A cosine that everything has: then only the order is ours, as it is only theirs."""
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


def described(
    rows: Sequence[Mapping[str, Any]],  # JSON lines
) -> tuple[list[dict[str, Any]], list[Sought]]:
    """Make questions that share no words with titles by design: records, and what led to each.

    What is asked is the first sentence of a record's context, and the context is taken out of the
    record: whoever asks tells of the matter in words of his own.
    """
    bare: list[dict[str, Any]] = []
    asked: list[Sought] = []
    for row in rows:
        context = read_record(row["text"], str(row["path"])).context
        sentences = re.split(r"(?<=[.?!])\s+", context.strip())
        first = next((one.split() for one in sentences if len(one.split()) >= _FEWEST_WORDS), None)
        bare.append({**row, "without": "context"})
        if first:
            query = " ".join(first[:_MOST_WORDS])
            asked.append(Sought(query=query, relevant=frozenset({str(row["id"])})))
    return bare, asked


def figures(
    ranked: Ranked,
    questions: Sequence[Sought],
    milliseconds: Sequence[float] = (),
    fusion: Ranked | None = None,
) -> tuple[Measure, ...]:
    """Sum up one system; a question without a right answer among the hits scores 0.

    Args:
        fusion: what it is held against, question by question (reciprocal ranks).
    """
    places = _places(ranked, questions)
    beside = _places(fusion, questions) if fusion is not None else places
    columns = {
        "recall_at_1": [float(place == 1) for place in places],
        "recall_at_5": [float(0 < place <= 5) for place in places],
        "mrr": _reciprocal(places),
    }
    found = [resampled(name, mean, np.array(column)) for name, column in columns.items()]
    slow = float(np.quantile(milliseconds, 0.95)) if len(milliseconds) else None
    above = np.array(_reciprocal(places)) - np.array(_reciprocal(beside))
    return (
        *found,
        Measure(name="milliseconds_p95", value=slow, n=len(milliseconds)),
        resampled("above_rank_fusion", mean, above if fusion is not None else np.array([])),
    )


def _places(ranked: Ranked, questions: Sequence[Sought]) -> list[int]:
    """Tell where the first right answer stands in each; 0: not among the hits."""
    return [
        next((place for place, found in enumerate(hits[:HITS], 1) if found in one.relevant), 0)
        for hits, one in zip(ranked, questions, strict=True)
    ]


def _reciprocal(places: Sequence[int]) -> list[float]:
    return [1 / place if place else 0.0 for place in places]


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
        decisions = [read(row) for row in rows]
        given = {one.id: str(row["id"]) for one, row in zip(decisions, rows, strict=True)}
    except KeyError as error:
        raise BadInput(f"a row of records needs id, path and text: {error}") from error
    await store.put(decisions)
    names = await database.read(lambda connection: _names(connection, given))
    ranked: dict[str, Ranked] = {}
    took: list[float] = []
    for name, least in (("ours", floor), ("ours, nothing left out", _NO_FLOOR)):
        search = JournalSearch(store, least)
        hits: list[list[str]] = []
        for one in questions:
            start = asyncio.get_running_loop().time()
            found = await search.search(one.query, whole(_TENANT), now=_NOW, limit=HITS)
            took.append(1000 * (asyncio.get_running_loop().time() - start))
            hits.append([given[hit.decision.id] for hit in found])
        ranked[name] = hits
    rivals = await _rivals(database, questions, encoder, names)
    await database.close()
    return {**ranked, **rivals}, took[: len(questions)]


def read(row: Mapping[str, Any]) -> Decision:  # a JSON line
    """Read a record, without its context where that is asked for."""
    found = read_record(row["text"], f"{row.get('repo')}/{row['path']}")
    return found.model_copy(update={"context": ""}) if row.get("without") == "context" else found


async def _rivals(
    database: Database,
    questions: Sequence[Sought],
    encoder: Embedder | None,
    names: Mapping[int, str],
) -> Mapping[str, Ranked]:
    found: dict[str, list[list[str]]] = {"words alone": []}
    vectors = encoder.embed([one.query for one in questions]) if encoder else None
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
        owner = Owner(_TENANT, encoder.name)
        cosines = await database.read(partial(OF_DECISIONS.cosines, owner=owner, question=question))
        best = sorted(cosines, key=lambda entry: -cosines[entry])[: legs.MOST_HITS]
        nearest = {entry: cosines[entry] for entry in best}
        found.setdefault("vectors alone", []).append([names[entry] for entry in nearest])
        fused = reciprocal(words, nearest)
        found.setdefault(FUSION, []).append([names[entry] for entry in fused])
    return found


def _by_words(connection: Connection, match: str) -> Mapping[int, float]:
    return legs.by_words(match, legs.Allowed(connection, whole(_TENANT), _EVERYTHING))


def _names(connection: Connection, given: Mapping[str, str]) -> Mapping[int, str]:
    rows = connection.execute(select(journal_entry.c.entry_id, journal_entry.c.id)).all()
    return {row.entry_id: given[row.id] for row in rows}
