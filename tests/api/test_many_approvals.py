"""Approvals over the whole service: in batches, in other people's forms, refused beforehand."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from api.app import create_app
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.graph.conftest import OpenHarbour, open_harbour  # noqa: F401  # a fixture
from tests.graph.harbour import KEEPER, MASTER, Harbour

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


async def test_a_batch_is_answered_one_by_one(port: Port) -> None:
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
async def test_a_batch_gives_nobody_more_rights(port: Port, who: str, status: int | None) -> None:
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
async def test_a_batch_that_is_none_is_refused_whole(port: Port, sent: Any) -> None:
    assert_problem(await port.post("master", "approvals/decide", sent), 422, "invalid")


@pytest.mark.parametrize("form", ["inbox", "hitl", "per_call", "agui"])
async def test_answers_in_other_peoples_forms_count_with_their_evidence(
    port: Port, form: str
) -> None:
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


async def test_the_dialog_comes_with_the_approval(port: Port) -> None:
    shown = await port.asked("LK-12")
    assert shown["dialog"]["lines"][0] == "Close lock LK-12"
    listed = (await port.clients["master"].get("/v1/approvals")).json()["approvals"]
    assert listed == [shown]
    assert (await port.clients["stranger"].get("/v1/approvals")).json()["approvals"] == []


async def test_a_refusal_is_made_listed_and_withdrawn_by_approvers(port: Port) -> None:
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


async def test_an_unknown_end_is_settled_with_evidence_and_never_run_again(port: Port) -> None:
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
