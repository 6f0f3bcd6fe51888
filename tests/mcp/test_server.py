"""The MCP server over HTTP, as its own SDK's client and as bare requests meet it."""

import asyncio
import json
from random import Random
from typing import Any

import pytest
from mcp.shared.exceptions import McpError

from api.mcp.tools import OWN, action_name, tool_name
from tests.mcp.doorway import Doorway, Json, view, words

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST: Json = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


async def test_the_tools_are_the_actions_of_the_key_and_none_approves(doorway: Doorway):
    async with doorway.client() as session:
        listed = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert set(listed) >= OWN | {"show_lock", "close_lock", "note_in_log"}
    assert not [name for name in listed if "approv" in name or "choose" in name]
    closing = listed["close_lock"]
    assert closing.inputSchema["required"] == ["lock"]
    assert closing.annotations is not None
    assert (closing.annotations.readOnlyHint, closing.annotations.destructiveHint) == (False, True)
    assert "Waits until a person (master) approves it" in str(closing.description)
    reading = listed["show_lock"].annotations
    assert reading is not None
    assert (reading.readOnlyHint, reading.destructiveHint) == (True, False)
    async with doorway.client("guest") as session:
        assert "close_lock" not in {tool.name for tool in (await session.list_tools()).tools}


async def test_a_read_runs_and_its_result_is_structured(doorway: Doorway):
    async with doorway.client() as session:
        done = await session.call_tool("show_lock", {"lock": "LK-12"})
    assert (done.isError, view(done)["status"]) == (False, "executed")
    assert words(done) == "Lock LK-12 is open."


async def test_a_write_waits_is_chosen_and_runs_once(doorway: Doorway):
    async with doorway.client() as session:
        asked = await session.call_tool("note_in_log", {"note": "fog at the pier"})
        assert (asked.isError, view(asked)["status"]) == (False, "needs_choice")
        assert "Nothing has run" in words(asked)
        await doorway.choose(asked)
        named = {"proposal_id": view(asked)["proposal_id"], "wait_seconds": 0.5}
        done = await session.call_tool("check_proposal", named)
    assert (done.isError, view(done)["status"]) == (False, "executed")
    assert doorway.harbour.effects().count("note_in_log fog at the pier") == 1


async def test_a_dangerous_call_says_where_it_is_approved_and_runs_once(doorway: Doorway):
    async with doorway.client() as session:
        asked = await session.call_tool("close_lock", {"lock": "LK-30", "minutes": 5})
        assert (asked.isError, view(asked)["status"]) == (False, "pending_approval")
        page = f"http://quay/console/approvals/{view(asked)['approval']['id']}"
        assert page in words(asked)
        assert f"check_proposal with proposal_id {view(asked)['proposal_id']}" in words(asked)
        waiting = words(await session.call_tool("what_is_waiting", {}))
        assert page in waiting
        again = await session.call_tool("close_lock", {"lock": "LK-30", "minutes": 5})
        assert view(again)["duplicate_of"] == view(asked)["proposal_id"]
        named = {"proposal_id": view(asked)["proposal_id"], "wait_seconds": 0.5}
        waited = asyncio.create_task(session.call_tool("check_proposal", named))
        await doorway.approve(asked)
        assert view(await waited)["status"] in {"executed", "running", "pending_approval"}
        done = await session.call_tool("check_proposal", named)
        assert (done.isError, view(done)["status"]) == (False, "executed")
        told = await session.call_tool("why", {"decision_id": view(asked)["decision_id"]})
    assert not told.isError
    assert "close_lock" in words(told)
    assert doorway.harbour.effects().count("close_lock LK-30 5") == 1


