"""Who gets into the console, with what, and for how long; without a browser."""

import itertools
import re
from collections.abc import Iterator

import httpx
import pytest
import structlog
from sqlalchemy import update

from api.console import stream
from api.console.route import SIGN_IN_COOKIE, ConsoleRoute
from api.console.routes import ROUTERS
from api.console.sessions import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    MOST_OF_A_KEY,
    MOST_SESSIONS,
    Sessions,
)
from api.http.admission import Admission
from tests.browser.service import TICKET, Service, Ship, sign_in
from tools.storage.tables.decisions import api_key

pytestmark = pytest.mark.xdist_group("console")

COOKIE = "prefrontal_console"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.address, timeout=30) as made:
        yield made


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_can_use(
    client: httpx.Client, ship: Ship
):
    key = ship.key("carla", "captain")
    answer = sign_in(client, key)
    assert answer.headers["location"] == "/console"
    (cookie,) = [one for one in answer.headers.get_list("set-cookie") if one.startswith(COOKIE)]
    for said in ("HttpOnly", "SameSite=strict", "Path=/console;"):
        assert said in cookie + ";"
    assert key not in cookie
    assert "Secure" not in cookie  # no TLS here; behind it:
    client.headers["X-Forwarded-Proto"] = "https"
    behind = sign_in(client, key).headers.get_list("set-cookie")
    assert all("Secure" in one for one in behind)


