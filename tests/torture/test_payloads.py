"""Injections and malformed bodies in every place that takes a text."""

import asyncio
import json
import os
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.app import create_app
from state.errors import AgentError
from state.event import Event
from state.principal import Principal
from state.proposal import Proposal
from tests.api.test_hostile import MALFORMED
from tests.safety.benches import CAPTAIN, ENGINEER, PERMISSIVE, opened_ledger, sql
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.payloads import CANARY, INJECTIONS, paths_to
from tests.torture.routes import with_ids
from tests.torture.serving import clients
from tests.torture.tally import Tally
from tools.catalog.pack import load_pack

# Two hundred injections and eighty paths in every place that takes a text: data, and no more.

ANN = Principal(user="ann", tenant_id="aurora", roles=("captain", "chief_engineer", "engineer"))
OLAV = Principal(user="olav", tenant_id="borealis", roles=ANN.roles)
VESSEL = Path("vessel")
PARAMETERS = {
    "/v1/decisions": ("session_id", "outcome", "limit", "cursor"),
    "/v1/approvals": ("state", "limit", "cursor"),
    "/v1/offers": ("open", "limit", "cursor"),
    "/v1/proposals": ("status", "agent", "limit", "cursor"),
    "/v1/actions": ("undoable", "limit", "cursor"),
    "/v1/queries": ("since", "limit", "cursor"),
    "/v1/regrets": ("since",),
    "/v1/queries/gaps": ("since",),
    "/v1/metrics": ("since",),
    "/v1/journal/search": ("q", "limit", "status", "since", "until", "person", "technology"),
    "/v1/quiet": ("session_id",),
    "/v1/grants": ("limit", "cursor"),
    "/v1/heuristics": ("limit", "cursor"),
    "/v1/refusals": ("limit", "cursor"),
    "/v1/goals": ("limit", "cursor", "session_id"),
    "/v1/journal/links": ("standing", "limit", "cursor"),
    "/v1/memory": ("about", "session_id", "said_by", "user", "limit", "cursor"),
    "/v1/modulations": ("limit", "cursor", "session_id"),
    "/v1/personality": ("session_id",),
    "/v1/reminders": ("limit", "cursor", "session_id"),
    "/v1/skills": ("limit", "cursor", "session_id"),
    "/v1/state": ("session_id",),
    "/v1/tools": ("limit", "cursor"),
}
ENDLESS = {"/v1/stream": ("session_id",)}
"""A stream, which answers until nobody listens: tests/api has its bad values."""
SAYINGS = ("search documents for {}", "show {}", "what did we do about {} last week?")
ASKS_WORDS = "search documents for {}"


def test_there_are_as_many_as_are_promised():
    assert len(set(INJECTIONS)) >= 200
    assert not [each for each in INJECTIONS if CANARY in each]
    assert len(set(paths_to("/etc/passwd"))) >= 80


