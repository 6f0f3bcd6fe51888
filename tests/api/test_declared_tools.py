"""Tools that agents declare: whose they are, what stays of them, and what they cost the service."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from state.action import Action
from state.declared_tool import MOST_DECLARED, DeclaredTool
from tests.api.conftest import assert_problem
from tests.api.door import PEOPLE, Json
from tests.api.test_permits import TEXT, TOOLS, Dock, dock, tool
from tests.tables import FILE
from tools.catalog.action_catalog import DeclaredTools
from tools.gate import declared_tools
from tools.gate.declared_tools import MOST_UNUSED

__all__ = ("dock",)
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_tool_is_its_keepers_alone(dock: Dock):
    for who in ("other", "amir"):
        listed = (await dock.clients[who].get("/v1/catalog")).json()["actions"]
        names = {each["name"] for each in listed}
        assert ("show_lock" in names, "read_gauge" in names) == (True, False)
        sent = {"action": "read_gauge", "arguments": {"gauge": "G9"}}
        assert_problem(await dock.clients[who].post("/v1/proposals", json=sent), 403, "forbidden")
        near = {"action": "read_gaug", "arguments": {}}
        unknown = await dock.clients[who].post("/v1/proposals", json=near)
        assert "read_gauge" not in str(assert_problem(unknown, 422, "invalid"))
    asked = await dock.propose("read_gauge", arguments={"gauge": "G9"}, status=202)
    keeper = "update declared_tool set keeper = ? where name = 'read_gauge'"
    kept = dock.harbour.executive._box.declared
    dock.sql(keeper, "barge-agent")
    await kept.load()
    try:
        assert_problem(await dock.permit(asked), 403, "forbidden")
        assert_problem(await dock.report(asked, "x" * 43), 403, "forbidden")
    finally:
        dock.sql(keeper, "tug-agent")
        await kept.load()
    assert (await dock.permit(asked)).status_code == 200


async def test_a_permit_is_kept_nowhere_even_for_who_sends_a_key(dock: Dock):
    asked = await dock.propose("read_gauge", arguments={"gauge": "G8"}, status=202)
    dock.clients["agent"].headers["Idempotency-Key"] = "permit-of-g8"
    try:
        taken = (await dock.permit(asked)).json()["permit"]
        again = assert_problem(await dock.permit(asked), 409, "conflict")
    finally:
        del dock.clients["agent"].headers["Idempotency-Key"]
    assert again["standing"] == "started"
    with closing(sqlite3.connect(dock.harbour.data_dir / FILE)) as connection:
        assert taken not in "\n".join(connection.iterdump())


async def test_removed_unused_it_keeps_its_pin_and_its_place_is_free(dock: Dock):
    path = "/v1/catalog/tools/swing_boom"
    await dock.declare(tool("swing_boom", "destructive", boom=TEXT))
    await dock.clients["agent"].delete(path)
    counted = "select count(*) from declared_tool where removed_at is null"
    assert dock.sql(f"{counted} and name = 'swing_boom'") == [(0,)]
    [lower] = (await dock.declare(tool("swing_boom", "read", boom=TEXT))).json()["tools"]
    assert (lower["effect"], lower["standing"]) == ("destructive", "changed")
    await dock.clients["agent"].delete(path)
    [(here,)] = dock.sql(counted)
    assert here < MOST_DECLARED - 180
    more = [tool(f"spare_{n}", "read", a=TEXT) for n in range(MOST_DECLARED - here)]
    for some in (more[:90], more[90:180], more[180:]):
        assert (await dock.declare(*some)).status_code == 200
    told = assert_problem(await dock.declare(tool("swing_boom", a=TEXT)), 422, "invalid")
    assert "at most 200" in told["detail"]
    for each in more:
        path = f"/v1/catalog/tools/{each['name']}"
        assert (await dock.clients["agent"].delete(path)).status_code == 200
    assert (await dock.declare(tool("swing_boom", a=TEXT))).status_code == 200


async def test_removed_tools_that_nobody_used_are_bounded(dock: Dock):
    for batch in range(MOST_UNUSED // 50 + 2):
        made = [tool(f"passing_{batch}_{n}", "read", a=TEXT) for n in range(50)]
        assert (await dock.declare(*made)).status_code == 200
        for each in made:
            await dock.clients["agent"].delete(f"/v1/catalog/tools/{each['name']}")
    kept = dock.sql("select name from declared_tool where name like 'passing_%'")
    assert 0 < len(kept) <= MOST_UNUSED
    assert ("passing_0_0",) not in kept
    assert (f"passing_{batch}_49",) in kept


async def test_the_same_declaration_again_changes_nothing(dock: Dock):
    raised, plain = tool("delete_chart", "read", chart=TEXT), tool("fold_chart", chart=TEXT)
    query = "select seen_at, declared_at, seen_sha256 from declared_tool where name like '%_chart'"
    first = (await dock.declare(raised, plain)).json()
    rows = dock.sql(query)
    with capture_logs() as told:
        assert (await dock.declare(raised, plain)).json() == first
    assert dock.sql(query) == rows
    assert [each for each in told if each["event"] == "declared_tool_changed"] == []


async def test_what_a_tenant_declares_is_bounded(dock: Dock):
    def large(name: str) -> Json:
        each = {f"a{n}": {"type": "string", "description": "x" * 950} for n in range(60)}
        return tool(name, "read", **each)

    names = [f"large_{n}" for n in range(18)]
    assert (await dock.declare(*map(large, names[:9]))).status_code == 200
    told = assert_problem(await dock.declare(*map(large, names[9:])), 422, "invalid")
    assert "1000000 characters" in told["detail"]
    for name in names[:9]:
        await dock.clients["agent"].delete(f"/v1/catalog/tools/{name}")


async def test_an_action_is_made_once_of_one_declaration(
    dock: Dock, monkeypatch: pytest.MonkeyPatch
):
    made = []

    def noted(tool: DeclaredTool, *given: Any, **more: Any) -> Action:
        made.append((tool.name, threading.current_thread() is threading.main_thread()))
        return to_action(tool, *given, **more)

    to_action = declared_tools._to_action
    monkeypatch.setattr(declared_tools, "_to_action", noted)
    mine = [tool(name, "read", a=TEXT) for name in ("tie_one", "delete_two")]
    await dock.declare(*mine)
    assert made == [("tie_one", False), ("delete_two", False)]
    await dock.declare(*mine)
    await dock.declare(tool("tie_one", "read", b=TEXT))
    assert made[2:] == [("tie_one", False)]


async def test_of_changes_at_once_the_catalog_shows_what_was_written_last(
    dock: Dock, monkeypatch: pytest.MonkeyPatch
):
    service, agent = dock.harbour.executive, PEOPLE["agent"]
    declared, late = service._box.catalogue.declared, threading.Event()

    def put(tenant_id: str, actions: Mapping[str, Action]) -> None:
        if not late.is_set():
            late.set()
            time.sleep(1)
        DeclaredTools.put(declared, tenant_id, actions)

    monkeypatch.setattr(declared, "put", put)
    first, last = (
        [DeclaredTool.model_validate(tool("tie_knot", a=TEXT, **more))]
        for more in ({}, {"b": TEXT})
    )
    slow = asyncio.create_task(service.declared.declare(first, agent))
    await asyncio.to_thread(late.wait, 10)
    await service.declared.declare(last, agent)
    await slow
    known = service._box.catalogue.of_tenant("default").action("tie_knot")
    assert [*known.slots] == ["a", "b"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Close_Lock",
            "cIose_lock",
            "c1ose_lock",
            "close-lock",
            "close_lock_",
            "harbour.close_lock",
        ),
        *("check_proposal", "Why", "withdraw-proposal"),
    ],
)
async def test_a_name_that_passes_for_another_is_taken(dock: Dock, name: str):
    sent = {"tools": [tool(name)]}
    answer = await dock.clients["agent"].put("/v1/catalog/tools", json=sent)
    assert "looks like" in assert_problem(answer, 409, "conflict")["detail"]


BAD: tuple[tuple[Json, int, str], ...] = (
    (tool("close_lock", "write", lock=TEXT), 409, "action of a pack"),
    (tool("no spaces", "write", a=TEXT), 422, "name"),
    (tool("x", "harmless", a=TEXT), 422, "effect"),
    ({"name": "x", "arguments": {"type": "array"}}, 422, "type: object"),
    ({"name": "x", "arguments": []}, 422, "arguments"),
    ({"name": "x"}, 422, "arguments"),
    (tool("x", a={"type": "strin"}), 422, "schema is broken"),
    (tool("x", a={"$ref": "https://example.com/a.json"}), 422, "points outside"),
    (tool("x", a={"$ref": "file:///etc/passwd"}), 422, "points outside"),
    (tool("x", **{"a b": TEXT}), 422, "letters"),
    (tool("x", **{f"a{n}": TEXT for n in range(65)}), 422, "too large"),
    (tool("x", a={"type": "string", "description": "x" * 70_000}), 422, "too large"),
    ({**tool("x", a=TEXT), "summary": "Do {b}"}, 422, "no template"),
    ({**tool("x", a=TEXT), "summary": "Do {a.__class__}"}, 422, "no template"),
    ({**tool("x", a=TEXT), "approver_roles": ["nobody"]}, 422, "approver_roles"),
    ({"name": "x", "arguments": {"type": "object", "anyOf": [{}]}}, 422, "anyOf"),
    (
        {
            "name": "x",
            "arguments": {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"},
        },
        422,
        "2020-12",
    ),
    ({"name": "x", "arguments": {"type": "object", "required": ["a"]}}, 422, "not describe"),
)


@pytest.mark.parametrize(("declared", "status", "says"), BAD)
async def test_what_cannot_be_declared_is_named_and_nothing_is_kept(
    dock: Dock, declared: Json, status: int, says: str
):
    before = (await dock.clients["agent"].get("/v1/catalog/tools")).json()
    answer = await dock.declare(tool("well_formed", a=TEXT), declared)
    slug = {409: "conflict", 422: "invalid"}[status]
    assert says in str(assert_problem(answer, status, slug))
    assert (await dock.clients["agent"].get("/v1/catalog/tools")).json() == before


async def test_only_agents_declare_and_propose_their_tools(dock: Dock):
    mine = tool("mend_net", net=TEXT)
    assert_problem(await dock.declare(mine, who="amir"), 403, "forbidden")
    assert_problem(await dock.declare(mine, who="looks"), 403, "forbidden")
    assert_problem(await dock.declare(mine, mine), 422, "invalid")
    sent = {"action": "sink_barge", "arguments": {"barge": "B"}}
    assert_problem(await dock.clients["amir"].post("/v1/proposals", json=sent), 403, "forbidden")
    told = assert_problem(await dock.declare(TOOLS[2], who="other"), 409, "conflict")
    assert "tug-agent" in told["detail"]
    path = "/v1/catalog/tools/sink_barge"
    assert_problem(await dock.clients["other"].delete(path), 403, "forbidden")
    assert_problem(await dock.clients["pilot"].delete(path), 404, "not-found")


async def standing_of(dock: Dock, name: str) -> Json:
    listed = (await dock.clients["agent"].get("/v1/catalog/tools")).json()["tools"]
    return next(each for each in listed if each["name"] == name)


async def accept(dock: Dock, kept: Json, who: str = "ingrid") -> httpx.Response:
    sent = {"id": kept["id"], "sha256": kept["seen_sha256"]}
    return await dock.clients[who].post("/v1/tools/accept", json=sent)


async def test_a_change_of_a_used_tool_waits_for_a_person(dock: Dock):
    first = tool("haul_rope", "write", rope=TEXT)
    await dock.declare(first)
    await dock.declare(tool("haul_rope", "write", line=TEXT))  # nobody has used it yet
    assert (await standing_of(dock, "haul_rope"))["standing"] == "pinned"
    await dock.declare(first)
    asked = await dock.propose("haul_rope", arguments={"rope": "R1"}, status=202)
    await dock.choose(asked)
    permitted = await dock.read(asked, wait=10)
    changed = {**first, "description": "Hauls it in and cuts it"}
    said = (await dock.declare(changed)).json()["tools"]
    assert [each["standing"] for each in said] == ["withheld"]
    stale = assert_problem(await dock.permit(permitted), 409, "conflict")
    assert (stale["standing"], "until a person accepts" in stale["detail"]) == ("stale", True)
    refused = await dock.propose("haul_rope", arguments={"rope": "R2"}, status=200)
    assert (refused["status"], refused["reasons"]) == ("refused", ["tool_changed"])
    pins = (await dock.clients["ingrid"].get("/v1/tools")).json()["tools"]
    [pin] = [each for each in pins if each["action"] == "haul_rope"]
    assert [each["field"] for each in pin["changes"]] == ["description"]
    kept = await standing_of(dock, "haul_rope")
    assert_problem(await accept(dock, kept, "agent"), 403, "forbidden")
    assert_problem(await accept(dock, kept, "olav"), 404, "not-found")
    assert_problem(await accept(dock, {**kept, "seen_sha256": "0" * 64}), 409, "conflict")
    assert (await accept(dock, kept)).json()["standing"] == "pinned"
    again = await dock.propose("haul_rope", arguments={"rope": "R3"}, status=202)
    assert again["status"] == "needs_choice"
    assert dock.sql("select tool, accepted_by from mcp_tool_acceptance") == [
        ("haul_rope", "ingrid")
    ]


async def test_removed_and_declared_again_it_is_held_against_its_pin(dock: Dock):
    first = tool("scrub_hull", "write", hull=TEXT)
    await dock.declare(first)
    await dock.propose("scrub_hull", arguments={"hull": "H1"}, status=202)
    path = "/v1/catalog/tools/scrub_hull"
    left = await dock.clients["agent"].delete(path)
    assert "scrub_hull" not in [each["name"] for each in left.json()["tools"]]
    gone = {"action": "scrub_hull", "arguments": {"hull": "H1"}}
    assert_problem(await dock.clients["agent"].post("/v1/proposals", json=gone), 422, "invalid")
    assert_problem(await dock.clients["agent"].delete(path), 404, "not-found")
    said = (await dock.declare(tool("scrub_hull", "write", deck=TEXT))).json()["tools"]
    assert [each["standing"] for each in said] == ["withheld"]
    assert [each["standing"] for each in (await dock.declare(first)).json()["tools"]] == ["pinned"]


async def test_a_lower_effect_counts_only_once_a_person_accepts_it(dock: Dock):
    said = (await dock.declare(tool("delete_logbook", "read", book=TEXT))).json()["tools"]
    assert [(each["effect"], each["standing"]) for each in said] == [("destructive", "changed")]
    asked = await dock.propose("delete_logbook", arguments={"book": "2025"}, status=202)
    assert (asked["status"], asked["class"]) == ("pending_approval", "C")
    kept = await standing_of(dock, "delete_logbook")
    assert (await accept(dock, kept)).json()["standing"] == "pinned"
    assert (await standing_of(dock, "delete_logbook"))["class"] == "A"
    assert (await dock.answer(asked))["state"] == "stale"  # it is not what was asked about
    assert (await dock.read(asked))["status"] == "refused"
