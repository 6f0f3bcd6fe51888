"""Talk and Live without a browser: what is drawn, what the stream gives, who sees it."""

import re
from collections.abc import Iterator

import httpx
import pytest

from api.console import stream
from api.console.decisions import trail_of
from state.notice import Notice
from state.offer import Offer
from tests.browser.service import Ship, Visitor
from tools.response.delivery import Subscription

pytestmark = pytest.mark.xdist_group("console")

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
        assert "Nothing was said here yet" in ann.get("/talk").text
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
        none = ann.client.get(stream, headers={"Last-Event-ID": "nonsense"})
        assert none.status_code == 422
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
    with (
        ship.signed_in(key) as ann,
        ann.client.stream("GET", "/console/stream?rows=1") as answer,
    ):
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
    assert trail_of(trace).end.word == "asked"
    with ship.signed_in(key) as ann:
        page = ann.get(f"/decisions/{record['decision_id']}").text
        assert "What would have changed it" in page
        assert "How dangerous" in page
        assert f"/console/approvals/{record['action_id']}" in page
        live = ann.get("/live?outcome=awaiting_approval").text
        assert record["decision_id"] in live
        assert record["decision_id"] not in ann.get("/live?outcome=passed").text
        assert ann.get("/live?outcome=nonsense").status_code == 422
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        assert stranger.get(f"/decisions/{record['decision_id']}").status_code == 404
        assert record["decision_id"] not in stranger.get("/live").text