async def test_every_parameter_is_tried(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened, clients(opened.executive, ANN) as [ann]:
        paths = (await ann.get("/openapi.json")).json()["paths"]
    named = {
        path: tuple(
            each["name"]
            for each in operations["get"].get("parameters", ())
            if each["in"] == "query"
        )
        for path, operations in paths.items()
        if "get" in operations and "{" not in path
    }
    assert {path: names for path, names in named.items() if names} == PARAMETERS | ENDLESS


@few_or_many(3, 200)
async def test_an_injection_is_a_text_wherever_it_stands(data_dir: Path, tally: Tally, count: int):
    async with opened_executive(data_dir, VESSEL) as opened:
        await _have_secrets(opened)
        before = _theirs(data_dir)
        async with clients(opened.executive, ANN) as [ann]:
            for number, payload in enumerate(_some(INJECTIONS, count)):
                for answer in [await each for each in _everywhere(ann, payload, number)]:
                    tally.add("injections into a store")
                    where = f"{payload!r} at {answer.request.method} {answer.request.url}"
                    assert answer.status_code < 500, f"{where}: {answer.text[:500]}"
                    assert CANARY not in answer.text, where
        assert _theirs(data_dir) == before


async def test_what_is_looked_for_there_would_be_found_by_who_has_it(data_dir: Path):
    async with opened_executive(data_dir, VESSEL) as opened:
        await _have_secrets(opened)
        async with clients(opened.executive, OLAV, ANN) as [olav, ann]:
            told = {
                path: [(await each.get(path)).text for each in (olav, ann)]
                for path in ("/v1/decisions", "/v1/queries", "/v1/offers?open=false")
            }
    assert [CANARY in olavs for olavs, _anns in told.values()] == [True] * 3
    assert [CANARY in anns for _olavs, anns in told.values()] == [False] * 3


@few_or_many(2, 90)
async def test_a_path_is_a_name_and_opens_no_file(
    data_dir: Path, tmp_path: Path, tally: Tally, count: int
):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(CANARY, "utf-8")
    (data_dir / "link.txt").symlink_to(outside / "secret.txt")
    paths = paths_to(str(outside / "secret.txt"))
    async with opened_executive(data_dir, VESSEL) as opened:
        await opened.ask("what is on board?", "first", role="captain")
        before = _folders(tmp_path)
        async with clients(opened.executive, ANN) as [ann]:
            for number, path in enumerate(_some(paths, count)):
                for answer in [
                    *[await each for each in _everywhere(ann, path, number)],
                    *await _uploaded(ann, path, number),
                ]:
                    tally.add("paths that climb")
                    assert answer.status_code < 500, f"{path!r}: {answer.text[:500]}"
                    assert CANARY not in answer.text, path
        # The key that seals the ledger is made with its first row: a change that waits for a yes.
        assert _folders(tmp_path) - {str(data_dir / "ledger.key")} == before
    assert (outside / "secret.txt").read_text("utf-8") == CANARY


def test_no_path_is_a_tenant(tmp_path: Path):
    for path in (
        *paths_to(str(tmp_path)),
        "aurora/../borealis",
        "aurora/",
        "aurora\n",
        "",
        "a" * 65,
    ):
        with pytest.raises(ValidationError):
            Principal(user="ann", tenant_id=path)
        with pytest.raises(ValidationError):
            Event(event_id="e", source="bridge", text="hi", tenant_id=path)


@pytest.mark.parametrize("handler", ["../{}:run", "{}:run", "handlers/../../{}:run", "os:system"])
def test_a_pack_has_no_handler_outside_its_folder(tmp_path: Path, handler: str):
    (tmp_path / "elsewhere.py").write_text("raise SystemExit('it ran')", "utf-8")
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "actions.yaml").write_text(
        "actions:\n  look:\n    summary: Look\n    verb: show\n    object: thing\n"
        f'    effect: read\n    handler: "{handler.format("elsewhere")}"\n'
        '    examples: ["look", "have a look"]\n',
        "utf-8",
    )
    with pytest.raises(AgentError):
        load_pack(pack)


def _everywhere(
    client: httpx.AsyncClient, text: str, number: int
) -> Iterator[Awaitable[httpx.Response]]:
    """Put a text wherever a request may hold one."""
    for place, saying in enumerate(SAYINGS):
        said = {"text": saying.format(text), "session_id": f"s-{number}-{place}"}
        yield client.post("/v1/messages", json=said)
    named = {"event_id": text[:200], "source": text[:200], "session_id": text[:200], "kind": "tick"}
    payload = {text: text, "deep": [{text: [text]}]}
    entities = [{"type": text[:200], "value": text[:200]}]
    yield client.post(
        "/v1/events", json={"text": text, "payload": payload, "entities": entities, **named}
    )
    yield client.post("/v1/refusals", json={"action": text, "reason": text, "minutes": 1})
    for path, names in PARAMETERS.items():
        for name in names:
            yield client.get(path, params={name: text})
    inside = quote(text, safe="")
    for path in ("decisions", "approvals", "actions"):
        yield client.get(f"/v1/{path}/{inside}")
    yield client.post(f"/v1/approvals/{inside}", json={"decision": "approve", "digest": text})
    yield client.post(f"/v1/offers/{inside}", json={"chip_id": text, "arguments": {text: text}})


async def _uploaded(client: httpx.AsyncClient, path: str, number: int) -> list[httpx.Response]:
    """Upload a document of that name, and open one."""
    said = {"text": f"upload a new document: {path}", "session_id": f"u-{number}"}
    offered = await client.post("/v1/messages", json=said)
    offer_id = offered.json()["offer_id"]
    assert offer_id is not None, offered.text
    chosen = {"chip_id": "chip-1", "arguments": {"text": path}}
    done = await client.post(f"/v1/offers/{offer_id}", json=chosen)
    told = done.json()  # a title that two paths come to is there already
    assert told["outcome"] == "executed" or told["reason"] == "not_possible", done.text
    opening = {"text": f"open document {path}", "session_id": f"o-{number}"}
    return [offered, done, await client.post("/v1/messages", json=opening)]


