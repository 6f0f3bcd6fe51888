"""Models and paper providers that fail in every way."""

import json
import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import pytest

from evals.loopback.openai_server import Fault
from graph.executive import Executive
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.event import Event
from state.paper import SearchResult
from state.policy import SearchPolicy
from state.record import DecisionRecord
from state.salience import SalienceVector
from tests.openai_server import OpenAIServer, Rule
from tests.safety.benches import sql
from tests.safety.executives import message
from tests.safety.valves import effects
from tests.tools.adapters.papers.asking import search_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Asked, PaperServer, Reply, Speak, said
from tests.tools.adapters.papers.shelf import Entry
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tests.torture.worlds import hang_up

# A model that fails in every way makes no decision more daring and none late.

SECONDS = 0.25
"""What a model may take here."""
HANGING_SECONDS = 2.0
"""What it may take where the time is measured: a tenth of it is more than a decision itself."""


def _said(**fields: Any) -> str:
    whole: dict[str, Any] = {
        "say": "x",
        "action": None,
        "arguments": [],
        "predicted_success": 1,
        "confidence": 1,
    }
    return json.dumps(whole | fields)


def _faults(*names: Fault) -> tuple[Rule, ...]:
    return tuple(Rule(fault=name) for name in names)


def _says(*said: str) -> tuple[Rule, ...]:
    return tuple(Rule(says=one) for one in said)


REFUSED: tuple[Rule, ...] = ()
"""No server at all."""
KINDS: Mapping[str, tuple[Rule, ...]] = {
    "nothing comes": _faults("hang", "stall"),
    "byte after byte": (Rule(says=_said(), fault="drip", seconds=0.01),),
    "429": _faults("rate_limit"),
    "5xx": _faults("server_error", "unavailable"),
    "connection refused": REFUSED,
    "connection lost": _faults("reset", "half_body"),
    "garbage": (*_faults("garbage"), *_says("[" * 100_000, "阀门已打开。 Ich öffne V-101 sofort.")),
    "refusal": _faults("refusal"),
    "half an answer": _faults("half_json", "length"),
    "another form": _says(
        "",
        "null",
        "{}",
        "[1, 2, 3]",
        '{"say": 1, "action": ["open_valve"], "arguments": "V-1", "confidence": "high"}',
        _said(action="open_valve", predicted_success=9, confidence=9),
        _said(say="\ud800\x00"),
    ),
    "ten megabytes": _says("x" * 10_000_000, _said(say="x" * 10_000_000)),
    "an unknown action": _says(
        _said(action="__class__"), _said(action="open_valve; rm -rf /"), _said(action="OPEN_VALVE")
    ),
}
TEXTS = ("what now?", "hm, the weather turns", "tell me about the moon", "how are you today?")
ORDERS = ("open valve V-101", "read gauge G-1", "label valve V-7")
HAPPENS = ("The ferry is early", "A gull sits on the mast", "The crane is being painted")
CALM = ("spoke", "silent", "failed", "refused", "answered", "passed", "stored")


