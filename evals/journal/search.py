"""Search over decision records, and their supersession.

Filters read from a question; ranking beside words, vectors and rank fusion; records that replace
others, from their text alone.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import yaml
from sqlalchemy import Connection, select

from evals.measures import Measure, mean_of_column, resampled_measure, share
from state.errors import BadInput
from state.journal import Decision, DecisionFilters, DecisionStatus
from state.noun import Noun
from state.reader import whole
from tools.adapters import Embedder, VectorOwner
from tools.journal import JournalSearch, JournalStore
from tools.journal.records.reader import read_record
from tools.journal.search import retrieval as legs
from tools.journal.search.query import match_of, terms_of
from tools.journal.search.question import read_question
from tools.journal.search.retrieval import reciprocal_rank_fusion
from tools.journal.search.search import ground_question
from tools.journal.store.entry_rows import OF_DECISIONS
from tools.journal.supersession.links import NEAREST, SupersessionFinder
from tools.storage import Database
from tools.storage.tables.journal import journal_entry

QUESTIONS = Path(__file__).with_name("questions.yaml")
FILTER_MEASURES = ("filters_exact", "technologies_exact")
_ASKED = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
_TENANT = "default"
_KINDS = ("questions", "technologies")


class Question(Noun):
    """A question, and what it is to be narrowed to."""

    q: str
    since: str | None = None
    until: str | None = None
    people: tuple[str, ...] = ()
    status: DecisionStatus | None = None
    technologies: tuple[str, ...] = ()

    def is_read(self, connection: Connection) -> bool:
        """Tell whether all of it is read, and nothing else; times by their day."""
        found = ground_question(connection, read_question(self.q, _ASKED), whole(_TENANT)).filters
        wanted = (self.since, self.until, self.people, self.status, frozenset(self.technologies))
        return _told(found) == wanted


class QuestionFilters(NamedTuple):
    """A question, whether it is one on technologies, and whether it was read exactly."""

    asked: Question
    is_on_technologies: bool
    is_exact: bool


def own_questions() -> list[QuestionFilters]:
    """Read the questions that ship, asked of the records that ship with them."""
    return asyncio.run(_read(yaml.load(QUESTIONS.read_text("utf-8"), yaml.CSafeLoader)))


def filter_measures(read: Sequence[QuestionFilters]) -> tuple[Measure, ...]:
    """Count the questions that are read exactly: all of them, those on technologies."""
    some = [one for one in read if one.is_on_technologies]
    return tuple(
        share(name, sum(one.is_exact for one in asked), len(asked))
        for name, asked in zip(FILTER_MEASURES, (read, some), strict=True)
    )


async def _read(given: dict[str, Any]) -> list[QuestionFilters]:  # YAML
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        database = Database(f"sqlite:///{Path(folder) / 'journal.sqlite'}")
        records = [_record(number, **row) for number, row in enumerate(given["records"])]
        await JournalStore(database).put(records)

        def work(connection: Connection) -> list[QuestionFilters]:
            rows = [(row, key == "technologies") for key in _KINDS for row in given[key]]
            asked = [(Question.model_validate(row), is_on) for row, is_on in rows]
            return [QuestionFilters(one, is_on, one.is_read(connection)) for one, is_on in asked]

        read = await database.read(work)
        await database.close()
    return read


def _record(number: int, *, title: str, by: str, text: str) -> Decision:
    return Decision(
        id=f"rec-{number}",
        session_id="evals",
        title=title,
        decision=title,
        rationale=text,
        stakeholders=(by,),
        confidence=1.0,
    )


def _told(found: DecisionFilters) -> tuple[object, ...]:
    days = (f"{one:%Y-%m-%d}" if one else None for one in (found.since, found.until))
    return (*days, found.people, found.status, frozenset(found.technologies))


FUSION = "rank fusion, k 60"
HITS = 10
_FEWEST_WORDS, _MOST_WORDS = 6, 40
_NO_FLOOR = -1.0
"""A cosine that everything has: then only the order is ours, as it is only theirs."""
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_EVERYTHING = DecisionFilters()


class SearchCase(Noun):
    """A question and the ids of the records that answer it."""

    query: str
    relevant: frozenset[str]


Ranked = Sequence[Sequence[str]]
"""For each question the ids found, best first."""


def read_search_cases(rows: Iterable[Mapping[str, Any]]) -> list[SearchCase]:  # JSON lines
    """Read rows of {query, relevant}."""
    return [SearchCase(query=row["query"], relevant=frozenset(row["relevant"])) for row in rows]


def rankings(
    rows: Sequence[Mapping[str, Any]],  # as above
    questions: Sequence[SearchCase],
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
) -> tuple[list[dict[str, Any]], list[SearchCase]]:
    """Make questions that share no words with titles by design: records, and what led to each.

    What is asked is the first sentence of a record's context, and the context is taken out of the
    record: whoever asks tells of the matter in words of his own.
    """
    bare: list[dict[str, Any]] = []
    asked: list[SearchCase] = []
    for row in rows:
        context = read_record(row["text"], str(row["path"])).context
        sentences = re.split(r"(?<=[.?!])\s+", context.strip())
        first = next((one.split() for one in sentences if len(one.split()) >= _FEWEST_WORDS), None)
        bare.append({**row, "without": "context"})
        if first:
            query = " ".join(first[:_MOST_WORDS])
            asked.append(SearchCase(query=query, relevant=frozenset({str(row["id"])})))
    return bare, asked


def search_measures(
    ranked: Ranked,
    questions: Sequence[SearchCase],
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
    found = [
        resampled_measure(name, mean_of_column, np.array(column))
        for name, column in columns.items()
    ]
    slow = float(np.quantile(milliseconds, 0.95)) if len(milliseconds) else None
    above = np.array(_reciprocal(places)) - np.array(_reciprocal(beside))
    return (
        *found,
        Measure(name="milliseconds_p95", value=slow, n=len(milliseconds)),
        resampled_measure(
            "above_rank_fusion", mean_of_column, above if fusion is not None else np.array([])
        ),
    )


def _places(ranked: Ranked, questions: Sequence[SearchCase]) -> list[int]:
    """Tell where the first right answer stands in each; 0: not among the hits."""
    return [
        next((place for place, found in enumerate(hits[:HITS], 1) if found in one.relevant), 0)
        for hits, one in zip(ranked, questions, strict=True)
    ]


def _reciprocal(places: Sequence[int]) -> list[float]:
    return [1 / place if place else 0.0 for place in places]


async def _rankings(
    rows: Sequence[Mapping[str, Any]],
    questions: Sequence[SearchCase],
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
    questions: Sequence[SearchCase],
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
        owner = VectorOwner(_TENANT, encoder.name)
        cosines = await database.read(partial(OF_DECISIONS.cosines, owner=owner, question=question))
        best = sorted(cosines, key=lambda entry: -cosines[entry])[: legs.MOST_HITS]
        nearest = {entry: cosines[entry] for entry in best}
        found.setdefault("vectors alone", []).append([names[entry] for entry in nearest])
        fused = reciprocal_rank_fusion(words, nearest)
        found.setdefault(FUSION, []).append([names[entry] for entry in fused])
    return found


def _by_words(connection: Connection, match: str) -> Mapping[int, float]:
    return legs.score_by_words(match, legs.SearchScope(connection, whole(_TENANT), _EVERYTHING))


def _names(connection: Connection, given: Mapping[str, str]) -> Mapping[int, str]:
    rows = connection.execute(select(journal_entry.c.entry_id, journal_entry.c.id)).all()
    return {row.entry_id: given[row.id] for row in rows}


Pair = tuple[str, str]
"""Ids of the newer and the older record."""


def pairs(rows: Iterable[Mapping[str, Any]]) -> frozenset[Pair]:  # JSON lines
    """Read rows of {new, old}."""
    return frozenset((str(row["new"]), str(row["old"])) for row in rows)


def supersession_measures(
    rows: Sequence[Mapping[str, Any]],  # JSON lines
    gold: frozenset[Pair],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Measure, ...]:
    """Read records without what they say of each other's standing, and look for it.

    Raises:
        BadInput: a row has no id, path or text.
    """
    return asyncio.run(_superseded(rows, gold, encoder, folder, floor=floor))


async def _superseded(
    rows: Sequence[Mapping[str, Any]],  # as above
    gold: frozenset[Pair],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Measure, ...]:
    database = Database(f"sqlite:///{folder / 'succession.sqlite'}")
    search = JournalSearch(JournalStore(database, encoder), floor)
    repositories: dict[str, list[Decision]] = {}
    tenants: dict[str, str] = {}
    named: dict[str, str] = {}
    try:
        for row in rows:
            tenant = tenants.setdefault(str(row.get("repo")), f"repository-{len(tenants)}")
            one = _unlinked(read_record(row["text"], str(row["path"]), tenant_id=tenant))
            repositories.setdefault(tenant, []).append(one)
            named[f"{tenant}/{one.id}"] = str(row["id"])
    except KeyError as error:
        raise BadInput(f"a row of records needs id, path and text: {error}") from error
    sure: set[Pair] = set()
    asked: set[Pair] = set()
    places: list[float] = []
    for tenant, decisions in repositories.items():
        await search.store.put(decisions)
        for found in await SupersessionFinder(search).found(decisions, tenant):
            pair = (named[f"{tenant}/{found.newer.id}"], named[f"{tenant}/{found.older.id}"])
            (sure if found.replaces.is_sure else asked).add(pair)
        for newer in decisions:
            wanted = {old for new, old in gold if new == named[f"{tenant}/{newer.id}"]}
            if wanted:
                near = await search.near(newer, whole(tenant), limit=NEAREST)
                hits = {named[f"{tenant}/{hit.decision.id}"] for hit in near}
                places += [float(old in hits) for old in wanted]
    await database.close()
    return (
        resampled_measure("superseded_in_top_5", mean_of_column, np.array(places, np.float64)),
        share("links_precision", len(sure & gold), len(sure)),
        share("links_recall", len(sure & gold), len(gold)),
        share("proposed_per_record", len(asked), len(rows)),
    )


def _unlinked(decision: Decision) -> Decision:
    update = {"superseded_by": None, "supersedes": None, "status": DecisionStatus.ACTIVE}
    return decision.model_copy(update=update)
