"""Grants in the console: made on the page of an agent's call, used, seen and revoked."""

import re
from typing import Any

import httpx

from tests.browser.service import Ship


def called(ship: Ship, order: str) -> dict[str, Any]:
    """Let an agent propose to close a work order."""
    answer = httpx.post(
        f"{ship.service.address}/v1/proposals",
        headers={"Authorization": f"Bearer {ship.key('bot', 'engineer', kind='service')}"},
        json={"action": "close_work_order", "arguments": {"work_order": order}},
        timeout=30,
    )
    assert answer.status_code in (200, 202), answer.text
    return dict(answer.json())


def granted(ship: Ship, carla: str) -> str:
    """Allow such calls on the page of one; return the id of the grant."""
    asked = called(ship, "WO-1063")["approval"]
    with ship.signed_in(carla) as captain:
        page = captain.get(f"/approvals/{asked['id']}").text
        assert 'name="pattern-work_order"' in page
        fields = {"action_id": asked["id"], "digest": asked["digest"], "uses": "2", "minutes": "60"}
        told = captain.post("/grants", **fields, **{"pattern-work_order": "any"})
        assert (told.status_code, told.headers["location"]) == (303, "/console/grants")
        grant_id: str
        (grant_id,) = re.findall(r"action=\"/console/grants/([^/]+)/", captain.get("/grants").text)
    return grant_id


def test_a_grant_is_made_used_seen_and_revoked(ship: Ship):
    carla = ship.key("carla", "captain")
    grant_id = granted(ship, carla)
    assert called(ship, "WO-1064")["status"] == "executed"
    with ship.signed_in(carla) as captain:
        listed = captain.get("/grants").text
        assert all(words in listed for words in ("any value", "1 of 2 calls left", "carla"))
        assert captain.post(f"/grants/{grant_id}/revoke").status_code == 303
        assert "No grants." in captain.get("/grants").text
    assert called(ship, "WO-1065")["status"] == "pending_approval"


def test_a_request_in_words_has_no_form_for_a_grant(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), "close WO-1042, the filter is changed")
    with ship.signed_in(ship.key("carla", "captain")) as captain:
        page = captain.get(f"/approvals/{asked['action_id']}").text
        assert "pattern-" not in page
        fields = {"digest": asked["approval"]["digest"], "uses": "2", "minutes": "60"}
        assert captain.post("/grants", action_id=asked["action_id"], **fields).status_code == 403


def test_a_form_that_is_no_grant_is_refused(ship: Ship):
    asked = called(ship, "WO-1066")["approval"]
    with ship.signed_in(ship.key("carla", "captain")) as captain:
        fields = {"action_id": asked["id"], "digest": asked["digest"], "minutes": "60"}
        assert captain.post("/grants", **fields, uses="many").status_code == 422
        assert captain.post("/grants", **fields, uses="1000").status_code == 422
        assert "No grants." in captain.get("/grants").text
