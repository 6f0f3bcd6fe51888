"""Talk and Live in a browser: the first minute, rows as they happen, a dropped stream."""

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from api.console import stream
from api.console.route import COOKIE
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship, decided
from tests.browser.wire import Wire

pytestmark = pytest.mark.xdist_group("console")

PHONE: ViewportSize = {"width": 320, "height": 640}


def test_a_newcomer_meets_an_answer_a_chip_and_a_question(opens: Opens, ship: Ship):
    key = ship.key("carla", "captain", "engineer")
    decided(ship, key)
    page = opens(key, "/talk")
    tries = page.locator("[data-try]")
    for number in range(3):
        tries.nth(number).click()
        page.keyboard.press("Enter")
        expect(page.locator(".turn")).to_have_count(number + 1)
    expect(page.locator(".turn").nth(0)).to_contain_text("executed")
    page.locator(".chips button.chip").first.click()
    expect(page.locator(".turn")).to_have_count(4)
    expect(page.locator(".chip.chosen")).to_have_count(1)
    expect(page.locator("#say")).to_be_focused()  # after a chip, too
    assert faults_of(page) == []
    for number in (5, 6):  # two more questions: keys, and what unfolds, stay in one of them
        page.evaluate("document.activeElement.blur()")
        page.keyboard.type("add a note and answer ")
        page.locator("#say").fill(f"order {number} oil filters")
        page.keyboard.press("Enter")
        expect(page.locator(".turn")).to_have_count(number)
    expect(page.locator("[data-question]")).to_have_count(3)
    last = page.locator("[data-question]").nth(2)
    last.locator("h2").focus()
    page.keyboard.type("and add it ")
    page.keyboard.press("r")
    expect(last.locator("details[open] :focus")).to_have_count(1)
    page.locator("[data-question] details[data-key=w] summary").first.click()
    expect(page.locator("[data-question] details[open]")).to_have_count(2)
    expect(page.locator(".ending")).to_have_count(0)  # nobody approved
    last.locator("[data-approve]").click()
    expect(page.locator(".ending")).to_contain_text("answered by carla")
    page.click(".tries [data-try^='why did we decide']")
    page.keyboard.press("Enter")
    expect(page.locator(".turn").last.locator(".reply")).to_contain_text("said by ingrid")
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)


def test_what_is_said_in_a_conversation_by_another_appears_there(opens: Opens, ship: Ship):
    page = opens(ship.key("ann", "engineer"), "/talk")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ben = ship.key("ben", "engineer")
    ship.say(ben, "show me WO-1035")  # elsewhere
    ship.say(ben, "show me WO-1042", "console:ann")
    expect(page.locator(".turn")).to_contain_text("show me WO-1042")
    expect(page.locator(".intro")).to_have_count(0)
    page.fill("#say", "show me WO-1040")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)  # and each once
    ship.say(ben, "show me WO-1063", "console:ann")
    expect(page.locator(".turn")).to_have_count(3)


def test_decisions_come_as_they_happen_and_wait_while_it_is_paused(opens: Opens, ship: Ship):
    key = ship.key("ann", "engineer")
    page = opens(key, "/live", scheme="dark")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ship.say(key, "how many oil filters do we have?")
    expect(page.locator(".decision")).to_have_count(1)
    page.focus(".decision a")
    page.keyboard.press("p")
    ship.say(key, "show me WO-1042")
    expect(page.locator("[data-kept]")).to_have_text("1 new")
    expect(page.locator(".decision")).to_have_count(1)
    page.keyboard.press("p")
    expect(page.locator(".decision")).to_have_count(2)
    assert faults_of(page) == []
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)
    page.locator(".decision a").first.click()
    expect(page.locator(".stages li").first).to_be_visible()
    expect(page.locator("h1")).to_have_text("show me WO-1042")
    assert faults_of(page) == []
    assert not is_too_wide(page)


def test_a_dropped_stream_goes_on_where_it_was(
    opens: Opens, ship: Ship, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stream, "_RETRY_MILLISECONDS", 20)
    wire = Wire(ship.service.address)
    ship.service.run(wire.mend())
    key = ship.key("ann", "engineer")
    page = opens(key, "/live", address=f"http://127.0.0.1:{wire.port}")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ship.say(key, "show me WO-1042")
    expect(page.locator(".decision")).to_have_count(1)
    ship.service.run(wire.cut())
    expect(page.locator("[data-live-state]")).to_contain_text("lost")
    lost = page.get_by_role("alert").filter(has_text="No connection")
    expect(lost).to_be_visible()
    assert faults_of(page) == []
    page.focus("#session")
    lost.get_by_role("button", name="Try now").focus()
    ship.say(key, "show me WO-1035")
    ship.say(key, "show me WO-1063")
    ship.service.run(wire.mend())
    expect(page.locator(".decision")).to_have_count(3)
    expect(page.locator(".decision .words").first).to_have_text("show me WO-1063")
    expect(lost).to_have_count(0)
    expect(page.locator("#session")).to_be_focused()
    page.goto("/console/talk")
    ship.service.run(wire.cut())
    page.fill("#say", "show me WO-1042")
    page.keyboard.press("Enter")
    expect(lost).to_contain_text("pressed last may not have arrived")
    expect(page.locator("#say")).to_have_value("show me WO-1042")
    page.close()
    ship.service.run(wire.end())


def test_a_page_whose_session_is_over_goes_to_the_door(
    opens: Opens, ship: Ship, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stream, "_LOOK_AGAIN_SECONDS", 0.02)
    monkeypatch.setattr(stream, "_RETRY_MILLISECONDS", 20)
    page = opens(ship.key("ann", "engineer"), "/live")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ship.service.app.state.console_sessions.end(
        next(one["value"] for one in page.context.cookies() if one["name"] == COOKIE)
    )
    page.wait_for_url(re.compile(r"/console/sign-in\?then=/live$"))  # and comes back here


def test_the_journal_answers_while_one_types_and_quiet_is_one_press(opens: Opens, ship: Ship):
    key = ship.key("carla", "captain")
    queue, filters = decided(ship, key)
    page = opens(key, "/journal")
    expect(page.locator("#found a")).to_have_count(2)
    page.locator("#q").press_sequentially("why postgres")
    expect(page.locator(f"#found a[href$='{queue}']")).to_have_count(1)
    expect(page.locator(f"#found a[href$='{filters}']")).to_have_count(0)
    assert faults_of(page) == []
    page.goto("/console/journal?person=ingrid")
    page.fill("#technology", "postgres")
    expect(page.locator("#found a")).to_have_count(1)
    page.goto("/console/quiet")
    page.click("text=15 min")
    expect(page.locator(".is-quiet")).to_contain_text("left")
    assert faults_of(page) == []
    for way in ("quiet", "journal", f"journal/{queue}"):
        page.set_viewport_size(PHONE)
        page.goto(f"/console/{way}")
        assert not is_too_wide(page), way


def test_a_slider_is_moved_with_the_arrows(opens: Opens, ship: Ship):
    page = opens(ship.key("carla", "captain"), "/personality", scheme="dark")
    page.focus("#trait-verbosity")
    before = page.locator("#trait-verbosity").input_value()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#does-verbosity")).to_contain_text("your wish +0.10")
    expect(page.locator("#trait-verbosity")).to_be_focused()
    assert float(page.locator("#trait-verbosity").input_value()) > float(before)
    assert faults_of(page) == []
    page.goto("/console/measures")
    assert faults_of(page) == []
    for way in ("measures", "personality"):
        page.set_viewport_size(PHONE)
        page.goto(f"/console/{way}")
        assert not is_too_wide(page), way
