"""Pages of other sites, other names, and callers without a good key, before the real server."""

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

EVIL = "https://evil.example"
STUDIO = "https://smith.langchain.com"
RUN = {"assistant_id": "prefrontal", "input": {"event": {"text": "x"}}}
ROUTES: list[tuple[str, str, Any]] = [
    ("POST", "/threads/search", {"limit": 5}),
    ("POST", "/threads", {}),
    ("POST", "/runs/wait", RUN),
    ("POST", "/runs/stream", RUN),
    ("POST", "/assistants/search", {}),
    ("POST", "/store/items/search", {"namespace_prefix": []}),
    ("GET", "/threads/01a20752-0000-7000-8000-000000000000/state", None),
    ("GET", "/v1/decisions", None),
]
OPEN = ("/", "/info", "/ok", "/docs", "/openapi.json", "/metrics", "/console/sign-in")
"""What is answered without a key."""


def preflight(origin: str) -> dict[str, str]:
    return {"Origin": origin, "Access-Control-Request-Method": "POST"}


@pytest.mark.parametrize("origin", [EVIL, "null", "http://localhost:1", f"{STUDIO}.evil.example"])
def test_a_page_of_another_site_reads_and_starts_nothing(served: Any, origin: str):
    for key in (None, served.key):
        with httpx.Client(base_url=served.url, timeout=30) as page:
            if key:
                page.headers["Authorization"] = f"Bearer {key}"
            told = [
                page.request(
                    method, path, json=body, headers={"Origin": origin, "Content-Type": kind}
                )
                for method, path, body in ROUTES
                for kind in ("text/plain", "application/json")  # the first without a preflight
            ]
            told += [page.get(path, headers={"Origin": origin}) for path in OPEN]
            told += [page.options(path, headers=preflight(origin)) for _way, path, _body in ROUTES]
        for answer in told:
            assert answer.status_code == 403, (answer.request.url, answer.text)
            assert answer.json()["type"].endswith(":foreign-origin")
            assert "access-control-allow-origin" not in answer.headers


def test_studio_reads_with_a_key_alone_and_calls_no_route_of_ours(served: Any):
    with served.api() as studio:
        studio.headers["Origin"] = STUDIO
        assert studio.options("/threads/search", headers=preflight(STUDIO)).status_code == 200
        found = studio.post("/threads/search", json={})
        assert found.status_code == 200
        assert found.headers["access-control-allow-origin"] in ("*", STUDIO)
        assert studio.post("/v1/messages", json={"text": "hello"}).status_code == 403
        del studio.headers["Authorization"]
        assert studio.post("/threads/search", json={}).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:2024", "192.0.2.1"])
def test_by_a_name_that_is_not_the_servers_nothing_is_read(served: Any, host: str):
    with served.api() as rebound:
        told = [
            rebound.request(method, path, json=body, headers={"Host": host})
            for method, path, body in ROUTES
        ]
        told += [rebound.get(path, headers={"Host": host}) for path in OPEN]
    for answer in told:
        assert answer.status_code == 421, (answer.request.url, answer.text)
        assert answer.json()["type"].endswith(":foreign-host")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"X-Api-Key": "lsv2_pt_x"},  # of LangSmith: none of ours
        {"X-Auth-Scheme": "langsmith"},  # lets Studio in by itself, unless that is turned off
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer pf_nobody"},
        {"Authorization": "Bearer pf_nobody", "X-Auth-Scheme": "langsmith"},
        {"Authorization": "Basic Ym9zczpib3Nz"},
        {"X-Api-Key": "pf_none"},
        {"X-Api-Key": "none"},
        {"X-Api-Key": ""},
    ],
    ids=str,
)
def test_who_shows_no_key_or_a_false_one_reads_and_starts_nothing(served: Any, sent):
    with httpx.Client(base_url=served.url, headers=sent, timeout=30) as stranger:
        told = [stranger.request(method, path, json=body) for method, path, body in ROUTES]
    assert {answer.status_code for answer in told} == {401}


def test_two_keys_are_none(served: Any):
    twice = [("Authorization", f"Bearer {served.key}")] * 2
    answer = httpx.post(f"{served.url}/threads/search", json={}, headers=twice)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "odd",
    [
        {"metadata": None},
        {"metadata": [1]},
        {"metadata": {"tenant_id": None}},
        {"config": None},
        {"config": {"configurable": None}},
        {"config": {"metadata": None}},
        {"command": None},
        {"command": {"resume": None}},
        {"input": None},
        {"input": {"event": None}},
    ],
    ids=str,
)
def test_null_is_no_fault_of_the_server(served: Any, odd: dict[str, Any]):
    with served.api() as api:
        thread = api.post("/threads", json={}).json()["thread_id"]
        ways = (("POST", "/threads"), ("POST", "/threads/search"), ("PATCH", f"/threads/{thread}"))
        told = [api.request(way, path, json=odd) for way, path in ways]
        for path in ("/runs", f"/threads/{thread}/runs"):
            run = {**RUN, "after_seconds": 3_600, **odd}
            told.append(api.post(path, json=run))
    assert max(answer.status_code for answer in told) < 500, [one.text for one in told]


# In whose name a run of the server asks, and who may touch its thread.

Client = SyncLangGraphClient


def is_refused(touch: Callable[[], object]) -> bool:
    with pytest.raises((httpx.HTTPStatusError, APIStatusError)) as refused:
        touch()
    return refused.value.response.status_code in (401, 403, 404, 409)


def approvals(served: Any) -> list[dict[str, Any]]:
    with served.api() as api:
        return list(api.get("/v1/approvals?state=pending").json()["approvals"])


def test_who_asks_with_a_key_is_its_holder(served: Any, client: Client):
    _thread, interrupt = at_the_gate(client, "WO-1041")
    with served.api() as api:
        shown = api.get(f"/v1/approvals/{interrupt['value']['approval_id']}").json()
    assert (shown["requester"], shown["requester_roles"]) == ("ann", ["engineer"])


def test_the_boss_cannot_have_ann_ask_her(served: Any):
    before = approvals(served)
    with keyed(served, served.key) as boss:
        thread = boss.threads.create()["thread_id"]
        event = message("close WO-1041")
        values = wait(boss, thread, GRAPH, input={"event": event}, raise_error=False)
    assert "__interrupt__" not in (values or {})
    assert approvals(served) == before


def test_another_tenant_finds_none_of_our_threads(served: Any, client: Client):
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
def test_nobody_else_writes_into_a_thread(served: Any, client: Client, who: str):
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
def test_nobody_owns_the_thread_of_a_decision_beforehand(served: Any, who: str):
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
                other, of_ours.decision_id, GRAPH, input={"event": event}, if_not_exists="create"
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
def test_nobody_changes_the_graph_for_everybody(served: Any, client: Client, who: str):
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


def test_a_thread_is_not_handed_over(client: Client):
    thread = client.threads.create(metadata={"tenant_id": "elsewhere"})
    assert (thread["metadata"] or {})["tenant_id"] == "default"
    for metadata in ({"tenant_id": "elsewhere"}, {"started_by": "boss"}):
        assert is_refused(partial(client.threads.update, thread["thread_id"], metadata=metadata))
