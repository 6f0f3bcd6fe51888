"""Approvals over the whole service: in batches, in other people's forms, refused beforehand."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from api.app import create_app
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive
from tests.graph.conftest import (
    OpenHarbour,  # a fixture
    open_harbour,  # noqa: F401  # a fixture
)
from tests.graph.harbour import KEEPER, MASTER, Harbour

DIGEST = "d" * 64


@pytest.fixture
async def pending(engineer: httpx.AsyncClient) -> str:
    answer = await engineer.post("/v1/messages", json={"text": "close WO-1042"})
    action_id: str = answer.json()["action_id"]
    return action_id


async def test_what_waits_is_listed_and_read(captain: httpx.AsyncClient, pending: str):
    (found,) = (await captain.get("/v1/approvals")).json()["approvals"]
    assert found["action_id"] == pending
    assert (await captain.get(f"/v1/approvals/{pending}")).json() == found


async def test_a_yes_with_the_digest_runs_it(captain: httpx.AsyncClient, pending: str):
    answer = await captain.post(
        f"/v1/approvals/{pending}", json={"decision": "approve", "digest": DIGEST}
    )
    assert answer.status_code == 200
    assert (answer.json()["state"], answer.json()["decided_by"]) == ("succeeded", "ingrid")
    assert (await captain.get("/v1/approvals")).json()["approvals"] == []
    (done,) = (await captain.get("/v1/approvals?state=succeeded")).json()["approvals"]
    assert done["action_id"] == pending


async def test_a_no_and_an_edit_are_taken(captain: httpx.AsyncClient, pending: str):
    sent = {"decision": "reject", "digest": DIGEST, "reason": "not yet"}
    answer = await captain.post(f"/v1/approvals/{pending}", json=sent)
    assert answer.json()["state"] == "rejected"


async def test_an_edit_carries_its_arguments(captain: httpx.AsyncClient, pending: str):
    sent = {"decision": "edit", "digest": DIGEST, "arguments": {"work_order": "WO-7"}}
    answer = await captain.post(f"/v1/approvals/{pending}", json=sent)
    assert answer.json()["arguments"] == {"work_order": "WO-7"}


async def test_the_second_answer_learns_how_it_stands(captain: httpx.AsyncClient, pending: str):
    await captain.post(f"/v1/approvals/{pending}", json={"decision": "reject", "digest": DIGEST})
    late = await captain.post(
        f"/v1/approvals/{pending}", json={"decision": "approve", "digest": DIGEST}
    )
    assert assert_problem(late, 409, "conflict")["standing"] == "rejected"


async def test_an_answer_to_something_else_changes_nothing(
    captain: httpx.AsyncClient, pending: str
):
    sent = {"decision": "approve", "digest": "e" * 64}
    answer = await captain.post(f"/v1/approvals/{pending}", json=sent)
    assert_problem(answer, 409, "digest-mismatch")
    assert (await captain.get(f"/v1/approvals/{pending}")).json()["state"] == "pending"


@pytest.mark.parametrize(
    "sent",
    [
        {"decision": "approve"},
        {"digest": DIGEST},
        {"decision": "maybe", "digest": DIGEST},
        {"decision": "approve", "digest": ""},
        {"decision": "approve", "digest": "x" * 201},
        {"decision": "approve", "digest": DIGEST, "approver": "ingrid"},
        {"decision": "approve", "digest": DIGEST, "user": "ingrid"},
        {"decision": "approve", "digest": DIGEST, "arguments": {"work_order": "WO-7"}},
        {"decision": "edit", "digest": DIGEST},
        {"decision": "reject", "digest": DIGEST, "reason": "x" * 2_001},
        [{"decision": "approve", "digest": DIGEST}],
        "approve",
        True,
        {},
    ],
)
async def test_an_answer_that_is_none_changes_nothing(
    captain: httpx.AsyncClient, pending: str, sent: object
):
    assert_problem(await captain.post(f"/v1/approvals/{pending}", json=sent), 422, "invalid")
    assert (await captain.get(f"/v1/approvals/{pending}")).json()["state"] == "pending"


async def test_an_edit_that_does_not_fit_names_the_slot(captain: httpx.AsyncClient, pending: str):
    sent = {"decision": "edit", "digest": DIGEST, "arguments": {"wo": "WO-7"}}
    answer = await captain.post(f"/v1/approvals/{pending}", json=sent)
    assert "work_order" in assert_problem(answer, 422, "invalid-arguments")["errors"][0]["problem"]


async def test_only_an_approver_may(engineer: httpx.AsyncClient, pending: str):
    sent = {"decision": "approve", "digest": DIGEST}
    answer = await engineer.post(f"/v1/approvals/{pending}", json=sent)
    assert_problem(answer, 403, "forbidden")


async def test_a_service_may_never_whatever_its_roles(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive, pending: str
):
    for decision in ("approve", "reject"):
        answer = await clients["bridge"].post(
            f"/v1/approvals/{pending}", json={"decision": decision, "digest": DIGEST}
        )
        assert_problem(answer, 403, "forbidden")
    assert executive.ledger[pending].state == "pending"


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
async def test_no_other_method_approves(captain: httpx.AsyncClient, pending: str, method: str):
    await captain.request(
        method, f"/v1/approvals/{pending}?decision=approve&digest={DIGEST}", follow_redirects=False
    )
    assert (await captain.get(f"/v1/approvals/{pending}")).json()["state"] == "pending"


@pytest.mark.parametrize("query", ["state=waiting", "state=", "limit=0", "limit=201", "stat=x"])
async def test_a_list_of_nothing_known_is_refused(captain: httpx.AsyncClient, query: str):
    assert_problem(await captain.get(f"/v1/approvals?{query}"), 422, "invalid")


@pytest.mark.parametrize("decision", ["approve", "reject", "edit", "respond", "", None, [], {}])
async def test_an_odd_digest_is_refused_and_breaks_nothing(
    captain: httpx.AsyncClient, pending: str, decision: object
):
    kind = {"content-type": "application/json"}
    digests: tuple[object, ...] = ("", "\x00", "d\xe9", "\ud800", None, [], 1, "x" * 300)
    for digest in digests:
        sent = {"decision": decision, "digest": digest}
        answer = await captain.post(
            f"/v1/approvals/{pending}", content=json.dumps(sent), headers=kind
        )
        assert answer.status_code in (400, 409, 422)
        batch = json.dumps({"answers": [{"action_id": pending, **sent}]})
        answer = await captain.post("/v1/approvals/decide", content=batch, headers=kind)
        assert answer.status_code in (200, 400, 422)
    assert (await captain.get(f"/v1/approvals/{pending}")).json()["state"] == "pending"


@pytest.fixture
async def offered(engineer: httpx.AsyncClient) -> str:
    answer = await engineer.post("/v1/messages", json={"text": "note that"})
    offer_id: str = answer.json()["offer_id"]
    return offer_id


async def test_an_open_offer_is_listed_until_it_is_chosen(
    engineer: httpx.AsyncClient, offered: str
):
    (found,) = (await engineer.get("/v1/offers")).json()["offers"]
    assert found["offer_id"] == offered
    chosen = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    assert chosen.status_code == 200
    assert chosen.json()["decision_id"]
    assert (await engineer.get("/v1/offers")).json()["offers"] == []
    (done,) = (await engineer.get("/v1/offers?open=false")).json()["offers"]
    assert done["chosen"] == "chip-1"


async def test_a_second_click_learns_that_it_was_chosen(engineer: httpx.AsyncClient, offered: str):
    await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    late = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-1"})
    assert assert_problem(late, 409, "conflict")["standing"] == "chosen"


async def test_a_chip_that_is_not_on_it_is_not_found(engineer: httpx.AsyncClient, offered: str):
    answer = await engineer.post(f"/v1/offers/{offered}", json={"chip_id": "chip-9"})
    assert_problem(answer, 404, "not-found")


@pytest.mark.parametrize(
    "sent",
    [{}, {"chip_id": ""}, {"chip_id": 1}, {"chip_id": "chip-1", "user": "ingrid"}, [], "chip-1"],
)
async def test_a_click_on_nothing_is_refused(engineer: httpx.AsyncClient, offered: str, sent):
    assert_problem(await engineer.post(f"/v1/offers/{offered}", json=sent), 422, "invalid")


async def test_the_filter_is_a_yes_or_a_no(engineer: httpx.AsyncClient):
    assert_problem(await engineer.get("/v1/offers?open=perhaps"), 422, "invalid")


ROBOT = Principal(user="r2", tenant_id="default", roles=("master",), kind="service")
STRANGER = Principal(user="ingrid", tenant_id="other", roles=("master",))


class Port:
    """A harbour, and a client a person."""

    def __init__(self, harbour: Harbour, clients: dict[str, httpx.AsyncClient]) -> None:
        self.harbour = harbour
        self.clients = clients

    async def asked(self, lock: str) -> dict[str, Any]:
        record = await self.harbour.says(f"close lock {lock}")
        answer = await self.clients["keeper"].get(f"/v1/approvals/{record.action_id}")
        shown: dict[str, Any] = answer.json()
        return shown

    async def post(self, who: str, path: str, sent: Any) -> httpx.Response:
        return await self.clients[who].post(f"/v1/{path}", json=sent)


@pytest.fixture
async def port(open_harbour: OpenHarbour) -> AsyncIterator[Port]:  # noqa: F811  # the fixture
    people = {"keeper": KEEPER, "master": MASTER, "robot": ROBOT, "stranger": STRANGER}
    async with AsyncExitStack() as stack:
        harbour = await stack.enter_async_context(open_harbour())
        app = create_app(harbour.executive)
        clients = {}
        for name, principal in people.items():
            key = await harbour.executive.keys.make(principal)
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"},
            )
            clients[name] = await stack.enter_async_context(client)
        yield Port(harbour, clients)


def yes(shown: dict[str, Any], **changed: Any) -> dict[str, Any]:
    answer = {"action_id": shown["action_id"], "decision": "approve", "digest": shown["digest"]}
    return answer | changed


async def test_a_batch_is_answered_one_by_one(port: Port):
    first, second, third = [await port.asked(lock) for lock in ("LK-12", "LK-40", "LK-77")]
    answer = await port.post(
        "master",
        "approvals/decide",
        {
            "answers": [
                yes(first),
                yes(second, digest=first["digest"]),
                yes(third, decision="reject", reason="a boat is in it"),
                yes(first),
                yes(first, action_id="nowhere"),
            ]
        },
    )
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["status"] for result in results] == [200, 409, 200, 409, 404]
    assert results[0]["approval"]["state"] == "succeeded"
    assert results[1]["problem"]["type"].endswith("digest-mismatch")
    assert results[3]["problem"]["standing"] == "succeeded"
    assert port.harbour.effects() == ["close_lock LK-12 None"]


@pytest.mark.parametrize(("who", "status"), [("keeper", 403), ("stranger", 404), ("robot", None)])
async def test_a_batch_gives_nobody_more_rights(port: Port, who: str, status: int | None):
    shown = await port.asked("LK-12")
    answer = await port.post(who, "approvals/decide", {"answers": [yes(shown)]})
    if status is None:
        assert_problem(answer, 403, "forbidden")
    else:
        assert [result["status"] for result in answer.json()["results"]] == [status]
    assert port.harbour.effects() == []


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"answers": []},
        {"answers": [{"action_id": "x", "decision": "approve"}]},
        {"answers": [{"action_id": "x", "decision": "approve", "digest": "d", "user": "u"}]},
        {"answers": [{"action_id": "x", "decision": "yes", "digest": "d"}]},
        {"answers": [{"action_id": "x", "decision": "approve", "digest": "d"}] * 51},
        [{"action_id": "x", "decision": "approve", "digest": "d"}],
    ],
)
async def test_a_batch_that_is_none_is_refused_whole(port: Port, sent: Any):
    assert_problem(await port.post("master", "approvals/decide", sent), 422, "invalid")


@pytest.mark.parametrize("form", ["inbox", "hitl", "per_call", "agui"])
async def test_answers_in_other_peoples_forms_count_with_their_evidence(port: Port, form: str):
    shown = await port.asked("LK-12")
    args, digest = shown["arguments"], shown["digest"]
    sent: Any = {
        "inbox": [{"type": "accept", "args": {"action": "close_lock", "args": args}}],
        "hitl": {"decisions": [{"type": "approve", "payload_hash": digest}]},
        "per_call": {"type": "approve", "payload_hash": digest},
        "agui": {"approved": True, "payload_hash": digest},
    }[form]
    bare: Any = {
        "inbox": [{"type": "accept", "args": None}],
        "hitl": {"decisions": [{"type": "approve"}]},
        "per_call": {"type": "approve"},
        "agui": {"approved": True},
    }[form]
    path = f"approvals/{shown['action_id']}"
    assert_problem(await port.post("master", path, bare), 422, "invalid")
    assert port.harbour.effects() == []
    answer = await port.post("master", path, sent)
    assert (answer.status_code, answer.json()["state"]) == (200, "succeeded")
    assert port.harbour.effects() == ["close_lock LK-12 None"]


async def test_the_dialog_comes_with_the_approval(port: Port):
    shown = await port.asked("LK-12")
    assert shown["dialog"]["lines"][0] == "Close lock LK-12"
    assert (await port.clients["master"].get("/v1/approvals")).json()["approvals"] == [shown]
    assert (await port.clients["stranger"].get("/v1/approvals")).json()["approvals"] == []


async def test_a_refusal_is_made_listed_and_withdrawn_by_approvers(port: Port):
    wanted = {"action": "close_lock", "reason": "divers", "minutes": 60}
    assert_problem(await port.post("keeper", "refusals", wanted), 403, "forbidden")
    assert_problem(await port.post("robot", "refusals", wanted), 403, "forbidden")
    kept = (await port.post("master", "refusals", wanted)).json()
    assert (await port.harbour.says("close lock LK-12")).reason == "standing_refusal"
    for who, seen in (("master", [kept]), ("keeper", []), ("stranger", [])):
        assert (await port.clients[who].get("/v1/refusals")).json()["refusals"] == seen
    path = f"/v1/refusals/{kept['refusal_id']}"
    for who, status in (("keeper", 404), ("stranger", 404), ("robot", 403)):
        assert (await port.clients[who].delete(path)).status_code == status
    ended = await port.clients["master"].delete(path)
    assert (ended.status_code, ended.json()["withdrawn_by"]) == (200, "ingrid")
    assert_problem(await port.clients["master"].delete(path), 409, "conflict")
    assert (await port.harbour.says("close lock LK-12")).outcome == "awaiting_approval"


async def test_an_unknown_end_is_settled_with_evidence_and_never_run_again(port: Port):
    record = await port.harbour.says("drain the basin")
    action = await port.harbour.answers(record.action_id)
    assert action.state == "unknown"
    path = f"approvals/{action.action_id}/settle"
    seen = {"happened": True, "evidence": "the basin is dry"}
    for sent in ({}, {"happened": True}, seen | {"happened": "yes"}, seen | {"evidence": ""}):
        assert_problem(await port.post("master", path, sent), 422, "invalid")
    assert_problem(await port.post("keeper", path, seen), 403, "forbidden")
    assert_problem(await port.post("robot", path, seen), 403, "forbidden")
    assert_problem(await port.post("stranger", path, seen), 404, "not-found")
    before = port.harbour.effects()
    settled = (await port.post("master", path, seen)).json()
    assert (settled["state"], settled["settled_by"]) == ("succeeded", "ingrid")
    assert_problem(await port.post("master", path, seen), 409, "conflict")
    assert port.harbour.effects() == before
