"""Every page of the console, by everybody, in both themes, wide and on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship, Visitor, decided, running

pytestmark = [pytest.mark.torture, pytest.mark.xdist_group("console")]

WAYS = (
    *("approvals", "approvals?state=proposed", "approvals?state=unknown"),
    *("approvals?state=settled", "approvals/together?action=close_work_order", "offers"),
    *(
        "refusals",
        "grants",
        "talk",
        "live",
        "journal",
        "quiet",
        "personality",
        "measures",
        "nowhere",
    ),
)
LOOKS = (("light", 1180), ("dark", 1180), ("light", 320), ("dark", 320))


@pytest.fixture(scope="module")
def ship(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ship]:
    with running(tmp_path_factory.mktemp("console")) as service:
        yield Ship(service, "full")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


def lived_in(ship: Ship) -> tuple[str, list[str]]:
    """Let everything happen once; return the captain's key and what has a page of its own."""
    ann, carla = ship.key("ann", "engineer"), ship.key("carla", "captain", "engineer")
    asked = [ship.say(ann, f"close {order}") for order in ("WO-1042", "WO-1035", "WO-1040")]
    ship.say(ann, "add a note to WO-1042: gasket ordered")
    for text in ("show me WO-1042", "add a note to WO-1035: " + "x" * 300, "close WO-1063"):
        ship.say(carla, text, "console:carla")
    entry = next(filter(None, decided(ship, carla)))
    with ship.signed_in(carla) as captain:
        _answer(captain, asked[0], decision="approve")
        _answer(captain, asked[1], decision="reject", reason="not today", same="arguments")
    own = [f"approvals/{one['action_id']}" for one in asked]
    return carla, [*own, f"decisions/{asked[0]['decision_id']}", f"journal/{entry}"]


def _answer(captain: Visitor, asked: dict[str, dict[str, str]], **fields: str) -> None:
    way = f"/approvals/{asked['action_id']}"
    assert captain.post(way, digest=asked["approval"]["digest"], **fields).status_code == 200


def test_nothing_is_wrong_for_whoever_sees_or_moves_otherwise(ship: Ship, chromium: Browser):
    carla, own = lived_in(ship)
    empty = Ship(ship.service, "empty")
    people = {"carla": (carla, own), "viewer": (ship.key("vic", "viewer"), own)}
    people |= {"newcomer": (empty.key("eva", "captain"), [])}
    wrong = [
        (who, way, look, *found)
        for who, (key, pages) in people.items()
        for look in LOOKS
        for way, found in _walked(chromium, ship.service.address, key, look, [*WAYS, *pages])
        if any(found)
    ]
    assert wrong == []


def _walked(
    chromium: Browser, address: str, key: str, look: tuple[str, int], ways: list[str]
) -> Iterator[tuple[str, tuple[list[str], bool, list[str]]]]:
    scheme, width = look
    context = chromium.new_context(
        base_url=address,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
        reduced_motion="reduce",
    )
    page = context.new_page()
    _sign_in(page, key)
    said: list[str] = []
    page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: said.append(str(one)))
    for way in ways:
        page.goto(f"/console/{way}")
        refused = [one for one in said if "404" not in one]  # a page that is not there is one too
        said.clear()
        yield way, (faults_of(page, every=True), is_too_wide(page), refused)
    context.close()


def _sign_in(page: Page, key: str) -> None:
    page.goto("/console/sign-in")
    assert faults_of(page, every=True) == []
    page.fill("#key", key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/approvals")