async def test_a_person_who_answers_meanwhile_answers_the_call_itself(doorway: Doorway):
    async with doorway.client() as session, doorway.http() as agent:
        calling = asyncio.create_task(session.call_tool("close_lock", {"lock": "LK-31"}))
        asked: list[Json] = []
        while not asked:
            listed = (await agent.get("/v1/approvals")).json()["approvals"]
            asked = [one for one in listed if one["arguments"].get("lock") == "LK-31"]
        async with doorway.http("ingrid") as ingrid:
            yes = {"decision": "approve", "digest": asked[0]["digest"]}
            await ingrid.post(f"/v1/approvals/{asked[0]['action_id']}", json=yes)
        called = await calling
        if view(called)["status"] != "executed":  # a slow machine: the half second was over
            named = {"proposal_id": view(called)["proposal_id"], "wait_seconds": 0.5}
            called = await session.call_tool("check_proposal", named)
    assert view(called)["status"] == "executed"
    assert doorway.harbour.effects().count("close_lock LK-31 None") == 1


async def test_a_no_is_an_error_with_the_reason_and_not_to_be_asked_again(doorway: Doorway):
    async with doorway.client() as session:
        asked = await session.call_tool("close_lock", {"lock": "LK-32"})
        await doorway.approve(asked, "reject", reason="a barge is inside")
        named = {"proposal_id": view(asked)["proposal_id"]}
        told = await session.call_tool("check_proposal", named)
    assert (told.isError, view(told)["status"]) == (True, "refused")
    assert "a barge is inside" in words(told)
    assert "Do not propose it again" in words(told)


async def test_what_the_key_may_not_ask_for_is_refused(doorway: Doorway):
    async with doorway.client("guest") as session:
        told = await session.call_tool("close_lock", {"lock": "LK-12"})
    assert (told.isError, view(told)["status"]) == (True, "refused")


async def test_what_has_not_begun_is_withdrawn_by_its_own_agent(doorway: Doorway):
    async with doorway.client() as session, doorway.client("other") as other:
        asked = await session.call_tool("close_lock", {"lock": "LK-33"})
        named = {"proposal_id": view(asked)["proposal_id"]}
        stolen = await other.call_tool("withdraw_proposal", named)
        assert stolen.isError
        assert "only the proposer" in words(stolen)
        gone = await session.call_tool("withdraw_proposal", named)
        assert (gone.isError, view(gone)["status"]) == (False, "withdrawn")
        late = await session.call_tool("withdraw_proposal", named)
        assert (late.isError, late.structuredContent) == (True, None)
        assert "withdrawn" in words(late)


async def test_what_the_host_says_of_a_call_comes_in_meta(doorway: Doorway):
    said = {"prefrontal/call": {"reason": "storm warning", "sources": ["mail 7"], "tainted": True}}
    async with doorway.client() as session:
        asked = await session.call_tool("show_lock", {"lock": "LK-13"}, meta=said)
        assert (view(asked)["status"], view(asked)["reasons"]) == ("needs_choice", ["tainted"])
        asked = await session.call_tool("close_lock", {"lock": "LK-34"}, meta=said)
        assert "storm warning" in view(asked)["approval"]["dialog"]["words"]
        for wrong in ("yes", {"approved": True}, {"on_behalf_of": "ingrid"}, {"tenant_id": "x"}):
            told = await session.call_tool("ring_bell", {}, meta={"prefrontal/call": wrong})
            assert told.isError, wrong


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("close_lock", {}, "lock is missing"),
        ("close_lock", {"lock": "LK-10", "speed": 2}, "speed"),
        ("close_lock", {"lock": "LK-10", "minutes": "ten"}, "minutes must be a whole number"),
        ("close_lock", {"lock": "LK-999999"}, "there is no lock"),
        ("check_proposal", {}, "'proposal_id' is a required property"),
        ("check_proposal", {"proposal_id": "x", "wait_seconds": 600}, "wait_seconds"),
        ("check_proposal", {"proposal_id": "nobody"}, "nobody"),
        ("check_proposal", {"proposal_id": "../decisions"}, "no"),
        ("why", {"decision_id": "nobody"}, "nobody"),
        ("search_decisions", {"question": "", "limit": 9_999}, "limit"),
        ("what_is_waiting", {"approve": "all"}, "approve"),
        ("note_in_log", {"note": "x" * 900_000}, ""),
    ],
)
async def test_wrong_arguments_are_named_and_nothing_runs(
    doorway: Doorway, tool: str, arguments: Json, says: str
):
    before = doorway.harbour.effects()
    async with doorway.client() as session:
        told = await session.call_tool(tool, arguments)
    assert told.isError
    assert says in words(told)
    assert doorway.harbour.effects() == before


