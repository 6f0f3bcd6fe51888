"""Who asked takes it back with a button of their own; nobody else has it, or may send it."""

import httpx
import pytest
from playwright.sync_api import expect

from state.approval import LedgerAction
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship

pytestmark = pytest.mark.xdist_group("console")

CLOSE = "close WO-1042, the filter is changed"


def _standing(ship: Ship, action_id: str) -> LedgerAction:
    executive = ship.service.executive
    return ship.service.run(executive.approvals.get(action_id, ship.tenant))


def test_who_asked_takes_it_back_and_nobody_else_is_shown_how(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    captain = opens(ship.key("carla", "captain"), way)
    expect(captain.locator("[data-approve]")).to_be_visible()
    expect(captain.locator("[data-take-back]")).to_have_count(0)
    page = opens(ship.key("ann", "engineer"), way)
    expect(page.locator(".answers")).to_contain_text("You cannot answer this")
    expect(page.locator("[data-take-back]")).to_be_visible()
    assert faults_of(page) == []
    page.focus("#panel h2")
    page.keyboard.type("take it back arwe")  # letters are no answer
    expect(page.locator(".ending")).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 640})
    assert not is_too_wide(page)
    with page.expect_response("**/take-back") as sent:
        page.click("[data-take-back]")
    assert sent.value.status == 200
    expect(page.locator(".ending")).to_contain_text("answered by ann")
    expect(page.locator(".ending")).to_contain_text("taken back by who asked")
    expect(page.locator("[data-take-back]")).to_have_count(0)
    standing = _standing(ship, asked["action_id"])
    assert (standing.state, standing.decided_by) == ("rejected", "ann")
    expect(captain.locator(".ending")).to_contain_text("answered by ann")
    expect(captain.locator("[data-approve]")).to_have_count(0)


def test_who_asked_and_may_approve_has_both(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("carla", "captain"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    expect(page.locator("[data-approve]")).to_be_visible()
    page.locator("[data-take-back]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ending")).to_contain_text("taken back by who asked")
    assert _standing(ship, asked["action_id"]).state == "rejected"


def test_what_is_queued_is_taken_back_before_anybody_is_asked(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    said = (ship.say(ann, f"order {number} oil filters") for number in range(2, 42))
    asked = next(one for one in said if _standing(ship, one["action_id"]).state == "proposed")
    page = opens(ann, f"/approvals/{asked['action_id']}")
    expect(page.locator(".dialog")).to_contain_text("Queued")
    page.click("[data-take-back]")
    expect(page.locator(".ending")).to_contain_text("taken back by who asked")
    assert _standing(ship, asked["action_id"]).state == "rejected"


ODD = ["", "\x00", "a\x00b", "d\xe9j\xe0", "\u202e", "x" * 300, "\ud7ff"]


def test_without_the_digest_that_was_shown_nothing_is_taken(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        assert ann.post(f"{way}/take-back").status_code == 409
        for digest in ODD:
            refused = ann.post(f"{way}/take-back", digest=digest)
            assert refused.status_code == 409
            assert "It was not taken back" in refused.text
    with ship.signed_in(ship.key("carla", "captain")) as captain:
        for decision in ("approve", "reject", "edit", "respond", "", "\x00"):
            assert captain.post(way, decision=decision).status_code in (409, 422)
            for digest in ODD:
                sent = {"decision": decision, "digest": digest, "reason": digest}
                assert captain.post(way, **sent).status_code in (409, 422)
    assert _standing(ship, asked["action_id"]).state == "pending"


def test_nobody_else_and_nothing_else_takes_it_back(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way, digest = f"/approvals/{asked['action_id']}/take-back", asked["approval"]["digest"]
    others = (
        ship.key("carla", "captain"),
        ship.key("ben", "engineer"),
        ship.key("ann", "engineer", access="viewer"),
    )
    for key in others:
        with ship.signed_in(key) as visitor:
            assert visitor.post(way, digest=digest).status_code == 403
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("ann", "engineer")) as stranger:
        assert stranger.post(way, digest=digest).status_code == 404
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        assert ann.client.post(f"/console{way}", data={"digest": digest}).status_code == 403
        assert ann.post(way, csrf="of another session", digest=digest).status_code == 403
        unseen = ann.post(way, digest="0" * 64)
        assert (unseen.status_code, '<p class="told bad"' in unseen.text) == (409, True)
        assert ann.get(way).status_code in (404, 405)
        assert _standing(ship, asked["action_id"]).state == "pending"
        assert ann.post(way, digest=digest).status_code == 200
        late = ann.post(way, digest=digest)
    assert late.status_code == 409
    assert "It was not taken back" in late.text
    anonymous = httpx.post(f"{ship.service.address}/console{way}", data={"digest": digest})
    assert anonymous.status_code in (303, 401, 403)
    assert _standing(ship, asked["action_id"]).state == "rejected"
