"""One service for all tests of the console, a browser a module, a tenant for each test."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.service import Service, Ship, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE_MILLISECONDS = 30_000
expect.set_options(timeout=PATIENCE_MILLISECONDS)  # of five seconds a loaded machine takes six

Opens = Callable[..., Page]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("console")) as served:
        yield served


@pytest.fixture
def ship(service: Service, request: pytest.FixtureRequest) -> Ship:
    return Ship(service, str(request.node.originalname)[:64])


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Return a browser; a module's, for its driver holds the thread's event loop meanwhile."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here; Debian's package of that name is what is driven")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def opens(chromium: Browser, service: Service) -> Iterator[Opens]:
    """Return what opens a page in a browser of its own, signed in with a key."""
    with ExitStack() as stack:

        def opened(key: str, way: str = "", *, scheme: str = "light", address: str = "") -> Page:
            context = chromium.new_context(
                base_url=address or service.address,
                color_scheme="dark" if scheme == "dark" else "light",
                viewport={"width": 1280, "height": 800},
            )
            context.set_default_timeout(PATIENCE_MILLISECONDS)
            stack.callback(context.close)
            page = context.new_page()
            page.goto("/console/sign-in")
            expect(page.locator("#key")).to_be_focused()
            page.keyboard.type(key)
            page.keyboard.press("Enter")
            page.wait_for_url("**/console/approvals")
            if way:
                page.goto(f"/console{way}")
            return page

        yield opened
