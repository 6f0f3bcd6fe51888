"""In whose name a run of the server asks, and who may touch its thread."""

from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError

from tests.server.conftest import keyed
from tests.server.test_langgraph_server import GRAPH, at_the_gate, message, run, state_of, wait

pytestmark = pytest.mark.xdist_group("langgraph-server")

Client = SyncLangGraphClient


def is_refused(touch: Callable[[], object]) -> bool:
    with pytest.raises((httpx.HTTPStatusError, APIStatusError)) as refused:
        touch()
    return refused.value.response.status_code in (403, 404, 409)


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


def test_a_visitor_asks_as_nobody(served: Any, visitor: Client) -> None:
    before = approvals(served)
    _thread, values = run(visitor, message("close WO-1041", role="captain"))
    assert (values["event"]["user"], values["event"]["role"]) == (None, None)
    assert values["record"]["outcome"] == "refused"
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


@pytest.mark.parametrize("who", ["boss", "visitor"])
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


def test_a_thread_is_not_handed_over(client: Client) -> None:
    thread = client.threads.create(metadata={"tenant_id": "elsewhere"})
    assert (thread["metadata"] or {})["tenant_id"] == "default"
    for metadata in ({"tenant_id": "elsewhere"}, {"started_by": "boss"}):
        assert is_refused(partial(client.threads.update, thread["thread_id"], metadata=metadata))