async def test_an_unknown_tool_is_an_error_of_the_protocol(doorway: Doorway):
    async with doorway.client() as session:
        for name in ("close_locks", "approve", "x" * 5_000, ""):
            with pytest.raises(McpError, match="Unknown tool") as raised:
                await session.call_tool(name, {})
            assert raised.value.error.code == -32_602


async def test_decisions_that_people_took_are_found_and_read(doorway: Doorway):
    written = "# Use buoys of steel\n\nStatus: accepted\n\n## Decision\n\nWe use buoys of steel.\n"
    async with doorway.http("amir") as amir:
        record = {"path": "adr/1.md", "text": written}
        sent = await amir.post("/v1/journal/import", json={"records": [record]})
        assert sent.status_code == 200, sent.text
    async with doorway.client() as session:
        found = await session.call_tool("search_decisions", {"question": "why buoys of steel?"})
        assert "Use buoys of steel" in words(found)
        named = {"decision_id": view(found)["decisions"][0]["decision"]["id"]}
        assert "We use buoys of steel" in words(await session.call_tool("why", named))


async def test_a_tool_that_an_agent_runs_itself_is_neither_listed_nor_proposed(doorway: Doorway):
    own = {"name": "paint_buoy", "effect": "write", "arguments": {"type": "object"}}
    async with doorway.http() as http:
        assert (await http.put("/v1/catalog/tools", json={"tools": [own]})).status_code == 200
        try:
            async with doorway.client() as session:
                listed = {tool.name for tool in (await session.list_tools()).tools}
                assert "close_lock" in listed
                assert "paint_buoy" not in listed
                with pytest.raises(McpError, match="over the HTTP API") as raised:
                    await session.call_tool("paint_buoy", {})
                assert raised.value.error.code == -32_602
            offers = (await http.get("/v1/offers")).text
            assert "paint_buoy" not in offers
        finally:
            await http.delete("/v1/catalog/tools/paint_buoy")


async def test_an_action_named_as_one_of_ours_keeps_its_own_tool():
    assert [tool_name(one) for one in ("why", "action_why", "close_lock", "action_close")] == [
        *("action_why", "action_action_why", "close_lock", "action_close")
    ]
    for name in (*OWN, *(f"action_{one}" for one in OWN), "action_action_why", "close_lock"):
        assert tool_name(name) not in OWN
        assert action_name(tool_name(name)) == name


async def test_a_message_that_is_too_long_is_refused_before_it_is_read(doorway: Doorway):
    headers = {**ACCEPT, "Content-Type": "application/json"}
    async with doorway.http(**headers) as agent:
        answer = await agent.post("/mcp", content=b'"' + b"x" * 1_100_000 + b'"')
    assert answer.status_code == 413


def mutated(seed: int) -> bytes:
    """Make a message that is nearly a call of a dangerous action."""
    random = Random(seed)
    odd: list[Any] = [None, True, -1, 1e308, "", "\x00", "a" * 3_000, [], {}, [[[]]], {"a": {}}]
    params: Json = {"name": "close_lock", "arguments": {"lock": "LK-38"}, "_meta": {}}
    message: Json = {"jsonrpc": "2.0", "id": seed, "method": "tools/call", "params": params}
    for _change in range(random.randint(1, 3)):
        inner = [params.get("arguments"), params.get("_meta")]
        where = random.choice([message, params, *(one for one in inner if isinstance(one, dict))])
        name = random.choice([*where, "approved", "prefrontal/call", "task", "\u202e"])
        if random.random() < 0.2:
            where.pop(name, None)
        else:
            where[name] = random.choice(odd)
    raw = json.dumps(message).encode()
    return raw[: random.randint(1, len(raw))] if random.random() < 0.2 else raw


