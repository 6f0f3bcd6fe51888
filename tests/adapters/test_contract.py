"""One contract for every adapter, with its real framework and a scripted model."""

import asyncio
import importlib
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from prefrontal import AsyncClient, AsyncGate
from tests.adapters.conftest import People, Service
from tests.adapters.drivers.harbour import Call, Driver, Tools

FRAMEWORKS = {
    "decorator": "prefrontal",
    "langchain": "langchain",
    "langgraph": "langgraph",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "google_adk": "google.adk",
}
Gates = Callable[..., AsyncGate]


@pytest.fixture(params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(FRAMEWORKS[name], reason="run `make test-adapters`")
    return name


@pytest.fixture
def drive(framework: str) -> Driver:
    driver: Driver = importlib.import_module(f"tests.adapters.drivers.{framework}").run
    return driver


@pytest.fixture
async def gates(service: Service) -> AsyncIterator[Gates]:
    """Make gates, each as after a restart: nothing but the service remembers."""
    async with AsyncExitStack() as stack:
        clients: list[AsyncClient] = []

        def make(wait_seconds: float = 30.0, **options: Any) -> AsyncGate:
            client = AsyncClient(service.url, service.keys["agent"])
            stack.push_async_callback(client.close)
            clients.append(client)
            return AsyncGate(client, wait_seconds=wait_seconds, **options)

        yield make


@pytest.fixture
def tools(framework: str) -> Tools:
    return Tools(framework)


def proposal_in(text: str) -> str:
    [found] = re.findall(r"The proposal is ([0-9a-f-]{36})", text)
    return str(found)


async def test_one_call_has_one_digest_by_text_http_mcp_and_every_adapter(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    agent, wanted = people.clients["agent"], {"lock": lock}
    said = await people.clients["amir"].post("/v1/messages", json={"text": f"close lock {lock}"})
    shown = await people.clients["amir"].get(f"/v1/approvals/{said.json()['action_id']}")
    digests = {"text": shown.json()["digest"]}

    async def withdrawn(way: str, proposal_id: str) -> None:
        """Read the digest, and leave nothing that the next way could be a duplicate of."""
        view = (await agent.get(f"/v1/proposals/{proposal_id}")).json()
        assert (view["status"], view["duplicate_of"]) == ("pending_approval", None)
        digests[way] = view["approval"]["digest"]
        assert (await agent.delete(f"/v1/proposals/{proposal_id}")).status_code == 200

    sent = await agent.post("/v1/proposals", json={"action": "close_lock", "arguments": wanted})
    await withdrawn("http", sent.json()["proposal_id"])
    named = {"name": "close_lock", "arguments": wanted}
    over_mcp = await agent.post(
        "/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": named},
        headers={"Accept": "application/json, text/event-stream"},
    )
    await withdrawn("mcp", over_mcp.json()["result"]["structuredContent"]["proposal_id"])
    call = Call("close_lock", wanted)
    told = await drive([[call]], gates(wait_seconds=0), tools)
    await withdrawn("adapter", proposal_in(told[call.id]))
    assert len(digests) == 4
    assert len({*digests.values()}) == 1, digests


async def test_a_read_runs_in_the_service_at_once(drive: Driver, gates: Gates, tools: Tools, lock):
    call = Call("show_lock", {"lock": lock})
    told = await drive([[call]], gates(), tools)
    assert told[call.id] == f"Lock {lock} is open."
    assert tools.ran == []


async def test_a_call_waits_for_a_yes_and_gives_its_result(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    call = Call("close_lock", {"lock": lock, "minutes": 5})
    running = asyncio.create_task(drive([[call]], gates(), tools))
    await people.approve("close_lock", lock=lock)
    assert lock in (await running)[call.id]
    assert "Waiting" not in (await running)[call.id]
    assert tools.ran == []


async def test_what_is_pending_says_where_and_is_found_after_a_restart(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    call = Call("close_lock", {"lock": lock})
    told = await drive([[call]], gates(wait_seconds=0), tools)
    assert "Nothing has run" in told[call.id]
    assert "http://quay/console/approvals/" in told[call.id]
    await people.approve("close_lock", lock=lock)
    check = Call("check_proposal", {"proposal_id": proposal_in(told[call.id])})
    found = await drive([[check]], gates(), tools)
    assert lock in found[check.id]
    assert "Waiting" not in found[check.id]
    assert await people.count("close_lock", lock=lock) == 1


async def test_a_refusal_says_why_and_is_not_asked_again(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    calls = [Call("close_lock", {"lock": lock}) for _ in range(3)]
    running = asyncio.create_task(drive([[each] for each in calls], gates(), tools))
    await people.refuse("close_lock", "a barge is inside", lock=lock)
    told = await running
    for call in calls:
        assert "a barge is inside" in told[call.id]
        assert "Do not propose it again" in told[call.id]
    assert await people.count("close_lock", lock=lock) == 1


async def test_one_refusal_in_a_batch_leaves_the_others(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    barge = f"barge of {lock}"
    refused = Call("close_lock", {"lock": lock})
    read, own = Call("show_lock", {"lock": lock}), Call(tools.own, {"barge": barge})
    running = asyncio.create_task(drive([[refused, read, own]], gates(), tools))
    await people.refuse("close_lock", "not now", lock=lock)
    await people.approve(tools.own, barge=barge)
    told = await running
    assert "not now" in told[refused.id]
    assert told[read.id] == f"Lock {lock} is open."
    assert told[own.id] == f"{barge} lies at 3 m"


async def test_an_agents_own_tool_runs_once_after_the_yes_with_edited_arguments(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    barge = f"barge of {lock}"
    call = Call(tools.own, {"barge": barge, "depth": 30})
    running = asyncio.create_task(drive([[call]], gates(), tools))
    await people.asked(tools.own, barge=barge)
    assert tools.ran == []
    await people.edit(tools.own, {"barge": barge, "depth": 4}, barge=barge)
    told = await running
    assert tools.ran == [(tools.own, {"barge": barge, "depth": 4})]
    assert f"{barge} lies at 4 m" in told[call.id]
    assert "An approver changed the arguments" in told[call.id]


async def test_edited_arguments_are_told_where_the_service_runs_it(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    call = Call("close_lock", {"lock": lock, "minutes": 50})
    running = asyncio.create_task(drive([[call]], gates(), tools))
    await people.edit("close_lock", {"lock": lock, "minutes": 5}, lock=lock)
    told = await running
    assert "An approver changed the arguments" in told[call.id]
    assert '"minutes": 5}' in told[call.id]


async def test_a_refused_own_tool_never_runs(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    barge = f"barge of {lock}"
    call = Call(tools.own, {"barge": barge})
    running = asyncio.create_task(drive([[call]], gates(), tools))
    await people.refuse(tools.own, "it is not ours", barge=barge)
    assert "it is not ours" in (await running)[call.id]
    assert tools.ran == []


async def test_an_own_tool_that_was_pending_runs_when_it_is_called_again(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock
):
    barge = f"barge of {lock}"
    call, again = [Call(tools.own, {"barge": barge}) for _ in range(2)]
    told = await drive([[call]], gates(wait_seconds=0), tools)
    await people.approve(tools.own, barge=barge)
    check = Call("check_proposal", {"proposal_id": proposal_in(told[call.id])})
    found = await drive([[check], [again]], gates(), tools)
    assert f"Call {tools.own} again" in found[check.id]
    assert found[again.id] == f"{barge} lies at 3 m"
    assert len(tools.ran) == 1
    assert await people.count(tools.own, barge=barge) == 1


# ADK's own AgentTool starts its runner in a way that ADK will take away.
@pytest.mark.filterwarnings("ignore:The `plugins` argument is deprecated:DeprecationWarning")
@pytest.mark.parametrize("way", ["stream", "nested"])
async def test_streams_and_nested_agents_pass_the_gate(
    drive: Driver, gates: Gates, tools: Tools, people: People, lock, way: str
):
    barge = f"barge of {lock}"
    call = Call(tools.own, {"barge": barge})
    running = asyncio.create_task(drive([[call]], gates(), tools, **{way: True}))
    await people.asked(tools.own, barge=barge)
    assert tools.ran == []
    await people.approve(tools.own, barge=barge)
    assert (await running)[call.id] == f"{barge} lies at 3 m"


async def test_wrong_arguments_are_named_and_nobody_is_asked(
    drive: Driver, gates: Gates, tools: Tools, people: People
):
    call = Call("close_lock", {"lock": "LK-1"})
    told = await drive([[call]], gates(), tools)
    assert "there is no" in told[call.id]
    assert await people.count("close_lock", lock="LK-1") == 0
    assert tools.ran == []


async def test_a_gate_that_cannot_be_reached_runs_nothing(
    drive: Driver, service: Service, tools: Tools, unused_port: int
):
    client = AsyncClient(f"http://127.0.0.1:{unused_port}", service.keys["agent"], attempts=1)
    call = Call(tools.own, {"barge": "b"})
    told = await drive([[call]], AsyncGate(client), tools)
    assert "nothing ran" in told[call.id]
    assert tools.ran == []
    await client.close()
