"""In whose name a run of the server asks, and who may touch its thread."""

from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError

from state.event import Event
from tests.server.conftest import keyed
from tests.server.test_langgraph_server import GRAPH, at_the_gate, message, state_of, wait

pytestmark = pytest.mark.xdist_group("langgraph-server")

Client = SyncLangGraphClient


def is_refused(touch: Callable[[], object]) -> bool:
    with pytest.raises((httpx.HTTPStatusError, APIStatusError)) as refused:
        touch()
    return refused.value.response.status_code in (401, 403, 404, 409)


def approvals(served: Any) -> list[dict[str, Any]]:
    with served.api() as api:
        return list(api.get("/v1/approvals?state=pending").json()["approvals"])


def test_who_asks_with_a_key_is_its_holder(served: Any, client: Client) -> None:
    _thread, interrupt = at_the_gate(client, "WO-1041")
    with served.api() as api:
        shown = api.get(f"/v1/approvals/{interrupt['value']['approval_id']}").json()
    assert (shown["requester"], shown["requester_roles"]) == ("ann", ["engineer"])


def test_the_boss_cannot_have_ann_ask_her(served: Any) -> None:
    before = approvals(served)
    with keyed(served, served.key) as boss:
        thread = boss.threads.create()["thread_id"]
        event = message("close WO-1041")
        values = wait(boss, thread, GRAPH, input={"event": event}, raise_error=False)
    assert "__interrupt__" not in (values or {})
    assert approvals(served) == before


def test_another_tenant_finds_none_of_our_threads(served: Any, client: Client) -> None:
    thread, interrupt = at_the_gate(client, "WO-1041")
    with keyed(served, served.stranger_key) as stranger:
        theirs = stranger.threads.create()["thread_id"]
        found = {each["thread_id"] for each in stranger.threads.search(limit=1_000)}
        assert theirs in found
        assert thread not in found
        for touched in (
            lambda: stranger.threads.get(thread),
            lambda: stranger.threads.get_state(thread),
            lambda: stranger.threads.delete(thread),
            lambda: wait(stranger, thread, GRAPH, command={"resume": {interrupt["id"]: True}}),
        ):
            assert is_refused(touched)
    assert state_of(served, interrupt["value"]) == "pending"


@pytest.mark.parametrize("who", ["boss", "nobody"])
def test_nobody_else_writes_into_a_thread(served: Any, client: Client, who: str) -> None:
    thread, interrupt = at_the_gate(client, "WO-1041")
    before = client.threads.get_state(thread)
    written = {"reply": None}
    with keyed(served, served.key if who == "boss" else None) as other:
        for touched in (
            lambda: other.threads.update_state(thread, written, as_node="decide_by_heuristic"),
            lambda: other.threads.update(thread, metadata={"started_by": "boss"}),
            lambda: wait(other, thread, GRAPH, command={"goto": "classify_action"}),
            lambda: wait(other, thread, GRAPH, command={"resume": True, "update": written}),
            lambda: wait(other, thread, GRAPH, command={"resume": True}, interrupt_before=["act"]),
            lambda: wait(other, thread, GRAPH, input={"event": message("close WO-1041")}),
        ):
            assert is_refused(touched)
    assert client.threads.get_state(thread)["checkpoint"] == before["checkpoint"]
    assert state_of(served, interrupt["value"]) == "pending"


@pytest.mark.parametrize("who", ["boss", "nobody"])
def test_nobody_owns_the_thread_of_a_decision_beforehand(served: Any, who: str) -> None:
    event = message("show WO-1041")
    of_ours = Event.model_validate(
        {**event, "tenant_id": "default", "source": "test", "sender": "ann"}
    )
    with keyed(served, served.key if who == "boss" else None) as other:
        for touched in (
            lambda: other.threads.create(thread_id=of_ours.decision_id),
            lambda: other.threads.create(
                thread_id=of_ours.decision_id.upper().replace("-", ""), if_exists="do_nothing"
            ),
            lambda: wait(
                other,
                of_ours.decision_id,
                GRAPH,
                input={"event": event},
                if_not_exists="create",
            ),
        ):
            assert is_refused(touched)
    with served.api(served.engineer_key) as api:
        record = api.post("/v1/events", json=event).json()
    assert record["decision_id"] == of_ours.decision_id
    assert record["outcome"] == "executed"
    with keyed(served, served.engineer_key) as owner:
        thread = owner.threads.get(of_ours.decision_id)
    assert (thread["metadata"] or {})["started_by"] == "ann"


@pytest.mark.parametrize("who", ["boss", "stranger", "nobody"])
def test_nobody_changes_the_graph_for_everybody(served: Any, client: Client, who: str) -> None:
    [ours] = client.assistants.search(graph_id=GRAPH)
    key = {"boss": served.key, "stranger": served.stranger_key, "nobody": None}[who]
    with keyed(served, key) as other:
        for touched in (
            lambda: other.assistants.update(ours["assistant_id"], config={"recursion_limit": 1}),
            lambda: other.assistants.create(GRAPH, config={"recursion_limit": 1}),
            lambda: other.assistants.delete(ours["assistant_id"]),
            lambda: other.store.put_item(("a",), "b", {"c": "d"}),
            lambda: other.store.get_item(("a",), "b"),
            lambda: other.store.search_items(("a",)),
        ):
            assert is_refused(touched)
    [now] = client.assistants.search(graph_id=GRAPH)
    assert (now["config"], now["version"]) == (ours["config"], ours["version"])


def test_a_thread_is_not_handed_over(client: Client) -> None:
    thread = client.threads.create(metadata={"tenant_id": "elsewhere"})
    assert (thread["metadata"] or {})["tenant_id"] == "default"
    for metadata in ({"tenant_id": "elsewhere"}, {"started_by": "boss"}):
        assert is_refused(partial(client.threads.update, thread["thread_id"], metadata=metadata))