async def _have_secrets(opened: Opened) -> None:
    """Let the other tenant say, upload and ask what only it may see."""
    for number, text in enumerate(
        (f"upload a new document: {CANARY}", f"search documents for {CANARY}", f"{CANARY}!")
    ):
        event = Event(
            event_id=f"b-{number}",
            kind="message",
            source="bridge",
            text=text,
            tenant_id=OLAV.tenant_id,
            user=OLAV.user,
            role=",".join(OLAV.roles),
            session_id=CANARY,
        )
        record = await opened.executive.submit(event)
        if number == 0:
            assert record.offer_id is not None
            done = await opened.executive.offers.choose(
                record.offer_id, "chip-1", OLAV, {"text": CANARY}
            )
            assert done.outcome == "executed"


def _theirs(data_dir: Path) -> dict[str, list[tuple[object, ...]]]:
    tables = [
        str(name)
        for (name,) in sql(data_dir, "select name from sqlite_master where type = 'table'")
        if any(row[1] == "tenant_id" for row in sql(data_dir, f"pragma table_info({name})"))
    ]
    assert {"decision", "ledger_action", "offer", "query_log"} <= set(tables)
    return {
        table: sql(data_dir, f"select * from {table} where tenant_id = 'borealis'")
        for table in tables
    }


def _folders(folder: Path) -> set[str]:
    """List every file there is, but for those a database makes for a moment."""
    return {
        str(Path(root) / name)
        for root, _folders, names in os.walk(folder)
        for name in names
        if not name.endswith(("-wal", "-shm", "-journal"))
    }


def _some(everything: Sequence[str], count: int) -> Sequence[str]:
    """Take so many, from one end to the other."""
    return everything[3 :: len(everything) // count] if count * 3 < len(everything) else everything


# Proposals and bodies of every wrong shape: refused or asked, never done, and never a 500.

ODD = st.sampled_from(
    ["", " ", "__class__", "V-101", "3", "true", "null", "\u202e", "a" * 9_000, "${KEY}", "\ud800"]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**53, max_value=2**70),
    st.floats(),
    st.text(max_size=40),
    ODD,
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=10) | ODD, inner, max_size=4)
    ),
    max_leaves=12,
) | st.just(["x"] * 10_000)
NAMES = st.one_of(
    st.sampled_from([*PERMISSIVE, "label_valve", "read_gauge"]),
    st.sampled_from(["delete_everything", "open_valve ", "OPEN_VALVE", "open_valve\u200b", ""]),
    st.text(max_size=30),
)
SLOTS = st.sampled_from(
    ["valve", "turns", "note", "hold", "tonnes", "count", "tanks", "gauge", "label", "approved"]
)
ARGUMENTS = st.dictionaries(SLOTS | st.text(max_size=12) | ODD, VALUES, max_size=5)
FIELDS = (
    "decision digest arguments reason text user role payload kind event_id entities salience "
    "chip_id action approved tenant_id type args answers"
)
BODIES = st.one_of(VALUES, st.dictionaries(st.sampled_from(FIELDS.split()), VALUES, max_size=6))
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
GO_ON: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": QUIET,
    "database": None,
    "print_blob": False,
}


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@few_or_many(80, 10_000)
def test_a_malformed_proposal_is_refused_or_asked_and_never_done(
    data_dir: Path, pack: Path, tally: Tally, runner: asyncio.Runner, count: int
):
    opening = opened_ledger(data_dir, pack)
    ledger = runner.run(opening.__aenter__())

    async def propose(name: str, arguments: Any, number: int) -> None:
        with suppress(AgentError, ValidationError):
            frozen = await ledger.propose(
                Proposal(
                    decision_id=f"d-{number}",
                    requester=ENGINEER.model_copy(update={"user": f"amir-{number // 20}"}),
                    action=name,
                    arguments=arguments,
                    at_least="A",
                )
            )
            await ledger.execute(frozen.action_id)

    @settings(max_examples=count, **GO_ON)
    @given(NAMES, ARGUMENTS)
    def try_it(name: str, arguments: dict[str, Any]) -> None:
        tally.add("malformed proposals")
        runner.run(propose(name, arguments, tally.counts["malformed proposals"]))

    try:
        try_it()
    finally:
        runner.run(opening.__aexit__(None, None, None))
    assert {each["action"] for each in effects(data_dir)} <= {"read_gauge"}
    assert sql(data_dir, STARTED) == []


