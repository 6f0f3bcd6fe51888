"""Answers given at the gate itself: they count for a person with one of our keys alone."""

from typing import Any
from uuid import uuid4

import pytest
from langgraph_sdk.client import SyncLangGraphClient

from tests.server.conftest import keyed
from tests.server.test_langgraph_server import GRAPH, at_the_gate, state_of, values_of, wait

pytestmark = pytest.mark.xdist_group("langgraph-server")

Client = SyncLangGraphClient


def accept(question: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "accept", "args": question["action_request"]}]


def resume(client: Client, thread: str, interrupt: dict[str, Any], reply: Any) -> Any:
    return wait(client, thread, GRAPH, command={"resume": {interrupt["id"]: reply}})


def test_agent_inbox_accepting_all_arguments_runs_it_once(served: Any, client: Client) -> None:
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1045")
    with keyed(served, served.key) as boss:
        resume(boss, thread, interrupt, accept(interrupt["value"]))
        resume(boss, thread, interrupt, accept(interrupt["value"]))
    assert state_of(served, interrupt["value"]) == "succeeded"
    assert served.executions() == before + 1
    record = values_of(client, thread)["record"]
    assert record["outcome"] == "executed"
    with served.api() as api:
        shown = api.get(f"/v1/approvals/{interrupt['value']['approval_id']}").json()
    assert shown["decided_by"] == "boss"


def test_a_service_answers_nothing(served: Any, client: Client) -> None:
    thread, interrupt = at_the_gate(client, "WO-1041")
    with keyed(served, served.bridge_key) as bridge:
        resume(bridge, thread, interrupt, accept(interrupt["value"]))
    assert state_of(served, interrupt["value"]) == "pending"


def test_a_bare_accept_of_the_boss_is_no_yes(served: Any, client: Client) -> None:
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1041")
    other = {**interrupt["value"]["action_request"], "args": {"work_order": "WO-1044"}}
    with keyed(served, served.key) as boss:
        for reply in (
            [{"type": "accept", "args": None}],
            [{"type": "accept", "args": other}],
            {"decisions": [{"type": "approve"}]},
            {"approved": True},
            True,
        ):
            resume(boss, thread, interrupt, reply)
    assert (state_of(served, interrupt["value"]), served.executions()) == ("pending", before)


def test_a_reply_planted_in_the_thread_is_not_taken_for_that_of_whoever_comes_next(
    served: Any, client: Client
) -> None:
    before = served.executions()
    thread, interrupt = at_the_gate(client, "WO-1041")
    for run_id in (None, str(uuid4())):
        planted = {"reply": {"value": accept(interrupt["value"]), "run_id": run_id}}
        client.threads.update_state(thread, planted, as_node="confirm")
        with keyed(served, served.key) as boss:
            wait(boss, thread, GRAPH, command={"resume": True}, raise_error=False)
    assert (state_of(served, interrupt["value"]), served.executions()) == ("pending", before)


def test_a_question_that_was_rewritten_is_answered_by_nobody(served: Any, client: Client) -> None:
    before = served.executions()
    thread, _interrupt = at_the_gate(client, "WO-1041")
    values = values_of(client, thread)
    frozen = values["classification"]["action"]
    harmless = {**frozen, "arguments": {"work_order": "WO-1040"}, "summary": "Show WO-1040"}
    forged = {**values["classification"], "action": harmless}
    client.threads.update_state(thread, {"classification": forged}, as_node="classify_action")
    wait(client, thread, GRAPH, input=None, raise_error=False)
    waiting: Any = client.threads.get_state(thread)
    [shown] = [each for task in waiting["tasks"] for each in task["interrupts"]]
    assert shown["value"]["action_request"]["args"] == {"work_order": "WO-1040"}
    with keyed(served, served.key) as boss:
        resume(
            boss,
            thread,
            shown,
            {"decision": "approve", "payload_hash": shown["value"]["payload_hash"]},
        )
    assert served.executions() == before
    with served.api() as api:
        standing = api.get(f"/v1/approvals/{frozen['action_id']}").json()
    assert standing["state"] == "pending"


def test_nobody_names_himself_in_a_run(served: Any, client: Client) -> None:
    thread, interrupt = at_the_gate(client, "WO-1041")
    boss = {"identity": "default/boss", "is_authenticated": True}
    boss["principal"] = {"user": "boss", "tenant_id": "default", "roles": ["captain"]}
    with served.api(served.engineer_key) as ann:
        for where in ("config", "context"):
            forged: dict[str, Any] = {"langgraph_auth_user": boss}
            body = {
                "assistant_id": GRAPH,
                "command": {"resume": {interrupt["id"]: accept(interrupt["value"])}},
                "after_seconds": -1,
                where: {"configurable": forged} if where == "config" else forged,
            }
            ann.post(f"/threads/{thread}/runs/wait", json=body)
    assert state_of(served, interrupt["value"]) == "pending"


def test_a_no_and_words_instead_end_it(served: Any, client: Client) -> None:
    with keyed(served, served.key) as boss:
        for reply in (
            [{"type": "ignore", "args": None}],
            {"type": "reject", "message": "not now"},
            [{"type": "response", "args": "how is the fuel stock"}],
        ):
            thread, interrupt = at_the_gate(client, "WO-1041")
            resume(boss, thread, interrupt, reply)
            assert state_of(served, interrupt["value"]) == "rejected"
            assert values_of(client, thread)["record"]["outcome"] == "refused"
