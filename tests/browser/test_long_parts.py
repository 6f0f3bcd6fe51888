"""What is long is folded, and opened before a yes; the words that were said stand above it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opens
from tests.browser.looking import faults_of
from tests.browser.service import Ship

pytestmark = pytest.mark.xdist_group("console")

HIDDEN = "and the valve stays open"
LONG = f"the filter is changed {'and the pump runs ' * 9}{HIDDEN} {'and the pump runs ' * 9}"


def test_a_yes_comes_after_the_long_parts_were_opened(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), f"close WO-1042, {LONG}")
    dialog = asked["approval"]["dialog"]
    assert HIDDEN in dialog["words"]
    carla, way = ship.key("carla", "captain"), f"/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    with ship.signed_in(carla) as visitor:
        refused = visitor.post(way, **yes)
        assert (refused.status_code, "read what is folded first" in refused.text) == (422, True)
    page = opens(carla, way)
    assert faults_of(page) == []
    expect(page.locator(".asked")).to_contain_text("ann, ")
    expect(page.locator(".asked a")).to_have_attribute(
        "href", f"/console/decisions/{asked['decision_id']}"
    )
    folded = page.locator("[data-long]:not([open]) > summary")
    expect(page.locator("[data-approve]")).to_be_disabled()
    for _ in range(folded.count()):
        expect(page.locator("[data-approve]")).to_be_disabled()
        folded.first.click()
    expect(page.locator(".asked details > div")).to_contain_text(HIDDEN)
    page.locator("[data-approve]").click()
    expect(page.locator(".ending")).to_contain_text("answered by carla")
