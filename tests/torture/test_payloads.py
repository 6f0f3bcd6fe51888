"""Two hundred injections and eighty paths in every place that takes a text: data, and no more."""

import os
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from pydantic import ValidationError

from state.errors import AgentError
from state.event import Event
from state.principal import Principal
from tests.safety.benches import sql
from tests.safety.executives import Opened, opened_executive
from tests.torture.counts import few_or_many
from tests.torture.payloads import CANARY, INJECTIONS, paths_to
from tests.torture.serving import clients
from tests.torture.tally import Tally
from tools.catalog.pack import load_pack

ANN = Principal(user="ann", tenant_id="aurora", roles=("captain", "chief_engineer", "engineer"))
OLAV = Principal(user="olav", tenant_id="borealis", roles=ANN.roles)
VESSEL = Path("vessel")
PARAMETERS = {
    "/v1/decisions": ("session_id", "outcome", "limit", "cursor"),
    "/v1/approvals": ("state", "limit", "cursor"),
    "/v1/offers": ("open", "limit", "cursor"),
    "/v1/actions": ("undoable", "limit", "cursor"),
    "/v1/queries": ("since", "limit", "cursor"),
    "/v1/queries/gaps": ("since",),
    "/v1/metrics": ("since",),
    "/v1/journal/search": ("q", "limit", "status", "since", "until", "person", "technology"),
    "/v1/quiet": ("session_id",),
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
SAYINGS = ("search documents for {}", "show {}", "what did we do about {} last week?")
ASKS_WORDS = "search documents for {}"


def test_there_are_as_many_as_are_promised() -> None:
    assert len(set(INJECTIONS)) >= 200
    assert not [each for each in INJECTIONS if CANARY in each]
    assert len(set(paths_to("/etc/passwd"))) >= 80


async def test_every_parameter_is_tried(data_dir: Path, pack: Path) -> None:
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
    assert {path: names for path, names in named.items() if names} == PARAMETERS


@few_or_many(3, 200)
async def test_an_injection_is_a_text_wherever_it_stands(
    data_dir: Path, tally: Tally, count: int
) -> None:
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


async def test_what_is_looked_for_there_would_be_found_by_who_has_it(data_dir: Path) -> None:
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
) -> None:
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


def test_no_path_is_a_tenant(tmp_path: Path) -> None:
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
def test_a_pack_has_no_handler_outside_its_folder(tmp_path: Path, handler: str) -> None:
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
