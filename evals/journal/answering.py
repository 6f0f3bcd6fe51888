"""The journal as evals ask it: what it reads out of a discussion, and finds to a question."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from evals.dataset import Dataset
from evals.inputs import DiscussionInputs, QueryInputs
from evals.journal.extraction import is_cited
from graph.assembly.encoding import build_encoder
from graph.assembly.thresholds import read_tuning
from graph.settings import Settings
from state.journal import Decision
from state.reader import whole
from tools.journal.extracting.extract import extract
from tools.journal.keeping.store import JournalStore
from tools.journal.searching.search import JournalSearch
from tools.storage.database import Database

LIBRARY = Path(__file__).with_name("library.yaml")
HITS = 10
_NOW = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
_TENANT = "default"


@contextmanager
def discussions(
    _dataset: Dataset, _pack: str | None, _learnt: Path | None
) -> Iterator[Any]:  # an Answer of target.py
    """Read out of each discussion the decision that its last message takes."""
    yield _read


@contextmanager
def queries(_dataset: Dataset, _pack: str | None, learnt: Path | None) -> Iterator[Any]:  # as above
    """Search the library, laid out as a journal in a folder that goes away."""
    settings = Settings() if learnt is None else Settings(cache_dir=learnt)
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder, asyncio.Runner() as runner:
        database = Database(f"sqlite:///{Path(folder) / 'journal.sqlite'}")
        store = JournalStore(database, encoder)
        search = JournalSearch(store, tuning.journal.similarity_floor)
        try:
            runner.run(_laid_out(store))
            yield lambda inputs: runner.run(_found(search, inputs))
        finally:
            runner.run(database.close())
            if encoder is not None:
                encoder.close()


def library() -> Sequence[Decision]:
    """Read the records that ship to be searched."""
    return [_record(**row) for row in yaml.load(LIBRARY.read_text("utf-8"), yaml.CSafeLoader)]


def _read(inputs: dict[str, Any]) -> dict[str, Any]:
    messages = DiscussionInputs.model_validate(inputs).messages
    found = extract(messages, len(messages) - 1, confidence=1.0)
    return {
        "decision": found.decision,
        "rationale": found.rationale,
        "maker": found.decision_maker,
        "alternatives": [one.option for one in found.alternatives],
        "links": sorted({*found.related_code, *found.related_features, *found.related_docs}),
        "votes": dict(found.votes),
        "is_cited": is_cited(found, messages),
    }


async def _laid_out(store: JournalStore) -> None:
    await store.put(library())


async def _found(search: JournalSearch, inputs: dict[str, Any]) -> dict[str, Any]:
    asked = QueryInputs.model_validate(inputs)
    loop = asyncio.get_running_loop()
    started = loop.time()
    hits = await search.search(asked.query, whole(_TENANT), now=_NOW, limit=HITS)
    return {"found": [hit.decision.id for hit in hits], "seconds": loop.time() - started}


def _record(*, id: str, title: str, by: str, at: str, text: str) -> Decision:  # noqa: A002 - as the file
    return Decision(
        id=id,
        session_id="evals",
        timestamp=datetime.fromisoformat(f"{at}T12:00:00+00:00"),
        title=title,
        decision=title,
        rationale=text,
        stakeholders=(by,),
        confidence=1.0,
    )