def test_the_api_takes_no_session(client: httpx.Client, ship: Ship):
    sign_in(client, ship.key("carla", "captain"))
    jar = {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
    assert client.get("/console/approvals", headers=jar).status_code == 200
    assert client.get("/v1/approvals", headers=jar).status_code == 401


def test_nobody_else_gets_in(client: httpx.Client, ship: Ship):
    wrong = ("pf_wrong", "", "\x00", "ключ", "x" * 600, ship.key("bot", "captain", kind="service"))
    for key in wrong:
        answer = sign_in(client, key)
        assert answer.status_code == 403, key
        assert COOKIE not in client.cookies
    good = ship.key("carla", "captain")
    for ticket in ("", "made.up", "é"):
        fields = {"key": good, "ticket": ticket}
        assert client.post("/console/sign-in", data=fields).status_code == 403
    for cookie in ("made-up", "a.b", "é"):
        given = {b"Cookie": f"{COOKIE}={cookie}".encode()}
        answer = client.get("/console/approvals", headers=given)
        assert answer.headers["location"] == "/console/sign-in?then=/approvals"


@pytest.mark.parametrize("then", ["//evil.example", "https://evil.example", "/\\evil", "@evil"])
def test_signing_in_leads_to_no_other_site(client: httpx.Client, ship: Ship, then: str):
    answer = sign_in(client, ship.key("carla", "captain"), then)
    assert answer.headers["location"] == "/console"


def test_signing_out_ends_it_for_a_copied_cookie_too(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        copied = f"{COOKIE}={carla.client.cookies[COOKIE]}"
        assert carla.post("/sign-out").status_code == 303
        again = carla.client.get("/console/approvals", headers={"Cookie": copied})
        assert again.status_code == 303


def test_a_revoked_key_ends_its_sessions(ship: Ship, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stream, "_LOOK_AGAIN_SECONDS", 0.02)
    with (
        ship.signed_in(ship.key("carla", "captain")) as carla,
        carla.client.stream("GET", "/console/stream") as listening,
    ):
        heard = listening.iter_lines()
        assert "open" in next(heard)
        assert carla.get("/approvals").status_code == 200
        gone = update(api_key).where(api_key.c.tenant_id == ship.tenant).values(revoked_at=1.0)
        database = ship.service.executive.keys.database
        ship.service.run(database.write(lambda connection: connection.execute(gone)))
        assert "decision" not in "".join(heard)  # it ends, though nothing happens
        assert carla.get("/stream").status_code == 401  # what ends an EventSource
        assert carla.get("/approvals").status_code == 303
        asked = carla.get("/approvals/count", **{"HX-Request": "true"})
        assert (asked.status_code, asked.headers["hx-redirect"]) == (204, "/console/sign-in")


def test_pages_that_wait_at_the_door_share_its_ticket(client: httpx.Client):
    tickets = {TICKET.findall(client.get("/console/sign-in").text)[0] for _page in range(2)}
    assert len(tickets) == 1
    client.cookies.set(SIGN_IN_COOKIE, "made.up", path="/console")
    assert TICKET.findall(client.get("/console/sign-in").text)[0] not in {*tickets, "made.up"}


def test_one_address_does_not_guess_for_ever(client: httpx.Client, service: Service):
    ticket = TICKET.findall(client.get("/console/sign-in").text)[0]
    admission = Admission(service.executive.service_tuning, seconds=lambda: 0.0)
    at_the_door = service.app.state
    before, at_the_door.admission = at_the_door.admission, admission
    try:
        admission.charge("sign-in from 127.0.0.1", admission.tuning.tenant_burst - 50)
        guess = {"key": "pf_wrong", "ticket": ticket}
        told = [client.post("/console/sign-in", data=guess).status_code for _guess in range(2)]
    finally:
        at_the_door.admission = before
    assert told == [403, 429]


@pytest.mark.usefixtures("every_line")
def test_the_log_names_who_came_who_was_sent_away_and_who_left(ship: Ship):
    bot = ship.key("bot", "captain", kind="service")
    with (
        structlog.testing.capture_logs() as lines,
        ship.signed_in(ship.key("carla", "captain")) as carla,
    ):
        carla.post("/sign-out")
        sign_in(carla.client, bot)
        sign_in(carla.client, "pf_wrong")
    told = [
        (line["event"], line["tenant"], line["user"]) for line in lines if "sign" in line["event"]
    ]
    assert told == [
        ("signed_in", ship.tenant, "carla"),
        ("signed_out", ship.tenant, "carla"),
        ("sign_in_refused", ship.tenant, "bot"),
        ("sign_in_refused", None, None),
    ]
    assert "pf_" not in str(lines)


def test_nobody_who_is_not_signed_in_gets_past_the_door(client: httpx.Client):
    ways = {
        (method, route.path.replace("{", "").replace("}", ""))
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, ConsoleRoute)
        for method in route.methods or ()
    }
    assert len(ways) > 20
    for method, way in sorted(ways):
        answer = client.request(method, way)
        if way == "/console/stream":
            assert answer.status_code == 401
        else:
            assert answer.status_code == 303, way
            assert answer.headers["location"].startswith("/console/sign-in"), way


def test_a_session_ends_by_itself():
    now = 0.0
    sessions = Sessions(seconds=lambda: now)
    idle, busy, polled = (sessions.begin("key") for _ in range(3))
    while now < LONGEST_SECONDS:
        assert sessions.find(busy)
        assert (sessions.find(polled, touch=False) is None) == (now > IDLE_SECONDS)
        now += IDLE_SECONDS / 2
    assert sessions.find(idle) is None
    now += 1
    assert sessions.find(busy) is None


def test_sessions_do_not_pile_up():
    ticks = itertools.count()
    sessions = Sessions(seconds=lambda: next(ticks) / 1_000)
    mine = [sessions.begin("mine") for _ in range(MOST_OF_A_KEY)]
    assert sessions.find(mine[0])  # seen last, and still the oldest of its key
    theirs = [sessions.begin("theirs") for _ in range(MOST_SESSIONS)]
    assert all(map(sessions.find, mine))  # nobody is signed out by another's key
    assert list(map(bool, map(sessions.find, theirs[-MOST_OF_A_KEY - 1 :]))) == [
        False,
        *[True] * MOST_OF_A_KEY,
    ]
    sessions.begin("mine")
    assert [sessions.find(one) is None for one in mine] == [True] + [False] * (MOST_OF_A_KEY - 1)
    others = [sessions.begin(f"key {number}") for number in range(MOST_SESSIONS)]
    assert not any(map(sessions.find, mine))
    assert all(map(sessions.find, others))


def test_a_change_needs_the_token_of_its_own_session(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), "close WO-1042, the filter is changed")
    way = f"/console/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    key = ship.key("carla", "captain")
    with ship.signed_in(key) as carla, ship.signed_in(key) as other:
        token = re.findall(r'name="csrf" value="([^"]+)"', other.get("/approvals").text)[0]
        client = carla.client
        for given in ({}, {"csrf": ""}, {"csrf": "x"}, {"csrf": "x."}, {"csrf": token}):
            assert client.post(way, data=yes | given).status_code == 403
        assert client.post(way, json=yes).status_code == 415
        foreign = {"Origin": "https://evil.example"}
        own = {"csrf": re.findall(r'name="csrf" value="([^"]+)"', carla.get("/approvals").text)[0]}
        assert client.post(way, data=yes | own, headers=foreign).status_code == 403
        assert client.get(way, params=yes | own).status_code == 200
        assert "waiting" in carla.get(f"/approvals/{asked['action_id']}").text


def test_every_page_says_what_a_browser_may_not_do(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        ways = ("/approvals", "/approvals/none", "/nowhere", "/static/console.css", "/sign-in")
        for way in ways:
            answer = carla.get(way)
            assert answer.headers["content-security-policy"] == CSP, way
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
            if "text/html" in answer.headers["content-type"]:
                assert not re.search(
                    r"<style|\sstyle=|\son\w+=|javascript:|<script(?! src=)", answer.text
                )
                assert answer.headers["cache-control"] == "no-store"


def test_a_page_that_is_not_there_says_so_in_words(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        gone = carla.get("/approvals/no-such")
        assert gone.status_code == 404
        assert gone.headers["content-type"].startswith("text/html")
        assert "<h1>Nothing here by that name</h1>" in gone.text
        part = carla.get("/approvals/no-such", **{"HX-Request": "true"})
        assert part.headers["hx-retarget"] == "#told"
        assert "<html" not in part.text
