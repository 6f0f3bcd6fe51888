"""Answer the cases of a dataset through the whole decision path, nothing replaced.

Queries and discussions are answered by the decision journal.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import yaml

from evals.dataset import (
    Dataset,
    DiscussionInputs,
    QueryInputs,
    RequestInputs,
    SearchInputs,
    StreamInputs,
    TimedEvent,
)
from evals.journal.detection import is_cited
from evals.targets.sessions import (
    Approvals,
    Courses,
    Ratings,
    Timings,
    message,
    ran_of,
    uses_of,
    wordings,
)
from evals.targets.tasks import tasks
from graph.replay.harness import Harness, HarnessDecision, relevance_margin
from graph.settings import Settings
from graph.wiring.models import build_encoder
from graph.wiring.thresholds import read_tuning
from state.journal import Decision
from state.policy import SearchReading
from state.reader import whole
from tools.journal import JournalSearch, JournalStore
from tools.journal.extraction.extractor import extract
from tools.nlu import read_search_fields, refine
from tools.observability import Kind
from tools.storage import Database

LIBRARY = Path(__file__).parents[1] / "journal" / "library.yaml"
HITS = 10
_NOW = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
_TENANT = "default"


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
            runner.run(store.put(library()))
            yield lambda inputs: runner.run(_found(search, inputs))
        finally:
            runner.run(database.close())
            if encoder is not None:
                encoder.close()


def library() -> Sequence[Decision]:
    """Read the records that ship to be searched."""
    return [_record(**row) for row in yaml.load(LIBRARY.read_text("utf-8"), yaml.CSafeLoader)]


def _discussion(inputs: dict[str, Any]) -> dict[str, Any]:
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


Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""From the inputs of a case to what the evaluators see of the decision, as plain JSON."""


class Answers(Protocol):
    """Answers the cases of one kind of dataset."""

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one case."""
        ...


@contextmanager
def open_target(
    dataset: Dataset,
    *,
    pack: str | None = None,
    learnt: Path | None = None,
    told: Callable[[], None] = lambda: None,
    given: Mapping[str, Any] | None = None,
) -> Iterator[Answer]:
    """Open what answers the cases of a dataset.

    Args:
        pack: a pack to judge instead of the dataset's own.
        learnt: where what is learnt from the pack is kept; none: as in the settings.
        told: called after each answer.
        given: settings that differ, by name, such as the strategy.

    Raises:
        PackFaults, NotFound: the pack cannot be loaded.
    """
    with _opened(dataset, pack, learnt, given or {}) as answers:

        def answer(inputs: dict[str, Any]) -> dict[str, Any]:
            try:
                return answers(inputs)
            finally:
                told()

        yield answer


@contextmanager
def _opened(
    dataset: Dataset, pack: str | None, learnt: Path | None, given: Mapping[str, Any]
) -> Iterator[Answer]:
    if (alone := ALONE.get(dataset.header.target)) is not None:
        with alone(dataset, pack, learnt) as answer:
            yield answer
        return
    packs = tuple((pack or dataset.header.pack).split(","))
    # Nothing is judged by what the literature holds today.
    settings: dict[str, Any] = {"paper_providers": (), **given}  # by setting
    if learnt is not None:
        settings["cache_dir"] = learnt
    playground = Harness(packs, dataset.header.starts_at, settings=settings)
    kind = _KINDS[dataset.header.target]
    with asyncio.Runner() as runner:
        try:
            runner.run(playground.open())
            answers: Answers = kind(playground)
            yield lambda inputs: runner.run(answers.answer(inputs))
        finally:
            runner.run(playground.close())


@contextmanager
def _search_fields(dataset: Dataset, _pack: str | None, _learnt: Path | None) -> Iterator[Answer]:
    """Read search fields, of a new search or of a follow-up; no event, no graph."""
    today = dataset.header.starts_at.date()

    def answer(inputs: dict[str, Any]) -> dict[str, Any]:
        case = SearchInputs.model_validate(inputs)
        if case.previous is None:
            reading: SearchReading | None = read_search_fields(case.text, today)
        else:
            reading = refine(case.previous, case.text, today)
        return {"search": reading.search.model_dump(mode="json") if reading else None}

    yield answer


class Requests:
    """Messages of people, each in a session of its own."""

    def __init__(self, playground: Harness) -> None:
        self._playground = playground
        self._numbers = count(1)
        self._kinds = [
            Kind.of(action).model_dump(mode="json")
            for action in playground.executive.catalogue.actions.values()
        ]

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Say a message; nobody answers what the system asks back."""
        request = RequestInputs.model_validate(inputs)
        number = next(self._numbers)
        named = {"event_id": f"request-{number}", "session_id": f"session-{number}"}
        decided = await self._playground.decide(message(**request.model_dump(), **named))
        return {
            **_outputs(decided),
            "chips": await self._chips(decided),
            "entities": await self._entities(decided),
            "kinds": self._kinds,
        }

    async def _chips(self, decided: HarnessDecision) -> list[dict[str, Any]]:
        record = decided.record
        return [
            {"action": chip.action, "arguments": dict(chip.arguments)}
            for offer in await self._playground.executive.offers.list(record.tenant_id)
            if offer.offer_id == record.offer_id
            for chip in offer.chips
        ]

    async def _entities(self, decided: HarnessDecision) -> list[Mapping[str, Any]]:
        """Give what the router found in the text; nothing where it was not asked."""
        record = decided.record
        trace = await self._playground.executive.records.trace(record.decision_id, record.tenant_id)
        routing = (trace.stages.get("policy") or {}).get("routing") or {}
        return list(routing.get("entities") or ())


