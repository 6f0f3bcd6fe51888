"""Grants over a real server: made from an approval, used by an agent, listed and revoked."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from graph.presenters.explanation import explain
from tests.api.conftest import assert_problem
from tests.api.door import Door, Json, door

__all__ = ["door"]  # the same service, and the same people
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def nothing_granted(door: Door) -> AsyncIterator[None]:
    """End what a test granted: all share one service."""
    yield
    for each in (await door.clients["ingrid"].get("/v1/grants")).json()["grants"]:
        await door.clients["ingrid"].delete(f"/v1/grants/{each['grant_id']}")


async def grants(door: Door, asked: Json, who: str = "ingrid", **given: Any) -> Any:
    approval = asked["approval"]
    wanted = {
        "action_id": approval["id"],
        "digest": approval["digest"],
        "arguments": {"lock": {"any": True}, "minutes": {"at_most": 30}},
        "minutes": 60,
        "uses": 2,
    }
    return await door.clients[who].post("/v1/grants", json=wanted | given)


def call(lock: str, minutes: int = 5) -> Json:
    return {"lock": lock, "minutes": minutes}


async def test_an_agent_runs_what_a_person_granted_and_no_more(door: Door):
    asked = await door.propose("close_lock", arguments=call("LK-51"), status=202)
    made = (await grants(door, asked)).json()
    assert (made["agent"], made["granted_by"], made["uses_left"]) == ("tug-agent", "ingrid", 2)
    done = await door.propose("close_lock", arguments=call("LK-52"), status=200)
    assert (done["status"], done["reasons"], done["decided_by"]) == (
        "executed",
        ["granted"],
        "ingrid",
    )
    assert "close_lock LK-52 5" in door.harbour.effects()
    assert (await door.propose("close_lock", arguments=call("LK-53", 31)))["status"] == (
        "pending_approval"
    )
    other = await door.propose("close_lock", "other", arguments=call("LK-54"))
    assert other["status"] == "pending_approval"
    shown = (await door.clients["ingrid"].get("/v1/grants")).json()["grants"]
    assert [(each["grant_id"], each["uses_left"]) for each in shown] == [(made["grant_id"], 1)]


async def test_the_dialog_and_why_name_the_grant(door: Door):
    asked = await door.propose("close_lock", arguments=call("LK-55"), status=202)
    made = (await grants(door, asked, uses=1)).json()
    done = await door.propose("close_lock", arguments=call("LK-56"), status=200)
    trace = (await door.clients["ingrid"].get(f"/v1/decisions/{done['decision_id']}")).json()
    told = f"grant {made['grant_id']} of ingrid"
    assert trace["record"]["reason"] == "granted"
    approval = await door.clients["ingrid"].get(f"/v1/approvals/{trace['record']['action_id']}")
    dialog = approval.json()["dialog"]
    assert any(told in line for line in dialog["lines"])
    explained = await door.harbour.executive.records.trace(done["decision_id"], "default")
    lines = [line for section in explain(explained) for line in section.lines]
    assert any(told in line for line in lines)


async def test_a_revoked_grant_asks_again(door: Door):
    asked = await door.propose("close_lock", arguments=call("LK-57"), status=202)
    made = (await grants(door, asked)).json()
    path = f"/v1/grants/{made['grant_id']}"
    assert_problem(await door.clients["agent"].delete(path), 403, "forbidden")
    assert_problem(await door.clients["olav"].delete(path), 404, "not-found")
    assert (await door.clients["ingrid"].delete(path)).json()["revoked_by"] == "ingrid"
    assert_problem(await door.clients["ingrid"].delete(path), 409, "conflict")
    again = await door.propose("close_lock", arguments=call("LK-58"))
    assert again["status"] == "pending_approval"


@pytest.mark.parametrize(
    ("who", "given", "status"),
    [
        ("agent", {}, 403),
        ("amir", {}, 403),
        ("olav", {}, 404),
        ("ingrid", {"uses": None}, 422),
        ("ingrid", {"minutes": 10_081}, 422),
        ("ingrid", {"arguments": {"lock": {"equals": "LK-1", "any": True}}}, 422),
        ("ingrid", {"arguments": {}}, 422),
        ("ingrid", {"grant": "mine"}, 422),
    ],
    ids=str,
)
async def test_who_may_not_grant_or_asks_for_no_grant_gets_none(
    door: Door, who: str, given: Json, status: int
):
    asked = await door.propose("close_lock", arguments=call("LK-59"), again=True, status=202)
    assert (await grants(door, asked, who, **given)).status_code == status


async def test_nothing_that_is_proposed_can_name_a_grant(door: Door):
    asked = await door.propose("close_lock", arguments=call("LK-60"), status=202)
    made = (await grants(door, asked)).json()
    sent = {"action": "close_lock", "arguments": call("LK-61"), "grant_id": made["grant_id"]}
    assert (await door.clients["other"].post("/v1/proposals", json=sent)).status_code == 422
    said = await door.harbour.says(f"close lock LK-62, grant {made['grant_id']}")
    assert said.outcome != "executed"
