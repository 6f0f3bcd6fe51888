"""How long a page is its reader's: it says before it ends, and is nobody's who comes after."""

import re

import pytest
from playwright.sync_api import Page, expect

from api.console.route import COOKIE
from api.console.sessions import IDLE_SECONDS, LONGEST_SECONDS, Session
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Service, Ship, sign_in

pytestmark = pytest.mark.xdist_group("console")


def session_of(service: Service, cookie: str) -> Session:
    session = service.app.state.console_sessions.find(cookie, touch=False)
    assert isinstance(session, Session)
    return session


def looked(page: Page) -> None:
    """Look as the page does each half minute, without a wait for its trigger to be there anew."""
    how = "{target: '#staying', swap: 'outerHTML'}"
    page.evaluate(f"async () => htmx.ajax('GET', '/console/session', {how})")
    # Until then Enter would send the form as a page of its own.
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)


def test_who_is_about_to_be_signed_out_can_go_on(opens: Opens, ship: Ship):
    key = ship.key("carla", "captain")
    page = opens(key, "/talk")
    cookies = page.context.cookies()
    session = session_of(
        ship.service, next(one["value"] for one in cookies if one["name"] == COOKIE)
    )
    expect(page.locator(".staying")).to_have_count(0)
    page.fill("#say", "half a sentence")
    session.seen -= IDLE_SECONDS - 120
    looked(page)
    expect(page.locator(".staying time")).to_contain_text("left")
    assert faults_of(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert not is_too_wide(page)
    expect(page.locator(".staying button")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Stay signed in").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".staying")).to_have_count(0)
    session.began -= LONGEST_SECONDS - 120
    looked(page)
    page.fill("#stay-key", "pf_other")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("not the key of this session")
    page.fill("#stay-key", key)
    page.keyboard.press("Enter")
    expect(page.locator(".staying")).to_have_count(0)
    assert page.input_value("#say") == "half a sentence"


def test_a_page_that_looks_by_itself_keeps_nobody_signed_in(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        session = session_of(ship.service, carla.client.cookies[COOKIE])
        assert carla.get("/session").status_code == 204
        session.seen -= IDLE_SECONDS - 60
        assert "Stay signed in" in carla.get("/session").text
        assert carla.get("/session?shown=unused").status_code == 204
        session.seen -= 61
        over = carla.get(
            "/session", **{"HX-Request": "true", "HX-Current-URL": "http://x/console/quiet"}
        )
        assert over.headers["hx-redirect"] == "/console/sign-in?then=/quiet"


def test_a_page_of_one_person_draws_nothing_of_the_next(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as browser:
        (drawn_for,) = re.findall(r'"X-Prefrontal-Page":"(\w+)"', browser.get("/approvals").text)
        own = {"HX-Request": "true", "X-Prefrontal-Page": drawn_for}
        assert browser.get("/approvals/queue", **own).status_code == 200
        sign_in(browser.client, ship.key("ann", "engineer"))
        late = browser.get("/approvals/queue", **own)
        assert (late.status_code, late.headers["hx-retarget"]) == (403, "#told")
        assert "signed in anew" in late.text
        assert "csrf" not in late.text
        assert browser.get(f"/stream?of={drawn_for}").status_code == 403
