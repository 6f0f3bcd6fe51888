"""One service and one browser for all tests of the console, a tenant for each test."""

import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.service import Service, Ship, running
from tests.lasting import Lasting

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE_MILLISECONDS = 30_000
expect.set_options(timeout=PATIENCE_MILLISECONDS)  # of five seconds a loaded machine takes six

Opens = Callable[..., Page]


_SERVICE = Lasting[Service](Path(__file__).parent)
_BROWSER = Lasting[Browser](Path(__file__).parent)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """End both after the last test of this folder: the browser's driver holds our event loop."""
    try:
        return (yield)
    finally:
        _BROWSER.end_before(nextitem)
        _SERVICE.end_before(nextitem)


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Service:
    return _SERVICE.get(lambda: running(tmp_path_factory.mktemp("console")))


@pytest.fixture
def ship(service: Service, request: pytest.FixtureRequest) -> Ship:
    return Ship(service, str(request.node.originalname)[:64])


@contextmanager
def _launched() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def chromium() -> Browser:
    """Return the browser; each test has a profile of its own in it."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here; Debian's package of that name is what is driven")
    return _BROWSER.get(_launched)


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