@few_or_many(24, 1_200)  # one in nine is an order, which no model is asked about
@pytest.mark.filterwarnings(  # httpx leaves a connection open that is cut off while it waits
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
async def test_a_fault_of_the_model_never_leads_to_a_higher_action(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    chance, port = random.Random(7), _free_port()
    policy = _impatient(tmp_path, SECONDS)
    before = _recorded(data_dir)
    took: list[float] = []
    async with _opened(data_dir, pack, policy, port) as executive:
        for at, (kind, rules) in enumerate(KINDS.items()):
            with _served(port, rules) as server:
                for number in range(at, count, len(KINDS)):
                    if server is not None:
                        server.rules[:] = [rules[number // len(KINDS) % len(rules)]]
                    event = _event(number, chance)
                    started = perf_counter()
                    record = await executive.submit(event)
                    took.append(perf_counter() - started)
                    if record.models:
                        tally.add(f"events that met a fault of the model: {kind}")
                    _assert_as_without_a_model(event, record)
    tally.add(f"ms at most, of a model that may take {SECONDS:g} s", round(max(took) * 1000))
    assert len(took) == count
    assert max(took) < SECONDS + 5
    assert _recorded(data_dir) - before == count
    assert {each["action"] for each in effects(data_dir)} <= {"read_gauge"}
    started_query = (
        "select count(*) from ledger_action where started_at > 0 and execution_class > 'A'"
    )
    assert sql(data_dir, started_query) == [(0,)]


@pytest.mark.torture
async def test_a_model_that_hangs_costs_what_it_may_take_and_a_tenth(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally
):
    port, policy = _free_port(), _impatient(tmp_path, HANGING_SECONDS)
    took: list[float] = []
    async with _opened(data_dir, pack, policy, port) as executive:
        with _served(port, _faults("hang")):
            for number in range(41):
                event = message(TEXTS[0], f"e-{number}", user=f"u-{number}", session_id=f"{number}")
                started = perf_counter()
                record = await executive.submit(event)
                took.append(perf_counter() - started)
                assert [use.end for use in record.models] == ["timeout"]
    p95 = quantiles(took[1:], n=20)[-1]  # the first one meets a cold process
    told = f"ms at the 95th percentile where a model hangs that may take {HANGING_SECONDS:g} s"
    tally.add(told, round(p95 * 1000))
    assert p95 <= 1.1 * HANGING_SECONDS


@asynccontextmanager
async def _opened(data_dir: Path, pack: Path, policy: Path, port: int) -> AsyncIterator[Executive]:
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        data_dir=data_dir,
        packs=(str(pack),),
        policy_file=policy,
        model="faulty",
        model_base_url=f"http://127.0.0.1:{port}/v1",
    )
    async with open_executive(settings) as executive:
        yield executive
        await hang_up(executive._box)


def _free_port() -> int:
    with OpenAIServer() as server:
        return int(server.base_url.split(":")[2].removesuffix("/v1"))


@contextmanager
def _served(port: int, rules: Sequence[Rule]) -> Iterator[OpenAIServer | None]:
    if not rules:
        yield None
        return
    with OpenAIServer(*rules, port=port) as server:
        yield server


def _event(number: int, chance: random.Random) -> Event:
    """Say something, order something, or let something happen, each in a session of its own."""
    named = {"session_id": f"s-{number}"}
    if number % 5 == 0:
        text, salience = chance.choice(HAPPENS), SalienceVector(goal_relevance=0.9)
        quiet = {"user": None, "role": None, "salience": salience}
        return message(text, f"e-{number}", **named, **quiet)
    text = chance.choice(ORDERS if number % 7 == 0 else TEXTS)
    return message(text, f"e-{number}", user=f"amir-{number}", **named)


def _recorded(data_dir: Path) -> int:
    """Count records; an event that had two, or none, would show."""
    query = "select count(*), count(distinct event_id) from decision where record is not null"
    ((rows, events),) = sql(data_dir, query)
    assert rows == events
    return int(rows)


def _assert_as_without_a_model(event: Event, record: DecisionRecord) -> None:
    if event.text in ORDERS:
        assert record.outcome in ("awaiting_approval", "executed", "offered")
    else:
        assert record.action is None, (event.text, record.action, record.outcome)
        assert record.outcome in CALM


def _impatient(folder: Path, seconds: float) -> Path:
    policy = (ROOT / "policy.toml").read_text("utf-8")
    assert "model_seconds = 8.0" in policy
    assert "failures_in_a_row = 5" in policy  # or all but the first five met a resting model
    policy = policy.replace("failures_in_a_row = 5", "failures_in_a_row = 1_000_000")
    file = folder / "policy.toml"
    file.write_text(policy.replace("model_seconds = 8.0", f"model_seconds = {seconds}"), "utf-8")
    return file


# Paper providers that fail, lie and repeat themselves: no paper breaks a constraint, none is
# lost. What a paper is, the test knows from its own shelf, and not from what a provider said of
# it.

SECONDS_PAPER_FAULTS = 1.5
QUICK = {
    "seconds": f"seconds = {SECONDS_PAPER_FAULTS}",
    "request_seconds": "request_seconds = 0.4",
    "attempts": "attempts = 2",
    "longest_wait_seconds": "longest_wait_seconds = 0.05",
}
PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
JUNK: tuple[Any, ...] = (None, 7, "x", [], {}, {"title": 4}, {"title": "No id"}, [[[]]])


def _shelf() -> list[Entry]:
    chance = random.Random(11)
    return [
        Entry(
            f"Sea ice and the number {number}",
            year := chance.choice([None, *range(1995, 2026)]),
            f"{year}-{chance.randint(1, 12):02}-15" if year and chance.random() < 0.7 else None,
            authors=(chance.choice(["Ada Lovelace", "Bo Ek", "G. E. Hinton"]),),
            venue=chance.choice([None, "Nature", "Nature Communications"]),
            doi=f"10.1000/{number}",
            is_open=chance.random() < 0.5,
            citations=chance.randint(0, 50),
        )
        for number in range(60)
    ]


SHELF = _shelf()
BY_DOI = {entry.doi: entry for entry in SHELF}


def _once(reply: Reply) -> Callable[[Speak], Speak]:
    """Fail the first time only."""

    def wrapped(speak: Speak) -> Speak:
        left = [reply]
        return lambda asked: left.pop() if left else speak(asked)

    return wrapped


def _always(reply: Reply) -> Callable[[Speak], Speak]:
    return lambda _speak: lambda _asked: reply


def _deaf(speak: Speak) -> Speak:
    """Ignore every filter."""
    kept = {"query", "search", "fields", "select", "limit", "per_page", "cursor", "offset"}

    def answer(asked: Asked) -> Reply:
        params = {key: value for key, value in asked.params.items() if key in kept}
        return speak(Asked(asked.method, asked.path, params, asked.headers))

    return answer


def _choosy(speak: Speak) -> Speak:
    """Reject every filter, and say nothing of which."""
    filters = {"year", "publicationDateOrYear", "openAccessPdf", "venue", "minCitationCount"}

    def answer(asked: Asked) -> Reply:
        is_filtered = filters & set(asked.params) or "filter" in asked.params
        return said({"error": "Bad request"}, 400) if is_filtered else speak(asked)

    return answer


def _twice(speak: Speak) -> Speak:
    """Tell everything twice, with rubbish between."""

    def answer(asked: Asked) -> Reply:
        reply = speak(asked)
        whole = json.loads(reply.body)
        for key in ("data", "results"):
            if isinstance(whole, dict) and isinstance(whole.get(key), list):
                whole[key] = [*whole[key], *JUNK, *whole[key]]
        return Reply(reply.status, json.dumps(whole).encode())

    return answer


FAULTS: Sequence[Callable[[Speak], Speak]] = (
    lambda speak: speak,
    _deaf,
    _choosy,
    _twice,
    _once(said({"message": "Too Many Requests"}, 429, retry_after="0")),
    _once(said({"error": "Internal"}, 500)),
    _once(Reply(body=b'{"data": []}' * 99, half=True)),
    _always(said({"message": "Too Many Requests"}, 429, retry_after="86400")),
    _always(Reply(503, PAGE, {"content-type": "text/html"})),
    _always(Reply(body=PAGE, headers={"content-type": "text/html"})),
    _always(Reply(302, headers={"location": "http://169.254.169.254/"})),
    _always(said({"data": {"0": 1}, "results": 3})),
    _always(said({"data": list(JUNK), "results": list(JUNK), "next": 0})),
    _always(Reply(body=b"[" * 100_000)),
    _always(Reply(silent=True)),
)


@few_or_many(30, 1_000)
async def test_no_fault_makes_a_constraint_forgotten_or_a_search_late(
    tmp_path: Path, tally: Tally, count: int
):
    chance = random.Random(5)
    with semantic_scholar(SHELF) as first, openalex(SHELF) as second:
        whole = {id(server): server.speak for server in (first, second)}
        papers = search_of(tmp_path, first, second, tuning=QUICK)
        for number in range(count):
            faults = [FAULTS[number % len(FAULTS)], chance.choice(FAULTS)]
            chance.shuffle(faults)
            for server, fault in zip((first, second), faults, strict=True):
                server.speak = fault(whole[id(server)])
            search = _search(chance)
            started = perf_counter()
            (found,) = await papers.batch([search])
            if isinstance(found, SearchResult):
                _assert_kept(search, [paper.doi for paper in found.papers])
                tally.add("searches of faulty providers")
            else:
                assert "Semantic Scholar: " in str(found)
                assert "OpenAlex: " in str(found)
                tally.add("searches that no provider answered")
            assert perf_counter() - started < SECONDS_PAPER_FAULTS + 3
        _assert_told_well((first, second))


def _search(chance: random.Random) -> SearchPolicy:
    fields: dict[str, Any] = {"query_terms": ("sea", "ice"), "limit": chance.choice([1, 10, 60])}
    if chance.random() < 0.6:
        fields["year_from"] = chance.randint(1995, 2015)
    if chance.random() < 0.4:
        fields["year_to"] = chance.randint(2016, 2025)
    if chance.random() < 0.4:
        fields["open_access_only"] = True
    if chance.random() < 0.2:
        fields["min_citations"] = chance.randint(1, 40)
    if chance.random() < 0.2:
        fields["venue"] = "Nature"
    if chance.random() < 0.2:
        fields["authors"] = ("Geoffrey Hinton",)
    return SearchPolicy.model_validate(fields)


def _assert_kept(search: SearchPolicy, dois: Sequence[str | None]) -> None:
    assert len(dois) == len(set(dois)) <= search.limit
    for doi in dois:
        entry = BY_DOI[doi]
        if search.year_from is not None:
            assert (entry.year or 0) >= search.year_from
        if search.year_to is not None:
            assert (entry.year or 9_999) <= search.year_to
        assert entry.is_open or not search.open_access_only
        assert entry.citations >= (search.min_citations or 0)
        assert entry.venue == "Nature" or not search.venue
        assert entry.authors == ("G. E. Hinton",) or not search.authors


def _assert_told_well(servers: Sequence[PaperServer]) -> None:
    """Whatever went wrong, nobody was asked for years in words, or more than a page holds."""
    for asked in (each for server in servers for each in server.asked):
        query = asked.params.get("query") or asked.params.get("search") or ""
        assert not any(word.isdigit() for word in query.split())
        assert int(asked.params.get("limit", asked.params.get("per_page", "1"))) <= 100