STARTED = "select action from ledger_action where started_at > 0 and execution_class <> 'A'"


@few_or_many(60, 10_000)
def test_a_malformed_body_is_refused_and_never_a_fault_of_ours(
    data_dir: Path, pack: Path, tally: Tally, runner: asyncio.Runner, count: int
):
    opening = opened_executive(data_dir, pack)
    opened = runner.run(opening.__aenter__())
    shown = runner.run(opened.asked())
    key = runner.run(opened.executive.keys.make(CAPTAIN))
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(opened.executive)),
        base_url="http://127.0.0.1",
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    paths = (
        "/v1/events",
        "/v1/messages",
        f"/v1/approvals/{shown.action_id}",
        f"/v1/offers/offer-{shown.decision_id}",
    )

    @settings(max_examples=count, **GO_ON)
    @given(st.sampled_from(paths), BODIES, st.integers(0, 9))
    def try_it(path: str, body: Any, cut: int) -> None:
        content = json.dumps(body).encode()
        content = content[: len(content) // 2] if cut == 0 else content
        answer = runner.run(client.post(path, content=content))
        tally.add("malformed bodies")
        assert answer.status_code < 500, (path, content[:500], answer.text)

    try:
        try_it()
        state = runner.run(opened.executive.approvals.get(shown.action_id, "aurora")).state
    finally:
        runner.run(client.aclose())
        runner.run(opening.__aexit__(None, None, None))
    assert effects(data_dir) == []
    assert state in ("pending", "rejected")


# Bodies made by hand to break something, at every route that takes one: refused, never a 500.

PERSON = Principal(user="ingrid", tenant_id="aurora", roles=("captain", "engineer", "admin"))
ODD_HOSTILE_BODIES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    2**53,
    -1e308,
    "",
    " ",
    "٢١:٣٠",
    "2026-13-45T99:99:99Z",
    "\u202egnp.exe\u200b",
    "x" * 70_000,
    "'; drop table decision; --",
    "../../../../etc/passwd",
    "${EXECUTIVE_LEDGER_KEY}",
    [],
    [[[[[]]]]],
    ["x"] * 2_000,
    {},
    {"__class__": "os.system", "": {"": {}}},
)
"""In the place of each field; none of them is one that a route has to take."""


@few_or_many(90, 100_000)
async def test_a_hostile_body_is_refused_on_every_route(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
    async with opened_executive(data_dir, pack) as opened:
        asked = await opened.asked()
        offered = await opened.ask("label valve V-9", "e-2")
        ids = {"action": asked.action_id, "offer": f"offer-{offered.decision_id}"}
        requests = list(_requests(ids))
        async with clients(opened.executive, PERSON) as [person]:
            for method, path, body in requests[:: max(1, len(requests) // count)]:
                answer = await person.request(
                    method, path, content=body, headers={"Content-Type": "application/json"}
                )
                where = f"{method} {path} {body[:200]!r}: {answer.status_code} {answer.text[:300]}"
                assert answer.status_code < 500, where
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == "application/problem+json", where
                    assert answer.json()["request_id"] == answer.headers["x-request-id"], where
                tally.add("hostile bodies")
            sessions = ("/v1/state", "/v1/quiet", "/v1/personality", "/v1/decisions")
            for path in sessions:  # nothing that was taken is in the way of anything
                assert (await person.get(path)).status_code == 200, path


def _requests(ids: Mapping[str, str]) -> Iterator[tuple[str, str, bytes]]:
    for path, methods in create_app().openapi()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            for address in with_ids(method.upper(), path, ids) if content else ():
                for body in (*MALFORMED.values(), *_broken(_example(content))):
                    yield method.upper(), address, body


def _example(content: Mapping[str, Any]) -> Any:
    shown = next(iter(content.get("examples", {}).values()), None)
    return shown["value"] if shown else content["example"]


def _broken(example: Any) -> Iterator[bytes]:
    """Put what is odd in the place of the whole, and of each field in turn."""
    for odd in ODD_HOSTILE_BODIES:
        yield json.dumps(odd).encode()
    for name in example if isinstance(example, dict) else ():
        for odd in ODD_HOSTILE_BODIES:
            yield json.dumps(example | {name: odd}).encode()
