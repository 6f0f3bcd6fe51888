import json

import httpx
import pytest

from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive

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
    body = assert_problem(answer, 422, "invalid-arguments")
    assert "work_order" in body["errors"][0]["problem"]


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
