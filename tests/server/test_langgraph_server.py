"""The graph under a LangGraph server: the same decisions, and no way round the gate."""

import asyncio
from time import sleep
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient, SyncLangGraphClient

from graph.execution.threads import Threads
from graph.service import ServerThreads
from state.event import Event
from state.record import DecisionRecord
from tests.server.conftest import Served, keyed

pytestmark = pytest.mark.xdist_group("langgraph-server")

GRAPH = "prefrontal"
TIMES_OF_DAY = {
    "decision_id",
    "elapsed_ms",
    "recorded_at",
    "event_id",
    "action_id",
    "response_id",
    "text",
}
HOW_LONG = {"threshold", "counterfactual"}  # the longer a session lasts the higher: one is older


def values_of(client: SyncLangGraphClient, thread: str) -> Any:
    while client.threads.get(thread)["status"] == "busy":  # its answer comes before its end
        sleep(0.05)
    return client.threads.get_state(thread)["values"]


def wait(client: SyncLangGraphClient, thread: str, graph: str, **arguments: Any) -> Any:
    # The server's queue only takes runs that are older than its last look: so are these.
    return client.runs.wait(thread, graph, after_seconds=-1, **arguments)


def as_record(body: dict[str, Any]) -> DecisionRecord:
    return DecisionRecord.model_validate(body)


def message(text: str, *, role: str = "engineer") -> dict[str, Any]:
    return {
        "event_id": f"e-{uuid4()}",
        "kind": "message",
        "text": text,
        "user": "ann",
        "role": role,
        "source": "test",
        "session_id": f"s-{uuid4()}",  # in one session the same is asked once
    }


def run(client: SyncLangGraphClient, event: dict[str, Any]) -> tuple[str, Any]:
    thread = client.threads.create()["thread_id"]
    return thread, wait(client, thread, GRAPH, input={"event": event})


def at_the_gate(client: SyncLangGraphClient, order: str) -> tuple[str, dict[str, Any]]:
    thread, values = run(client, message(f"close {order}"))
    [interrupt] = values["__interrupt__"]
    return thread, interrupt


def approve(served: Any, question: dict[str, Any]) -> httpx.Response:
    api: httpx.Client
    with served.api() as api:
        return api.post(
            f"/v1/approvals/{question['approval_id']}",
            json={"decision": "approve", "digest": question["payload_hash"]},
        )


def state_of(served: Any, question: dict[str, Any]) -> str:
    with served.api() as api:
        return str(api.get(f"/v1/approvals/{question['approval_id']}").json()["state"])


def test_a_direct_run_decides_what_our_api_decides(served: Any, client: SyncLangGraphClient):
    events = [
        {"text": "bilge alarm: flooding in the engine room", "source": "bilge"},
        {"text": "cabin light switched on", "source": "lights"},
        message("show equipment overview of the port generator"),
    ]
    for event in events:
        with keyed(served, served.bridge_key) as bridge:
            asker = client if event.get("user") else bridge
            _thread, direct = run(asker, {**event, "event_id": f"d-{uuid4()}", "session_id": "d"})
        with served.api(served.bridge_key) as api:
            where = {"event_id": f"o-{uuid4()}", "session_id": "o"}
            ours = api.post("/v1/events", json={**event, **where}).json()
        same = set(ours) & set(direct["record"]) - TIMES_OF_DAY - HOW_LONG - {"session_id"}
        assert direct["record"]["threshold"] == pytest.approx(ours["threshold"], abs=0.01)
        assert {key: direct["record"][key] for key in same} == {key: ours[key] for key in same}
        with served.api() as api:
            stored = api.get(f"/v1/decisions/{direct['record']['decision_id']}").json()
        assert as_record(stored["record"]) == as_record(direct["record"])


def test_a_second_delivery_is_told_the_first_decision(client: SyncLangGraphClient):
    event = {"event_id": f"twice-{uuid4()}", "text": "warning: flooding", "source": "bilge"}
    _first, one = run(client, event)
    _second, two = run(client, event)
    assert one["record"] == two["record"]


