"""Tools that agents declare: whose they are, what stays of them, and what they cost the service."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pytest
from structlog.testing import capture_logs

from state.action import Action
from state.declared_tool import MOST_DECLARED, DeclaredTool
from tests.api.conftest import assert_problem
from tests.api.test_permits import TEXT, Dock, dock, tool
from tests.api.test_proposals import PEOPLE, Json
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
