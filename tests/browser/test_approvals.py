"""Approvals in a browser: by keyboard, raced for, run out while open, on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import update

from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship
from tools.storage.tables.ledger import ledger_action

pytestmark = pytest.mark.xdist_group("console")

CLOSE = "close WO-1042, the filter is changed"


def test_a_yes_is_said_by_keyboard_and_never_by_accident(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    expect(page.locator("time.until").first).to_have_text(re.compile(r"\d+:\d\d left"))
    page.keyboard.press("Enter")  # nothing is chosen beforehand
    expect(page.locator("[data-approve]")).not_to_be_focused()
    page.keyboard.type("add a ")  # ordinary words are no answer, in the question or anywhere
    _leaves_while_the_question_is_drawn(page)
    page.keyboard.type("add a note and answer ")
    expect(page.locator("details[open]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("a.row")).to_be_focused()
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ship.say(ship.key("ben", "engineer"), "order 40 impellers")  # moves nobody, and is announced
    expect(page.locator("[data-announced]")).to_have_text("2 questions wait for a yes")
    expect(page.locator("a.row")).to_have_count(2)
    expect(page.locator("a.row.current")).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator(".answers")).to_be_focused()
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
    expect(page.locator(".ending")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator("[data-approve]")).to_be_focused()
    expect(page.locator("[data-approve]")).to_be_in_viewport()
    with page.expect_response("**/approvals/queue?*"):
        page.evaluate("htmx.trigger(document.body, 'approvals')")  # as each poll does
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    expect(page.locator("a.row.current[aria-current]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".ending")).to_contain_text("answered by carla")
    expect(page.locator("a.row")).to_have_count(1)
    shown = ship.service.run(ship.service.executive.approvals.get(asked["action_id"], ship.tenant))
    assert shown.state == "succeeded"


def _leaves_while_the_question_is_drawn(page: Page) -> None:
    page.evaluate(
        """() => new Promise((done) => {
          const leave = (event) => {
            if (event.detail.target.id === "panel") document.activeElement.blur();
          };
          const settled = (event) => {
            if (event.detail.target.id !== "panel") return;
            document.removeEventListener("htmx:afterSwap", leave);
            document.removeEventListener("htmx:afterSettle", settled);
            done();
          };
          document.addEventListener("htmx:afterSwap", leave);
          document.addEventListener("htmx:afterSettle", settled);
          document.querySelector("a.row").focus();
          document.activeElement.click();
        })"""
    )
    expect(page.locator("body")).to_be_focused()


def test_of_two_who_race_the_second_is_told_what_happened(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    first = opens(ship.key("carla", "captain"), way)
    second = opens(ship.key("ernst", "chief_engineer"), way)
    # What the second is writing stays: it still shows a question that was answered.
    second.focus("#panel h2")
    second.keyboard.press("r")
    second.keyboard.type("not today")
    first.click("[data-approve]")
    expect(first.locator(".ending")).to_contain_text("answered by carla")
    expect(second.locator("#told")).to_contain_text("stands otherwise meanwhile")
    expect(second.locator("#panel-why")).to_have_value("not today")
    second.click("button.no")
    expect(second.locator(".told.bad")).to_contain_text("Your answer was not taken")
    expect(second.locator(".ending")).to_contain_text("answered by carla")


def test_a_question_that_runs_out_while_open_says_so(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    over = update(ledger_action).where(ledger_action.c.action_id == asked["action_id"])
    executive = ship.service.executive
    database = executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(over.values(expires_at=1.0)))
    )
    ship.service.run(executive.approvals.settle_answered())
    expect(page.locator(".ending")).to_contain_text("expired")
    expect(page.locator("[data-approve]")).to_have_count(0)


def test_much_has_to_be_typed_and_an_edit_can_make_it_less(opens: Opens, ship: Ship):
    ship.say(ship.key("carla", "captain"), "export the compliance logs")
    page = opens(ship.key("ernst", "chief_engineer"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    phrase = page.locator(".phrase").inner_text()
    assert re.fullmatch(r"\d+ compliance log", phrase)
    expect(page.locator("[data-approve]")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 300})
    page.fill("#panel-typed", "yes")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text(phrase)
    expect(page.locator("#told .told")).to_be_in_viewport(ratio=0.9)  # however far it is scrolled
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.fill("[name='slot.since']", "2026-05-20")
    page.click("text=Ask anew with these values")
    expect(page.locator("#panel")).to_contain_text("2026-05-20")


@pytest.mark.parametrize(("scheme", "key"), [("light", "r"), ("dark", "e")])
def test_everybody_can_use_it(opens: Opens, ship: Ship, scheme: str, key: str):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}", scheme=scheme)
    expect(page.locator("a.row.current")).to_be_focused()
    page.keyboard.press(key)
    expect(page.locator("details[open] :focus")).to_have_count(1)
    assert faults_of(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("[data-live-state]")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Measures")).to_be_in_viewport(ratio=1)
    assert not is_too_wide(page)