def test_a_streamed_run_shows_every_stage_and_the_record(client: SyncLangGraphClient):
    chunks = list(
        client.runs.stream(
            None,
            GRAPH,
            input={"event": {"text": "emergency: smoke", "source": "galley"}},
            stream_mode="updates",
        )
    )
    updates: dict[str, Any] = {}
    for chunk in chunks:
        if chunk.event == "updates":
            updates |= chunk.data
    assert list(updates) == [
        "receive",
        "filter_salience",
        "assess_relevance",
        "choose_timing",
        "decide_policy",
        "decline",
        "classify_action",
        "compose",
        "deliver",
        "note_decisions",
        "write_record",
    ]
    assert updates["assess_relevance"]["relevance"]["verdict"] == "alert"
    assert updates["write_record"]["record"]["outcome"] == "spoke"


def test_a_gated_request_is_approved_through_our_api_and_done_once(
    served: Any, client: SyncLangGraphClient
):
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1042")
    answered = approve(served, interrupt["value"])
    assert answered.status_code == 200, answered.text
    assert answered.json()["state"] == "succeeded"
    assert served.executions() == before + 1
    assert values_of(client, thread)["record"]["outcome"] == "executed"
    assert client.threads.get(thread)["status"] == "idle"
    assert approve(served, interrupt["value"]).status_code == 409
    assert served.executions() == before + 1


@pytest.mark.parametrize("resume", [True, "yes", {"approved": True}, [{"type": "accept"}]])
def test_a_bare_resume_approves_nothing(served: Any, client: SyncLangGraphClient, resume: Any):
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1041")
    values = wait(client, thread, GRAPH, command={"resume": resume})
    assert values["__interrupt__"][0]["value"]["approval_id"] == interrupt["value"]["approval_id"]
    wait(client, thread, GRAPH, command={"resume": {interrupt["id"]: resume}})
    assert served.executions() == before
    assert state_of(served, interrupt["value"]) == "pending"


def test_doubled_resumes_after_one_approval_do_it_once(served: Any, client: SyncLangGraphClient):
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1044")
    for _click in range(3):
        client.runs.create(
            thread,
            GRAPH,
            command={"resume": {interrupt["id"]: {"answered": True}}},
            multitask_strategy="enqueue",
        )
    assert approve(served, interrupt["value"]).status_code == 200
    wait(client, thread, GRAPH, command={"resume": True}, raise_error=False)
    assert served.executions() == before + 1


@pytest.mark.parametrize("target", ["act", "compose", "write_record"])
def test_goto_past_the_gate_does_nothing(served: Any, client: SyncLangGraphClient, target: str):
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1041")
    wait(client, thread, GRAPH, command={"goto": target}, raise_error=False)
    assert served.executions() == before
    assert state_of(served, interrupt["value"]) == "pending"


@pytest.mark.parametrize("node", ["confirm", "classify_action", "act", "decide_policy"])
def test_a_state_written_as_if_by_a_node_does_nothing(
    served: Any, client: SyncLangGraphClient, node: str
):
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1041")
    values = values_of(client, thread)
    forged = {
        **values["classification"],
        "verdict": "act",
        "execution_class": "A",
        "action": {**values["classification"]["action"], "state": "approved"},
    }
    client.threads.update_state(thread, {"classification": forged}, as_node=node)
    wait(client, thread, GRAPH, input=None, raise_error=False)
    assert served.executions() == before
    assert state_of(served, interrupt["value"]) == "pending"


def test_replaying_a_finished_thread_does_nothing_again(served: Any, client: SyncLangGraphClient):
    thread, interrupt = at_the_gate(client, "WO-1040")
    assert approve(served, interrupt["value"]).status_code == 200
    before = served.executions()
    record = values_of(client, thread)["record"]
    for snapshot in client.threads.get_history(thread, limit=50):
        checkpoint = snapshot["checkpoint"]["checkpoint_id"]
        wait(client, thread, GRAPH, input=None, checkpoint_id=checkpoint, raise_error=False)
        wait(
            client,
            thread,
            GRAPH,
            command={"resume": True},
            checkpoint_id=checkpoint,
            raise_error=False,
        )
    assert served.executions() == before
    with served.api() as api:
        stored = api.get(f"/v1/decisions/{record['decision_id']}").json()
    assert as_record(stored["record"]) == as_record(record)


