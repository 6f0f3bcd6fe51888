"""Graphs and runs that stop while a person has not answered, and go on in another process."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from prefrontal import AsyncClient, AsyncGate, CallRefused, Client, Gate, Refused, ToolCall
from tests.adapters.conftest import Json, People, Service
from tests.adapters.drivers.harbour import Call, Tools


@pytest.fixture
async def gate(service: Service) -> AsyncIterator[AsyncGate]:
    async with AsyncClient(service.url, service.keys["agent"]) as client:
        yield AsyncGate(client, wait_seconds=0)


async def test_a_graph_is_interrupted_and_resumed_from_its_checkpoint(
    gate: AsyncGate, service: Service, people: People, lock, tmp_path
):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.types import Command

    from tests.adapters.drivers.langchain import told
    from tests.adapters.drivers.langgraph import build

    tools, barge = Tools("langgraph"), f"barge of {lock}"
    batch = [Call(tools.own, {"barge": barge}), Call("close_lock", {"lock": lock})]
    thread: Any = {"configurable": {"thread_id": f"thread of {lock}"}}
    file = str(tmp_path / "checkpoints.sqlite")
    async with AsyncSqliteSaver.from_conn_string(file) as saver:
        graph = build([batch], gate, tools, pause=True).compile(saver)
        paused = await graph.ainvoke({"messages": [("user", "go on")]}, thread)
        asked = paused["__interrupt__"][0].value
        assert asked["url"].startswith("http://quay/console/")
        still = await graph.ainvoke(Command(resume=True), thread)
        assert still["__interrupt__"]
    await people.approve(tools.own, barge=barge)
    await people.refuse("close_lock", "it is high water", lock=lock)
    async with (
        AsyncSqliteSaver.from_conn_string(file) as saver,
        AsyncClient(service.url, service.keys["agent"]) as client,
    ):
        again = build([], AsyncGate(client), tools, pause=True).compile(saver)
        done = told((await again.ainvoke(Command(resume=True), thread))["messages"])
    assert done[batch[0].id] == f"{barge} lies at 3 m"
    assert "it is high water" in done[batch[1].id]
    assert len(tools.ran) == 1
    assert await people.count(tools.own, barge=barge) == 1


async def test_one_gated_tool_is_called_from_anywhere(service: Service, people: People, lock):
    pytest.importorskip("langgraph")
    from prefrontal.adapters.langgraph import catalog_tools, gated
    from tests.adapters.drivers.langchain import structured

    tools, barge = Tools("langgraph"), f"barge of {lock}"
    [_, _, own] = structured(tools.all())

    def called() -> Any:
        with Client(service.url, service.keys["agent"]) as client:
            gate = Gate(client)
            [show] = [one for one in catalog_tools(gate) if one.name == "show_lock"]
            assert show.invoke({"lock": lock}) == f"Lock {lock} is open."
            call = {"name": own.name, "args": {"barge": barge}, "id": "c1", "type": "tool_call"}
            return gated(own, gate).invoke(call)

    running = asyncio.create_task(asyncio.to_thread(called))
    await people.approve(own.name, barge=barge)
    answer = await running
    assert (answer.tool_call_id, answer.content) == ("c1", f"{barge} lies at 3 m")


async def test_deferred_calls_of_a_run_are_answered_by_the_next(
    gate: AsyncGate, people: People, lock
):
    pytest.importorskip("pydantic_ai", reason="run `make test-adapters`")
    from pydantic_ai import DeferredToolRequests
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    from prefrontal.adapters.pydantic_ai import results_of
    from tests.adapters.drivers.pydantic_ai import agent_of, told

    tools = Tools("pydantic_ai")
    call = Call("close_lock", {"lock": lock})
    first = await agent_of([[call]], gate, tools, defer=True).run("go on")
    assert isinstance(first.output, DeferredToolRequests)
    assert await results_of(first.output, gate) is None
    history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
    await people.approve("close_lock", lock=lock)
    results = None
    while results is None:
        results = await results_of(first.output, gate)
    next_run = agent_of([], gate, tools, defer=True)
    done = await next_run.run(message_history=history, deferred_tool_results=results)
    assert f"Lock {lock} is closed" in told(done.all_messages())[call.id]
    assert await people.count("close_lock", lock=lock) == 1


async def test_a_client_lists_proposes_reads_and_withdraws(service: Service, lock):
    with Client(service.url, service.keys["agent"]) as client:
        listed = {entry.name: entry for entry in client.catalog()}
        assert (listed["close_lock"].execution_class, listed["close_lock"].mode) == ("C", "execute")
        read = client.propose("show_lock", {"lock": lock}, reason="a look", wait_seconds=5)
        assert read.result
        assert read.result.text == f"Lock {lock} is open."
        asked = client.propose("close_lock", {"lock": lock}, sources=["tide table"])
        assert client.proposal(asked.proposal_id, wait=0.1).status == "pending_approval"
        same = client.propose("close_lock", {"lock": lock})
        assert same.duplicate_of == asked.proposal_id
        assert client.withdraw(asked.proposal_id).status == "withdrawn"
        with pytest.raises(Refused, match="withdrawn") as late:
            client.withdraw(asked.proposal_id)
        assert late.value.status == 409


async def test_the_same_key_is_one_call_and_another_call_with_it_is_told(gate: AsyncGate, lock):
    call = ToolCall("close_lock", {"lock": lock}, key=f"key of {lock}")
    first, second = await gate.run(call), await gate.run(call)
    assert first.proposal
    assert second.proposal
    assert first.proposal.proposal_id == second.proposal.proposal_id
    other = await gate.run(ToolCall("close_lock", {"lock": "LK-99"}, key=call.key))
    assert other.status == "invalid"
    assert (await gate.client.withdraw(first.proposal.proposal_id)).status == "withdrawn"
    assert (await gate.run(call)).status == "withdrawn"


async def test_a_refusal_may_raise_and_a_closed_list_refuses_what_it_lacks(
    service: Service, people: People, lock
):
    tools = Tools("decorator")
    async with AsyncClient(service.url, service.keys["agent"]) as client:
        raising = AsyncGate(client, raises=True)
        running = asyncio.create_task(raising.run(ToolCall("close_lock", {"lock": lock})))
        await people.refuse("close_lock", "no", lock=lock)
        with pytest.raises(CallRefused, match="no"):
            await running
        closed = AsyncGate(client, unlisted="refuse", free=("show_lock",))

        def scuttle(barge: str) -> str:
            raise AssertionError(barge)

        assert "no action scuttle" in await closed.tool(scuttle)("b")
        assert await closed.tool(tools.show_lock)(lock) == "local"  # free: nobody is asked


async def test_a_failing_own_tool_is_reported_and_raises(service: Service, people: People, lock):
    barge = f"barge of {lock}"

    def scrape_barge(barge: str) -> str:
        raise OSError("the scraper broke")

    async with AsyncClient(service.url, service.keys["agent"]) as client:
        gate = AsyncGate(client)
        running = asyncio.create_task(gate.tool(scrape_barge)(barge))
        await people.approve("scrape_barge", barge=barge)
        with pytest.raises(OSError, match="broke"):
            await running
        found = await people.clients["ingrid"].get("/v1/approvals", params={"state": "failed"})
    assert barge in json.dumps(found.json())


async def test_an_own_write_needs_one_click(service: Service, people: People, lock):
    def paint_barge(barge: str) -> str:
        return f"{barge} is green"

    async with AsyncClient(service.url, service.keys["agent"]) as client:
        gate = AsyncGate(client, wait_seconds=0, effects={"paint_barge": "write"})
        painted = gate.tool(paint_barge)
        assert "Nothing has run" in await painted(lock)
        [view] = [await client.proposal(one) for one in gate.waiting]
        assert view.status == "needs_choice"
        assert view.choice
        path = f"/v1/offers/{view.choice.offer_id}"
        said = await people.clients["amir"].post(path, json={"chip_id": view.choice.chip_id})
        assert said.status_code == 200, said.text
        gate.wait_seconds = 30
        assert await painted(lock) == f"{lock} is green"


async def test_the_same_call_twice_at_once_runs_once(service: Service, people: People, lock):
    ran = []

    def tow_barge(barge: str) -> str:
        ran.append(barge)
        return f"{barge} is away"

    async with AsyncClient(service.url, service.keys["agent"]) as client:
        towed = AsyncGate(client).tool(tow_barge)
        running = asyncio.gather(towed(lock), towed(lock))
        await people.approve("tow_barge", barge=lock)
        answers = await running
    assert f"{lock} is away" in answers
    assert ran == [lock]


@pytest.mark.parametrize("status", ["permitted", "executed", "running", "unknown", "refused"])
def test_no_function_runs_without_a_permit_whatever_the_service_says(status: str):
    view = {
        "proposal_id": "p",
        "status": status,
        "action": "sink_barge",
        "arguments": {"barge": "b"},
        "summary": "Sink",
        "class": "C",
        "message": "as it is",
        "decision_id": "p",
        "session_id": "default",
        "proposed_by": "tug-agent",
        "proposed_at": "2026-02-07T14:33:00Z",
    }

    def answer(request: httpx.Request) -> httpx.Response:
        told: dict[str, Json] = {
            "GET /v1/catalog": {"actions": []},
            "PUT /v1/catalog/tools": {"tools": []},
        }
        return httpx.Response(200, json=told.get(f"{request.method} {request.url.path}", view))

    def sink_barge(barge: str) -> str:
        raise AssertionError(barge)

    with Client("http://quay", "key", transport=httpx.MockTransport(answer)) as client:
        assert "as it is" in Gate(client, wait_seconds=0).tool(sink_barge)("b")
