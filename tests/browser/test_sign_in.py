"""Who gets in, for how long, with which rights."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping

import httpx
import pytest
import structlog
from playwright.sync_api import Page, expect
from sqlalchemy import update

from api.console import stream
from api.console.journal import parts_of
from api.console.route import SIGN_IN_COOKIE, ConsoleRoute
from api.console.routes import ROUTERS
from api.console.sessions import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    MOST_OF_A_KEY,
    MOST_SESSIONS,
    Session,
    Sessions,
)
from api.http.admission import Admission
from api.http.security import COOKIE as COOKIE_STAYING
from state.journal import Span
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import TICKET, Service, Ship, Visitor, decided, sign_in
from tests.browser.test_grants import granted
from tools.platform.texts import t
from tools.storage.tables.decisions import api_key
from tools.storage.tables.ledger import ledger_action

pytestmark = pytest.mark.xdist_group("console")

# Who gets into the console, with what, and for how long; without a browser.

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
    assert sign_in(client, ship.key("carla", "captain"), then).headers["location"] == "/console"


def test_signing_out_ends_it_for_a_copied_cookie_too(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        copied = f"{COOKIE}={carla.client.cookies[COOKIE]}"
        assert carla.post("/sign-out").status_code == 303
        assert carla.client.get("/console/approvals", headers={"Cookie": copied}).status_code == 303


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
        assert "data-approve" in carla.get(f"/approvals/{asked['action_id']}").text
        standing = ship.service.executive.approvals.get(asked["action_id"], ship.tenant)
        assert ship.service.run(standing).state == "pending"


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
        assert "<h1>Not found</h1>" in gone.text
        part = carla.get("/approvals/no-such", **{"HX-Request": "true"})
        assert part.headers["hx-retarget"] == "#told"
        assert "<html" not in part.text


# How long a page is its reader's: it says before it ends, and is nobody's who comes after.


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
        ship.service, next(one["value"] for one in cookies if one["name"] == COOKIE_STAYING)
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
    expect(page.locator("#told")).to_contain_text("Not the key of this session")
    page.fill("#stay-key", key)
    page.keyboard.press("Enter")
    expect(page.locator(".staying")).to_have_count(0)
    assert page.input_value("#say") == "half a sentence"


def test_a_page_that_looks_by_itself_keeps_nobody_signed_in(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        session = session_of(ship.service, carla.client.cookies[COOKIE_STAYING])
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
        assert "somebody signed in again" in late.text
        assert "csrf" not in late.text
        assert browser.get(f"/stream?of={drawn_for}").status_code == 403


# Quiet and the journal on the pages, without a browser: what is asked, found and refused.

KEPT = (
    ("k1", "2026-10-12T10:00:00Z", "We decided that the queue keeps messages for seven days."),
    (
        *("k2", "2026-11-12T10:00:00Z"),
        "We decided that the queue keeps messages for thirty days because audits need them.",
    ),
)


def standing(visitor: Visitor) -> str:
    return visitor.get("/quiet/standing").text


def test_quiet_is_asked_for_and_ended_on_the_page(ship: Ship):
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        assert carla.post("/quiet", minutes="15").headers["location"].startswith("/console/quiet?")
        assert "Quiet was requested" in standing(carla)
        carla.post("/quiet", do="end")
        assert "is-quiet" not in standing(carla)
        carla.post("/quiet", starts="22:00", ends="06:30")
        carla.post("/quiet", topic="<b>bilge</b>", threats="yes")
        told = standing(carla)
        assert "Quiet hours 22:00 to 06:30" in told
        assert "Quiet hours begin" in told
        assert "Requests and rules" in told
        assert "&lt;b&gt;bilge&lt;/b&gt;" in told
        carla.post("/quiet", do="end", topic="<b>bilge</b>")
        carla.post("/quiet", do="end", hours="yes")
        assert "Requests and rules" not in standing(carla)
        assert "Said in ten minutes" in told
        ship.say(ship.key("carla", "captain"), "remind me to check <b>the bilge</b> in 2 hours")
        assert "check &lt;b&gt;the bilge&lt;/b&gt;" in standing(carla)
        assert "Reminder for carla" in standing(carla)
        for wrong in ({"minutes": "soon"}, {"minutes": "-1"}, {"starts": "22:00"}, {}):
            assert carla.post("/quiet", **wrong).status_code == 422, wrong


def test_who_may_change_nothing_hushes_nobody(ship: Ship):
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert t("dialogue.refused.control") in ole.get("/quiet").text
        assert ole.post("/quiet", minutes="15").status_code == 403
        assert "is-quiet" not in standing(ole)


def test_the_journal_is_asked_narrowed_read_and_taken_away(ship: Ship):
    key = ship.key("carla", "captain")
    queue, filters = decided(ship, key)
    with ship.signed_in(key) as carla:
        newest = carla.get("/journal").text
        assert newest.index(filters) < newest.index(queue)
        assert not re.search(r"<script>", newest)
        found = carla.get("/journal?q=why+postgres", **{"HX-Target": "found", "HX-Request": "true"})
        assert queue in found.text
        assert "<form" not in found.text
        assert queue not in carla.get("/journal?q=postgres&since=2026-06-01").text
        assert carla.get("/journal?q=x&status=nonsense").status_code == 422
        for fits in ("person=ingrid", "technology=postgres", "person=ingrid,+@Ingrid"):
            assert queue in carla.get(f"/journal?{fits}").text, fits
        for other in ("person=nobody", "technology=kafka", "person=ingrid,+nobody"):
            assert queue not in carla.get(f"/journal?{other}").text, other
        entry = carla.get(f"/journal/{queue}").text
        assert "it lasts" in entry
        assert '<a href="#said-1-rationale">the words</a>' in entry
        lines = carla.get("/journal/export")
        assert "attachment" in lines.headers["content-disposition"]
        assert {json.loads(line)["id"] for line in lines.text.splitlines()} == {queue, filters}
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert stranger.get(f"/journal/{queue}").status_code == 404
        assert queue not in stranger.get("/journal?q=postgres").text
        assert stranger.get("/journal/export").text == ""


def test_a_link_that_rules_propose_waits_for_who_may_write(ship: Ship):
    key = ship.key("carla", "captain")
    older, newer = decided(ship, key, KEPT)
    with ship.signed_in(key) as carla:
        page = carla.get("/journal").text
        (link,) = set(re.findall(r'hx-post="/console(/journal/links/\d+)"', page))
        assert "Needs confirmation" in carla.get(f"/journal/{newer}").text
        with ship.signed_in(ship.key("ole", "viewer")) as ole:
            seen = ole.get("/journal").text
            assert "please confirm" in seen
            assert link not in seen
            assert ole.post(link, accept="yes").status_code == 403
        elsewhere = Ship(ship.service, "elsewhere")
        with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
            assert stranger.post(link, accept="yes").status_code == 404
        assert carla.post(link, accept="perhaps").status_code == 422
        assert carla.post(link, accept="yes").headers["location"].endswith(newer)
        entry = carla.get(f"/journal/{older}").text
        assert "replaced the one above, according to carla" in entry
        assert "Needs confirmation" not in entry
        assert "please confirm" not in carla.get("/journal").text


def test_a_citation_opens_the_message_it_is_from(ship: Ship):
    key = ship.key("carla", "captain")
    ship.say(key, "We decided to keep <b>two</b> pumps on board because one failed in May")
    with ship.signed_in(key) as carla:
        (entry,) = re.findall(r'href="/console(/journal/[^"?]+)" ?>?', _found(carla))
        page = carla.get(entry).text
    assert 'href="#said-1-rationale"' in page
    assert re.search(
        r'id="said-1-rationale"></span><mark title="rationale">one failed in May</mark>', page
    )
    assert "keep &lt;b&gt;two&lt;/b&gt; pumps" in page


def test_a_citation_opens_the_imported_messages_it_is_from(ship: Ship):
    key = ship.key("carla", "captain")
    talk = (
        (
            "p1",
            "2026-03-03T09:00:00Z",
            "Shall we use <i>Valkey</i> for the cache, because it is free?",
        ),
        ("p2", "2026-03-03T09:01:00Z", "Nothing <b>else</b> is said here."),
        ("p3", "2026-03-03T09:02:00Z", "Agreed.", "tom"),
    )
    entry = decided(ship, key, talk)[2]
    with ship.signed_in(key) as carla:
        page = carla.get(f"/journal/{entry}").text
    assert "it is free</mark>" in page.replace("?", "")
    assert "&lt;i&gt;Valkey" in page
    for way in re.findall(r'href="#([^"]+)"', page)[1:]:
        assert f'id="{way}"' in page
    assert "Nothing" not in page  # what is cited is kept, and no more
    assert "<strong>ingrid</strong>" in page


def test_citations_may_lie_in_each_other():
    inner, outer = Span(message_id="m", start=3, end=9), Span(message_id="m", start=1, end=4)
    other = Span(message_id="x", start=0, end=1)
    text, spans = "abcdef", {"a": (outer,), "b": (inner, other)}
    assert [(one.text, one.fields) for one in parts_of(text, spans, "m")] == [
        ("a", ()),
        ("bc", ("a",)),
        ("d", ("a", "b")),
        ("ef", ("b",)),
    ]


def _found(visitor: Visitor) -> str:
    headers = {"HX-Target": "found", "HX-Request": "true"}
    return visitor.get("/journal?q=pumps+on+board", **headers).text


# Roles by the console's routes, each cell; and of another tenant's ids none is found.

ROLES = ("viewer", "engineer", "captain")
"""In the order in which they try: whoever may is last, so that all meet the same things."""
LOOKED_AT = frozenset(
    [
        "/console",
        "/approvals",
        "/approvals/{action_id}",
        "/approvals/{action_id}/standing",
        "/approvals/count",
        "/approvals/queue",
        "/approvals/together",
        "/decisions/{decision_id}",
        "/grants",
        "/journal",
        "/journal/export",
        "/journal/{decision_id}",
        "/live",
        "/measures",
        "/offers",
        "/offers/count",
        "/personality",
        "/quiet",
        "/quiet/standing",
        "/refusals",
        "/session",
        "/talk",
        "/talk/turns/{decision_id}",
    ]
)
CHANGED: Mapping[str, tuple[str, str]] = {
    "/approvals/together": ("captain", "decision=reject"),
    "/approvals/{action_id}": ("captain", "decision=reject"),
    "/approvals/{action_id}/take-back": ("", ""),  # its asker alone: test_taking_back.py
    "/approvals/{unclear}/settle": ("captain", "happened=yes&evidence=seen"),
    "/refusals/{refusal_id}/withdraw": ("captain", ""),
    "/grants": ("", "minutes=60&uses=2"),  # of no such approval: test_grants.py
    "/grants/{grant_id}/revoke": ("captain", ""),
    "/journal/links/{link_id}": ("engineer captain", "accept=yes"),
    "/talk/offers/{offer_id}": ("", "chip=chip-1"),  # it was suggested to ann
    "/talk/undo/{done}": ("engineer captain", ""),
    "/decisions/{decision_id}/silence": ("engineer captain", "do=rightly_silent"),
    "/quiet": ("engineer captain", "minutes=5"),
    "/personality": ("engineer captain", "do=reset"),
    "/talk": ("viewer engineer captain", "text=show me WO-1042"),
    "/session": ("viewer engineer captain", ""),
    "/sign-out": ("viewer engineer captain", ""),
}
"""What a form changes: who may, in these words; the rest may not."""


def ids_of(ship: Ship) -> dict[str, str]:
    """Make one of everything that has an id in the tenant."""
    ann, carla = ship.key("ann", "engineer"), ship.key("carla", "captain")
    asked, unclear, done = (
        ship.say(ann, f"close {order}") for order in ("WO-1042", "WO-1035", "WO-1040")
    )
    offered = ship.say(ann, "add a note to WO-1042: gasket ordered")
    entry = decided(ship, carla, KEPT)[1]
    left = update(ledger_action).where(ledger_action.c.action_id == unclear["action_id"])
    database = ship.service.executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(left.values(state="unknown")))
    )
    with ship.signed_in(carla) as captain:
        yes = {"decision": "approve", "digest": done["approval"]["digest"]}
        captain.post(f"/approvals/{done['action_id']}", **yes)
        again = ship.say(ann, "order 40 impellers")
        no = {"decision": "reject", "digest": again["approval"]["digest"], "same": "action"}
        captain.post(f"/approvals/{again['action_id']}", **no)
        (refusal,) = re.findall(
            r"action=\"/console/refusals/([^/]+)/", captain.get("/refusals").text
        )
        links = set(re.findall(r"/journal/links/(\d+)", captain.get("/journal").text))
    return {
        "action_id": asked["action_id"],
        "digest": asked["approval"]["digest"],
        "unclear": unclear["action_id"],
        "done": done["action_id"],
        "decision_id": asked["decision_id"],
        "offer_id": offered["offer_id"],
        "entry": entry,
        "refusal_id": refusal,
        "grant_id": granted(ship, carla),
        "link_id": links.pop(),
    }


def looked_at(visitor: Visitor, way: str, ids: Mapping[str, str]) -> int:
    own = dict(ids) | ({"decision_id": ids["entry"]} if way.startswith("/journal") else {})
    query = "?action=close_work_order&seen=expired.0" if "approvals/" in way else ""
    return visitor.get(way.removeprefix("/console").format(**own) + query).status_code


def changed(visitor: Visitor, way: str, ids: Mapping[str, str]) -> int:
    """Send the form; what was told to be refused counts as forbidden."""
    fields = dict(pair.split("=") for pair in CHANGED[way][1].split("&") if pair)
    if "approvals" in way:
        fields["digest"] = ids["digest"]
        fields[f"on.{ids['action_id']}"] = ids["digest"]
    answer = visitor.post(way.format(**ids), **fields)
    return 403 if ">not accepted<" in answer.text else answer.status_code


def test_every_role_may_do_on_every_route_what_is_written_here_and_no_more(ship: Ship):
    ids = ids_of(ship)
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain", "engineer")) as stranger:
        for way in LOOKED_AT | CHANGED.keys():
            if way in CHANGED and ("{" in way or way == "/approvals/together"):
                assert changed(stranger, way, ids) == 404, way
            if way in LOOKED_AT and "{" in way:
                assert looked_at(stranger, way, ids) == 404, way
    for role in ROLES:
        with ship.signed_in(ship.key(f"some {role}", role)) as visitor:
            for way in LOOKED_AT:
                assert looked_at(visitor, way, ids) in (200, 204, 303), (role, way)
            for way, (who, _fields) in CHANGED.items():
                refused = changed(visitor, way, ids) in (403, 404)
                assert refused is (role not in who.split()), (role, way)


@pytest.mark.parametrize("access", ["viewer", "approver"])
def test_whoever_came_in_can_stay_and_go_out(ship: Ship, access: str):
    with ship.signed_in(ship.key("carla", "captain", access=access)) as visitor:
        assert visitor.post("/talk", text="show me WO-1042").status_code == 403
        assert visitor.post("/session").status_code == 303
        assert visitor.post("/sign-out").status_code == 303
        assert visitor.get("/live").status_code == 303


def test_no_route_is_left_out():
    known = {("GET", way) for way in LOOKED_AT} | {
        ("POST", way.replace("{unclear}", "{action_id}").replace("{done}", "{action_id}"))
        for way in CHANGED
    }
    served = {
        (method, route.path.removeprefix("/console") or "/console")
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, ConsoleRoute) and "{rest" not in route.path
        for method in route.methods or ()
    }
    assert served - {("GET", "/stream")} == known