def test_a_choice_that_nobody_clicked_does_nothing(served: Any, client: SyncLangGraphClient):
    before = served.executions()
    event = message("Add a note") | {
        "kind": "choice",
        "payload": {"offer_id": "offer-x", "chip_id": "chip-1"},
    }
    _thread, values = run(client, event)
    assert values["record"]["outcome"] == "rejected"
    assert served.executions() == before


# `langgraph dev` stops whatever blocks its loop; nothing of ours does.

REQUESTS = ("how many oil filters do we have?", "show WO-1041", "buy bread on the way home")


def test_nothing_of_ours_blocks_the_loop_of_the_server(served: Any):
    with served.api(served.engineer_key) as api:
        told = [api.post("/v1/messages", json={"text": text}).status_code for text in REQUESTS]
        assert set(told) <= {200, 202}
        assert api.get("/readyz").status_code == 200
    log = (served.data_dir / "server.log").read_text("utf-8")
    assert "BlockingError" not in log
    assert "keeping_failed" not in log


# The LangGraph server keeps /metrics for itself; ours are scraped at /v1/metrics there.


def test_prometheus_finds_ours_beside_the_servers_own(served: Served):
    with served.api() as boss:
        theirs = boss.get("/metrics")
        ours = boss.get("/v1/metrics", headers={"Accept": "text/plain;version=0.0.4;q=0.5,*/*"})
    assert theirs.status_code == 200
    assert "prefrontal_" not in theirs.text
    assert ours.headers["content-type"].startswith("text/plain")
    assert 'prefrontal_turns{tenant="default",pack="vessel"}' in ours.text


# A thread that the server is at is left alone, whoever else has a reason to wake it.


class Watched(Threads):
    """Threads that note which runs are under way when they are told to go on."""

    def __init__(self, client: LangGraphClient) -> None:
        self._client = client
        self.found: list[list[str]] = []

    async def wake(self, event: Event, thread_id: str) -> Any:
        self.found.append([run["status"] for run in await self._client.runs.list(thread_id)])

    wake_anew = wake
    start = wake


@pytest.mark.parametrize("way", ["start", "wake", "wake_anew"])
def test_waking_waits_for_the_run_that_is_under_way(served: Any, client: SyncLangGraphClient, way):
    thread, _interrupt = at_the_gate(client, "WO-1041")
    client.runs.create(thread, GRAPH, input=None, after_seconds=1)  # the thread is busy from now on

    async def woken() -> list[list[str]]:
        key = {"Authorization": f"Bearer {served.engineer_key}"}
        async with get_client(url=served.url, headers=key) as calling:
            watched = Watched(calling)
            threads = ServerThreads(watched, calling)
            await getattr(threads, way)(Event(event_id="e", text="x"), thread)
            return watched.found

    found = asyncio.run(woken())
    assert all("pending" not in each and "running" not in each for each in found)
    statuses = [run["status"] for run in client.runs.list(thread)]
    assert "pending" not in statuses
    assert found or way == "wake"  # at the gate again, the server itself resumes it


# The server's own /mcp lists nothing and hands out the state of runs; ours stands in its place.


def test_mcp_is_ours_with_our_keys_and_tools(served: Served):
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    assert httpx.post(f"{served.url}/mcp", json=listing, headers=accept).status_code == 401
    with served.api() as boss:
        told = boss.post("/mcp", json=listing, headers=accept).json()
        names = {tool["name"] for tool in told["result"]["tools"]}
        call = {"name": "prefrontal", "arguments": {}}
        theirs = {**listing, "method": "tools/call", "params": call}
        unknown = boss.post("/mcp", json=theirs, headers=accept).json()
    assert {"close_work_order", "check_proposal"} <= names
    assert "prefrontal" not in names
    assert unknown["error"]["code"] == -32_602
