"""Every page and what is done there by Tab, Enter, Space and arrows alone; the focus is seen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opens
from tests.browser.service import Ship, decided
from tests.browser.test_quieting import KEPT

pytestmark = pytest.mark.xdist_group("console")

MOST_STEPS = 60
WHERE = """([wanted, words]) => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const style = getComputedStyle(one), at = document.elementFromPoint(
    box.left + Math.min(box.width / 2, 12), box.top + Math.min(box.height / 2, 12));
  const is_covered = !at || !(one.contains(at) || at.contains(one));
  const faults = one === document.body ? [] : [
    style.outlineStyle === "none" && "without an outline",
    is_covered && "covered or out of view",
  ].filter(Boolean);
  return [one.matches(wanted) && one.textContent.includes(words),
    faults.map((fault) => `${one.outerHTML.slice(0, 90)} ${fault}`)];
}"""


def goes(page: Page, wanted: str, words: str = "", *, key: str = "Tab") -> None:
    """Press a key until what is wanted has the focus; on the way each can be seen to have it."""
    for _step in range(MOST_STEPS):
        page.keyboard.press(key)
        is_there, faults = page.evaluate(WHERE, [wanted, words])
        assert faults == []
        if is_there:
            return
    raise AssertionError(f"no way to {wanted} {words}")


def presses(page: Page, wanted: str, words: str = "", *, key: str = "Enter") -> None:
    goes(page, wanted, words)
    page.keyboard.press(key)


def keeps_its_place(page: Page) -> None:
    """Nothing that was drawn anew has left the focus nowhere."""
    expect(page.locator("form.htmx-request, .htmx-settling")).to_have_count(0)
    expect(page.locator("body:not(:focus-within)")).to_have_count(0)


def follows(page: Page, wanted: str, words: str = "", *, key: str = "Tab") -> None:
    """Go to a link or a button that leads to another page."""
    goes(page, wanted, words, key=key)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def visits(page: Page, name: str) -> None:
    """Go to another page by the navigation."""
    follows(page, "nav a", name, key="Shift+Tab")
    expect(page.locator("nav a[aria-current]").first).to_contain_text(name)


def test_nobody_needs_a_mouse(opens: Opens, ship: Ship):
    key, ann = ship.key("carla", "captain", "engineer"), ship.key("ann", "engineer")
    decided(ship, key, KEPT)
    ship.say(ann, "close WO-1042, the filter is changed")
    ship.say(ann, "close WO-1035")
    ship.say(key, "add a note to WO-1063: gasket ordered")
    page = opens(key)
    page.wait_for_load_state()  # before it a row is a plain link
    _answers(page)
    _talks(page)
    _looks_at_what_happens(page)
    _asks_the_journal(page)
    _asks_for_quiet(page)
    _turns_a_trait(page)
    visits(page, "Measures")
    follows(page, ".tabs a", "a day")
    expect(page.locator(".tabs a[aria-current]")).to_have_text("a day")
    follows(page, "button", "Sign out", key="Shift+Tab")
    expect(page.locator("#key")).to_be_focused()


def _answers(page: Page) -> None:
    expect(page.locator("#queue a.row").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    presses(page, "button", "Approve", key="Space")
    expect(page.locator(".ending")).to_contain_text("done")
    keeps_its_place(page)
    expect(page.locator("#queue a.row")).to_have_count(1)  # the answered one is gone
    page.keyboard.press("Escape")
    expect(page.locator("#queue a.row")).to_be_focused()
    # For 20 ms a row that was just drawn anew is a plain link; no person is as quick.
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    presses(page, "summary", "Refuse")
    goes(page, "textarea")
    page.keyboard.type("not today")
    goes(page, "select")
    page.keyboard.press("ArrowDown")
    presses(page, "button", "Refuse")
    expect(page.locator(".ending")).to_contain_text("not today")
    keeps_its_place(page)
    page.reload()
    follows(page, ".tabs a", "offers")
    presses(page, "button.chip", "gasket")
    expect(page.locator(".turn")).to_contain_text("executed")
    keeps_its_place(page)
    follows(page, ".tabs a", "refused beforehand", key="Shift+Tab")
    presses(page, "button", "Withdraw")
    expect(page.locator("#refusals")).to_contain_text("Nothing is refused")
    keeps_its_place(page)


def _talks(page: Page) -> None:
    visits(page, "Talk")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("add a note to WO-1040: gasket ordered")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(1)
    goes(page, "#turns button.chip", "gasket", key="Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator(".turn")).to_have_count(2)
    keeps_its_place(page)
    goes(page, "button", "undo", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(3)
    keeps_its_place(page)


def _looks_at_what_happens(page: Page) -> None:
    visits(page, "Live")
    presses(page, "[data-pause]", key="Space")
    expect(page.locator("[data-pause]")).to_have_attribute("aria-pressed", "true")
    follows(page, ".decision a")
    expect(page.locator(".stages li").first).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # what leads past the navigation stands first
    page.keyboard.press("Tab")
    expect(page.locator("main a").first).to_be_focused()


def _asks_the_journal(page: Page) -> None:
    visits(page, "Journal")
    goes(page, "#q")
    page.keyboard.type("how long are messages kept")
    presses(page, "button", "Yes, it does")
    expect(page.locator("#proposed li")).to_have_count(0)
    keeps_its_place(page)
    follows(page, "#found a.row")
    expect(page.locator(".chain li")).to_have_count(2)


def _asks_for_quiet(page: Page) -> None:
    visits(page, "Quiet")
    presses(page, "button", "15 min", key="Space")
    expect(page.locator(".is-quiet")).to_contain_text("left")
    keeps_its_place(page)
    goes(page, "button", "End it now", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".is-quiet")).to_have_count(0)
    keeps_its_place(page)
    goes(page, "#topic")
    page.keyboard.type("bilge")
    page.keyboard.press("Enter")
    expect(page.locator("#standing")).to_contain_text("left alone: bilge")
    keeps_its_place(page)


def _turns_a_trait(page: Page) -> None:
    visits(page, "Personality")
    goes(page, "#trait-humor")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#does-humor")).to_contain_text("your wish")
    expect(page.locator("#trait-humor")).to_be_focused()
    presses(page, "button", "Be as usual")
    expect(page.locator("#does-humor")).not_to_contain_text("your wish")
    keeps_its_place(page)