async def test_no_message_runs_anything_or_breaks_the_server(doorway: Doorway):
    before = doorway.harbour.effects()
    headers = {**ACCEPT, "Content-Type": "application/json"}
    async with doorway.http(**headers) as agent:
        for first in range(0, 300, 20):
            sent = [mutated(seed) for seed in range(first, first + 20)]
            told = await asyncio.gather(*(agent.post("/mcp", content=one) for one in sent))
            broken = [
                (one, answer.text)
                for one, answer in zip(sent, told, strict=True)
                if answer.status_code >= 500
            ]
            assert broken == []
    assert doorway.harbour.effects() == before


async def test_revisions_and_media_types_are_checked_as_the_protocol_says(doorway: Doorway):
    async with doorway.http(**ACCEPT) as agent:
        old = {"protocolVersion": "2024-11-05", "capabilities": {}}
        hello = {**LIST, "method": "initialize"}
        params = {**old, "clientInfo": {"name": "old", "version": "1"}}
        told = (await agent.post("/mcp", json={**hello, "params": params})).json()
        assert told["result"]["protocolVersion"] == "2024-11-05"
        future = {**params, "protocolVersion": "2099-01-01"}
        told = (await agent.post("/mcp", json={**hello, "params": future})).json()
        assert told["result"]["protocolVersion"] == "2025-11-25"
        unknown = {"MCP-Protocol-Version": "1999-01-01"}
        refused = await agent.post("/mcp", json=LIST, headers=unknown)
        assert (refused.status_code, "error" in refused.json()) == (400, True)
        assert (await agent.post("/mcp", json=LIST, headers={"Accept": "text/html"})).is_error
        assert (await agent.post("/mcp", content=b"{}")).status_code == 415
        told_of = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert (await agent.post("/mcp", json=told_of)).status_code == 202
        for method in ("GET", "DELETE", "PUT"):
            refused = await agent.request(method, "/mcp")
            assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


async def test_without_a_key_or_from_another_site_nobody_is_let_in(doorway: Doorway):
    async with doorway.http(None, **ACCEPT) as nobody:
        refused = await nobody.post("/mcp", json=LIST)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")
        wrong = await nobody.post("/mcp", json=LIST, headers={"Authorization": "Bearer pf_nobody"})
        assert (wrong.status_code, "invalid_token" in wrong.headers["www-authenticate"]) == (
            401,
            True,
        )
    async with doorway.http(**ACCEPT) as agent:
        for origin in ("https://evil.example", "https://smith.langchain.com", "null"):
            refused = await agent.post("/mcp", json=LIST, headers={"Origin": origin})
            assert refused.status_code == 403
        assert (
            await agent.post("/mcp", json=LIST, headers={"Host": "evil.example"})
        ).status_code == 421
        assert (await agent.post("/mcp", json=LIST, headers={"Origin": doorway.address})).is_success


async def test_a_second_framework_lists_and_calls_the_same_tools(doorway: Doorway):
    from langchain_mcp_adapters.client import MultiServerMCPClient

    headers = {"Authorization": f"Bearer {doorway.keys['agent']}"}
    client = MultiServerMCPClient(
        {
            "gate": {
                "transport": "streamable_http",
                "url": f"{doorway.address}/mcp",
                "headers": headers,
            }
        }
    )
    found = {tool.name: tool for tool in await client.get_tools()}
    read = await found["show_lock"].ainvoke({"lock": "LK-12"})
    assert "Lock LK-12 is open." in str(read)
    asked = str(await found["close_lock"].ainvoke({"lock": "LK-35"}))
    assert "Waiting for approval" in asked
    assert "close_lock LK-35 None" not in doorway.harbour.effects()
