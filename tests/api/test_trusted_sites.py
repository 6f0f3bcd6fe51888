"""Pages of other sites and names that are not ours: refused on every route, before a key counts."""

import httpx
import pytest

from graph.settings import Settings
from tests.api.conftest import assert_problem
from tests.api.keyed_routes import KEYED
from tests.api.memory_executive import MemoryExecutive


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://prefrontal.test.evil.example",
        "http://prefrontal.test:8080",
        "http://evil@prefrontal.test:x",
        "file://",
        "chrome-extension://abc",
        "http://[::1",
    ],
)
async def test_a_page_of_another_site_reads_and_changes_nothing(
    captain: httpx.AsyncClient, executive: MemoryExecutive, origin: str
):
    for method, path in (*KEYED, ("GET", "/console/approvals"), ("GET", "/"), ("GET", "/x")):
        answer = await captain.request(method, path, json={"text": "a"}, headers={"Origin": origin})
        assert_problem(answer, 403, "foreign-origin")
    assert executive.events == {}


@pytest.mark.parametrize(
    "origin", ["http://prefrontal.test", "http://prefrontal.test:80", "https://PREFRONTAL.test"]
)
async def test_a_page_of_our_own_may_behind_a_proxy_too(captain: httpx.AsyncClient, origin: str):
    answer = await captain.post("/v1/events", json={"text": "a"}, headers={"Origin": origin})
    assert answer.status_code == 200


async def test_a_preflight_is_refused_and_no_origin_is_allowed(captain: httpx.AsyncClient):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = await captain.options("/v1/events", headers=headers)
    assert_problem(answer, 403, "foreign-origin")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),  # a script, an image
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),  # another port of us
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),  # a link in a letter
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Origin": "https://smith.langchain.com"}, 403),  # Studio's: of a LangGraph server alone
    ],
)
async def test_what_a_page_embeds_is_no_link(
    captain: httpx.AsyncClient, sent: dict[str, str], status: int
):
    assert (await captain.get("/v1/decisions", headers=sent)).status_code == status


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost.",
        "prefrontal.test.evil.example",
        "user@evil.example",
        "10.0.0.8",
        "[2001:db8::1]:80",
        "2130706433",
        "0x7f.1",
        "[::1",
        "127.0.0.1@evil.example",
        "evil.example/127.0.0.1",
        "evil.example#localhost",
    ],
)
async def test_by_a_name_that_is_not_ours_nothing_is_read_or_changed(
    captain: httpx.AsyncClient, executive: MemoryExecutive, host: str
):
    for method, path in (*KEYED[::12], ("GET", "/console/approvals"), ("GET", "/readyz")):
        answer = await captain.request(method, path, json={"text": "a"}, headers={"Host": host})
        assert_problem(answer, 421, "foreign-host")
    assert executive.events == {}


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:9",
        "localhost",
        "LOCALHOST:8765",
        "[::1]:8765",
        "127.0.0.2",
        "prefrontal.test:80",
        "PREFRONTAL.test",
        "0.0.0.0:8765",
        "ship.local",
        "[2001:db8::7]:8765",
    ],
)
async def test_loopback_the_address_listened_on_and_named_hosts_are_ours(
    captain: httpx.AsyncClient, executive: MemoryExecutive, host: str
):
    names = Settings(host="0.0.0.0", trusted_hosts=("Ship.local", "[2001:db8::7]"))
    executive.settings = names
    sent = {"Host": host, "Origin": f"http://{host}"}
    answer = await captain.post("/v1/events", json={"text": "a"}, headers=sent)
    assert answer.status_code == 200, answer.text
