"""What waits for people besides one question: several alike, offers, refusals, unclear ends."""

import pytest
from playwright.sync_api import ViewportSize, expect
from sqlalchemy import update

from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship
from tools.storage.tables.ledger import ledger_action

pytestmark = pytest.mark.xdist_group("console")

ORDERS = ("WO-1042", "WO-1035", "WO-1040")
TOGETHER = "/approvals/together?action=close_work_order"
PHONE: ViewportSize = {"width": 320, "height": 640}


def test_those_that_are_chosen_are_approved_together_and_no_other(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = [ship.say(ann, f"close {order}")["action_id"] for order in ORDERS]
    page = opens(ship.key("carla", "captain"))
    page.click("text=Answer 3 × close work order together")
    expect(page.locator("input[type=checkbox]:checked")).to_have_count(0)
    for action_id in asked[:2]:
        page.check(f"#on-{action_id}")
    page.fill("#typed", "approve 3")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("type: approve 2; nothing has happened")
    assert faults_of(page) == []
    page.fill("#typed", page.locator("[data-phrase-now]").inner_text())
    page.get_by_role("button", name="Approve the chosen").click()
    expect(page.locator(".told .mark.done")).to_have_count(2)
    expect(page.locator("input[type=checkbox]")).to_have_count(1)
    run = ship.service.run
    executive = ship.service.executive
    states = [run(executive.approvals.get(each, ship.tenant)).state for each in asked]
    assert states == ["succeeded", "succeeded", "pending"]
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)


def test_together_each_keeps_its_own_digest_rights_and_end(ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = [ship.say(ann, f"close {order}") for order in ORDERS]
    chosen = {f"on.{one['action_id']}": one["approval"]["digest"] for one in asked[:2]}
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert ole.get(TOGETHER).text.count(" disabled") == 3
        told = ole.post("/approvals/together", decision="approve", typed="approve 2", **chosen)
        assert told.text.count("not taken") == 2
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        way = "/approvals/together"
        assert carla.post(way, decision="approve", typed="approve 1", **chosen).status_code == 422
        assert carla.post(way, decision="edit", typed="approve 2", **chosen).status_code == 422
        assert carla.post(way, decision="approve", typed="approve 0").status_code == 422
        chosen[f"on.{asked[1]['action_id']}"] = "0" * 64  # it was edited meanwhile
        told = carla.post(way, decision="reject", reason="not now", **chosen)
        assert told.text.count("not taken") == 1
        assert "not now" in carla.get(f"/approvals/{asked[0]['action_id']}").text
    stranger = Ship(ship.service, "elsewhere")
    with stranger.signed_in(stranger.key("olav", "captain")) as olav:
        assert "WO-10" not in olav.get(TOGETHER).text
        assert olav.post(way, decision="reject", **chosen).status_code == 404


def test_what_somebody_was_offered_nobody_else_chooses(opens: Opens, ship: Ship):
    ship.say(ship.key("ann", "engineer"), "add a note to WO-1042: gasket ordered")
    ernst = ship.key("ernst", "chief_engineer")
    with ship.signed_in(ernst) as visitor:
        assert "offered to ann" in visitor.get("/offers").text
    page = opens(ship.key("ann", "engineer"), "/offers", scheme="dark")
    assert faults_of(page) == []
    page.locator("button.chip").first.click()
    expect(page.locator(".chip.chosen")).to_contain_text("chosen by ann")
    expect(page.locator(".turn")).to_contain_text("executed")
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)


def test_a_standing_refusal_is_seen_and_withdrawn(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = ship.say(ann, "close WO-1042, the filter is changed")
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    page.locator("details[data-key=r] summary").click()
    page.select_option("#panel-same", "requester")
    page.fill("#panel-why", "<b>Monday</b>")
    page.click("details[data-key=r] button")
    expect(page.locator(".ending")).to_contain_text("refused")
    assert ship.say(ann, "close WO-1035")["outcome"] == "refused"
    page.goto("/console/refusals")
    expect(page.locator("#refusals")).to_contain_text("<b>Monday</b>")
    assert faults_of(page) == []
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)
    page.click("button:has-text('Withdraw')")
    expect(page.locator("#refusals")).to_contain_text("Nothing is refused beforehand")
    assert ship.say(ann, "close WO-1035")["outcome"] == "awaiting_approval"


def test_what_nobody_can_tell_is_settled_with_evidence(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), "close WO-1042, the filter is changed")
    left = update(ledger_action).where(ledger_action.c.action_id == asked["action_id"])
    database = ship.service.executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(left.values(state="unknown")))
    )
    way = f"/approvals/{asked['action_id']}"
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert "You cannot settle this" in ole.get(way).text
        told = ole.post(f"{way}/settle", happened="yes", evidence="seen")
        assert told.status_code == 403
    page = opens(ship.key("carla", "captain"), "/approvals?state=unknown")
    expect(page.locator(".tabs .badge")).to_contain_text("1")
    page.click("a.row")
    page.check("text=yes, it happened")
    page.fill("#panel-evidence", "the order is closed in the register")
    assert faults_of(page) == []
    page.click("text=Settle it")
    expect(page.locator(".ending")).to_contain_text("carla saw: the order is closed")
    expect(page.locator(".ending strong")).to_have_text("done")
