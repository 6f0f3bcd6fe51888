"""Every other thing that can be pressed, in one walk through the pages."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opens
from tests.browser.looking import faults_of
from tests.browser.service import Ship, decided
from tests.browser.test_quieting import KEPT

pytestmark = pytest.mark.xdist_group("console")


def test_what_is_left_to_press_does_what_it_says(opens: Opens, ship: Ship):
    key = ship.key("carla", "captain", "engineer")
    decided(ship, key, KEPT)
    ann = ship.key("ann", "engineer")
    ship.say(ann, "add a note to WO-1035: gasket ordered")
    asked = ship.say(ann, "close WO-1042, the filter is changed")
    page = opens(key)
    _wants_something_else(page, asked["action_id"])
    _filters_what_is_live(page)
    _settles_a_link_and_takes_the_journal_away(page)
    _asks_for_quiet_and_ends_it(page)


def _wants_something_else(page: Page, action_id: str) -> None:
    page.goto(f"/console/approvals/{action_id}")
    page.keyboard.press("w")
    page.fill("#panel-instead", "show me WO-1042")
    page.click("text=Say it")
    expect(page.locator(".ending")).to_contain_text("refused")


def _filters_what_is_live(page: Page) -> None:
    page.goto("/console/live")
    everything = page.locator(".decision").count()
    page.select_option("#outcome", "offered")
    page.click("text=Show")
    expect(page.locator(".decision")).to_have_count(1)
    assert everything > 1


def _settles_a_link_and_takes_the_journal_away(page: Page) -> None:
    page.goto("/console/journal")
    assert faults_of(page) == []
    page.click("text=Yes, it does")
    expect(page.locator("#proposed li")).to_have_count(0)
    with page.expect_download() as taken:
        page.click("text=Export")
    assert taken.value.suggested_filename == "journal.ndjson"
    page.click("a.row:has-text('seven days')")
    expect(page.locator(".chain li")).to_have_count(2)
    assert faults_of(page) == []


def _asks_for_quiet_and_ends_it(page: Page) -> None:
    page.goto("/console/quiet")
    page.fill("#starts", "22:00")
    page.fill("#ends", "06:00")
    page.click("text=Set")
    page.click("text=end them")
    page.fill("#topic", "bilge")
    page.click("button:has-text('Leave it alone')")
    expect(page.locator("#standing")).to_contain_text("left alone: bilge")
    expect(page.locator("#standing")).not_to_contain_text("quiet hours 22:00")
    page.click("text=forget it")
    expect(page.locator("#standing")).not_to_contain_text("left alone")
    page.fill("#watched", "bilge")
    page.click("text=Watch for it")
    expect(page.locator("#standing")).to_contain_text("watched for: bilge")
    page.click("text=forget it")
    expect(page.locator("#standing")).not_to_contain_text("watched for")
