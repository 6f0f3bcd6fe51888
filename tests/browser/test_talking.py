"""Talk and Live, on the pages and in a browser."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import ViewportSize, expect

from api.console import stream
from api.console.decisions import trail_of
from api.http.security import COOKIE
from state.notice import Notice
from state.offer import Offer
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship, Visitor, decided
from tests.browser.wire import Wire
from tools.platform.texts import t
from tools.response.delivery import Subscription

pytestmark = pytest.mark.xdist_group("console")

# Talk and Live without a browser: what is drawn, what the stream gives, who sees it.

CLOSE = "close WO-1042, the filter is changed"
PART = {"HX-Request": "true"}


def said(visitor: Visitor, text: str) -> str:
    token = re.findall(r'name="csrf" value="([^"]+)"', visitor.get("/talk").text)[0]
    fields = {"csrf": token, "text": text}
    answer = visitor.client.post("/console/talk", data=fields, headers=PART)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_chip_is_chosen_once_and_what_it_did_is_taken_back(ship: Ship):
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        offered = said(ann, "add a note to WO-1042: gasket ordered")
        assert "<html" not in offered
        (offer,) = re.findall(r'hx-post="/console(/talk/offers/[^"]+)"', offered)
        assert ann.post(offer, chip="chip-1").headers["location"] == "/console/talk"
        assert ann.post(offer, chip="chip-1").status_code == 409
        assert ann.post(offer, chip="chip-9").status_code == 404
        page = ann.get("/talk").text
        assert "chosen by ann" in page
        (undo,) = re.findall(r'hx-post="/console(/talk/undo/[^"]+)"', page)
        assert ann.post(undo).status_code == 303
        assert undo not in ann.get("/talk").text


def test_what_a_chip_lacks_is_given_with_the_click(ship: Ship):
    key = ship.key("ann", "engineer")
    record = ship.say(key, "add a note to WO-1042: gasket ordered")
    chip = record["offer"]["chips"][0] | {"arguments": {"work_order": "WO-1042"}}
    chip |= {"missing_slots": ["note"], "chip_id": "chip-9"}
    lacking = record["offer"] | {"offer_id": "offer-lacking", "chips": [chip], "decision_id": "d"}
    offers = ship.service.executive._box.offers
    ship.service.run(offers.put(Offer.model_validate(lacking), minutes=5))
    with ship.signed_in(key) as ann:
        way = "/talk/offers/offer-lacking"
        assert ann.post(way, chip="chip-9").status_code == 422
        assert ann.post(way, chip="chip-9", **{"slot.note": "ordered twice"}).status_code == 303
    newest = ship.service.run(ship.service.executive.records.newest(ship.tenant, limit=1))
    assert newest[0].arguments == {"work_order": "WO-1042", "note": "ordered twice"}


def test_everybody_has_a_conversation_of_their_own(ship: Ship):
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        assert "No messages yet" in ann.get("/talk").text
        nasty = said(ann, "close WO-1042 <script>alert(1)</script> {{ 7*7001 }}")
        assert "&lt;script&gt;" in nasty
        assert not re.search(r"<script>|49007", nasty)
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert "alert(1)" not in ole.get("/talk").text
        assert "data-approve" not in said(ole, CLOSE)


def events_of(answer: httpx.Response) -> Iterator[tuple[str, str, str]]:
    """Read name, id and data of each event."""
    found = {"event": "", "id": "", "data": ""}
    for line in answer.iter_lines():
        name, _colon, value = line.partition(": ")
        if name in found:
            found[name] += value
        elif not line and any(found.values()):
            yield found["event"], found["id"], found["data"]
            found = dict.fromkeys(found, "")


def test_what_happened_during_a_gap_is_sent_first_and_nothing_twice(ship: Ship):
    key = ship.key("ann", "engineer")
    with ship.signed_in(key) as ann:
        stream = "/console/stream?rows=1"
        with ann.client.stream("GET", stream) as answer:
            events = events_of(answer)
            assert next(events)[0] == "open"
            first = ship.say(key, "how many oil filters do we have?")
            name, last, row = next(one for one in events if one[0] == "decision")
            assert first["decision_id"] in row
        assert ann.client.get(stream, headers={"Last-Event-ID": "nonsense"}).status_code == 422
        missed = [ship.say(key, text) for text in ("show me WO-1042", "show the port generator")]
        with ann.client.stream("GET", stream, headers={"Last-Event-ID": last}) as answer:
            events = events_of(answer)
            assert next(events)[0] == "open"
            missed.append(ship.say(key, "show me WO-1035"))
            rows = [next(one for one in events if one[0] == name)[2] for _ in missed]
            assert [each["decision_id"] in row for each, row in zip(missed, rows, strict=True)] == [
                True,
                True,
                True,
            ]
            ann.post("/sign-out")
            ship.say(key, "show me WO-1063")
            assert list(events) == []  # it ended with the session, and told nothing more


def lose(listening: Subscription, _notice: Notice) -> None:
    """Take a notice as one does who was too slow for it."""
    listening.has_lost = True


def test_what_the_bus_let_go_is_read_from_the_store(ship: Ship, monkeypatch: pytest.MonkeyPatch):
    key = ship.key("ann", "engineer")
    texts = ("show me WO-1042", "show the port generator", "show me WO-1035")
    with ship.signed_in(key) as ann, ann.client.stream("GET", "/console/stream?rows=1") as answer:
        events = events_of(answer)
        assert next(events)[0] == "open"
        said = [ship.say(key, texts[0])]
        rows = [next(one for one in events if one[0] == "decision")]
        with monkeypatch.context() as full:
            full.setattr(Subscription, "take", lose)
            said.append(ship.say(key, texts[1]))
        said.append(ship.say(key, texts[2]))
        rows += [next(one for one in events if one[0] == "decision") for _row in range(2)]
    for one, (_name, cursor, row) in zip(said, rows, strict=True):
        assert one["decision_id"] in cursor
        assert one["decision_id"] in row


def test_pages_of_one_session_that_listen_are_counted(ship: Ship, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stream, "MOST_STREAMS", 1)
    with (
        ship.signed_in(ship.key("ann", "engineer")) as ann,
        ann.client.stream("GET", "/console/stream") as answer,
    ):
        events = events_of(answer)  # kept: one that is let go closes its stream
        assert next(events)[0] == "open"
        assert ann.get("/stream").status_code == 429


def test_a_decision_is_told_whole_with_what_would_have_changed_it(ship: Ship):
    key = ship.key("ann", "engineer")
    record = ship.say(key, CLOSE)
    trace = ship.service.run(
        ship.service.executive.records.trace(record["decision_id"], ship.tenant)
    )
    assert trail_of(trace).end.word == t("why.title.gate")
    with ship.signed_in(key) as ann:
        page = ann.get(f"/decisions/{record['decision_id']}").text
        assert "What would have changed it" in page
        assert "Risk" in page
        assert f"/console/approvals/{record['action_id']}" in page
        assert record["decision_id"] in ann.get("/live?outcome=awaiting_approval").text
        assert record["decision_id"] not in ann.get("/live?outcome=passed").text
        assert ann.get("/live?outcome=nonsense").status_code == 422
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert stranger.get(f"/decisions/{record['decision_id']}").status_code == 404
        assert record["decision_id"] not in stranger.get("/live").text


# Talk and Live in a browser: the first minute, rows as they happen, a dropped stream.

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
    expect(page.locator(".turn").nth(0)).to_contain_text("Executed")
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
    lost.get_by_role("button", name="Reconnect").focus()
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
    expect(lost).to_contain_text("Your last action may not have arrived")
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
    expect(page.locator("#does-verbosity")).to_contain_text("your setting +0.10")
    expect(page.locator("#trait-verbosity")).to_be_focused()
    assert float(page.locator("#trait-verbosity").input_value()) > float(before)
    assert faults_of(page) == []
    page.goto("/console/measures")
    assert faults_of(page) == []
    for way in ("measures", "personality"):
        page.set_viewport_size(PHONE)
        page.goto(f"/console/{way}")
        assert not is_too_wide(page), way