class Streams:
    """Events in streams; a stream that is not simply gone on with starts on a fresh folder."""

    def __init__(self, playground: Harness) -> None:
        self._playground = playground
        self._played: tuple[TimedEvent, ...] = ()

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Play what came before, unless it was just played, and then the event itself."""
        timed = StreamInputs.model_validate(inputs)
        if not timed.before or timed.before != self._played:
            await self._playground.open()
            for earlier in timed.before:
                await self._play(earlier)
        decided = await self._play(timed)
        last = TimedEvent(at_seconds=timed.at_seconds, event=timed.event)
        self._played = (*timed.before, last)
        trace = await self._playground.executive.records.trace(
            decided.record.decision_id, decided.record.tenant_id
        )
        return {
            **_outputs(decided),
            "verdict": _verdict(trace.stages),
            "margin": relevance_margin(decided.record),
        }

    async def _play(self, timed: TimedEvent) -> HarnessDecision:
        playground = self._playground
        await playground.move_to(playground.starts_at + timedelta(seconds=timed.at_seconds))
        decided = await playground.decide(timed.event)
        if timed.event.kind == "signal":
            await playground.executive.resume_unfinished()
        return decided


_KINDS: Mapping[str, Callable[[Harness], Answers]] = {
    "requests": Requests,
    "streams": Streams,
    "approvals": Approvals,
    "timings": Timings,
    "courses": Courses,
    "ratings": Ratings,
}
"""What answers by whole decisions, by the header's target."""

_Alone = Callable[[Dataset, str | None, Path | None], AbstractContextManager[Answer]]
ALONE: Mapping[str, _Alone] = {
    "search_fields": _search_fields,
    "wordings": wordings,
    "discussions": lambda *_of: nullcontext(_discussion),
    "queries": queries,
    "tasks": tasks,
}
"""What opens what it needs by itself: one part of ours, or a service with its people."""


def _outputs(decided: HarnessDecision) -> dict[str, Any]:
    record = decided.record
    return {
        "outcome": "duplicate" if decided.duplicate else record.outcome,
        # The record of a duplicate is the first delivery's; nothing is said a second time.
        "spoke": record.spoke and not decided.duplicate,
        "reason": "duplicate" if decided.duplicate else record.reason,
        "action": record.action,
        "execution_class": record.execution_class,
        "slots": dict(record.arguments or {}),
        "confidence": record.confidence,
        "text": record.text,
        "seconds": decided.seconds,
        "models": uses_of(record),
        "ran": ran_of(decided.ran),
    }


def _verdict(stages: Mapping[str, Any]) -> str | None:  # JSON of each stage
    reason = (stages.get("relevance") or {}).get("reason")
    return reason if isinstance(reason, str) else None
