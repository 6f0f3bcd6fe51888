"""Approvals on the pages: who sees what, what an answer does, and hostile words; no browser."""

import re

import pytest

from api.console.forms import Form, edited, fields_of
from state.action import Action, Slot
from tests.browser.service import Ship

pytestmark = pytest.mark.xdist_group("console")

CLOSE = "close WO-1042, the filter is changed"


def test_roles_hold(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    with ship.signed_in(ship.key("ole", "viewer")) as viewer:
        page = viewer.get(way).text
        assert "Close work order WO-1042" in page
        assert "data-approve" not in page
        assert "You cannot answer this" in page
        assert viewer.post(way, **yes).status_code == 403
    with ship.signed_in(ship.key("carla", "captain")) as captain:
        assert "data-approve" in captain.get(way).text
        done = captain.post(way, **yes)
        assert done.status_code == 200
        assert "answered by carla" in done.text
        assert "history entry added" in done.text


def test_whoever_asked_cannot_say_yes_where_four_eyes_are_due(ship: Ship):
    key = ship.key("carla", "captain")
    asked = ship.say(key, "export the compliance logs")
    with ship.signed_in(key) as carla:
        page = carla.get(f"/approvals/{asked['action_id']}").text
    assert "needs another person than the one who asked for it" in page
    assert "four eyes: never who asked for it" in page
    assert "data-approve" not in page


def test_of_two_who_are_needed_the_first_is_told_that_the_yes_counts(
    ship: Ship, monkeypatch: pytest.MonkeyPatch
):
    close = ship.service.executive.catalogue.actions["close_work_order"]
    monkeypatch.setitem(close.approvers.__dict__, "quorum", 2)
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    with ship.signed_in(ship.key("ernst", "chief_engineer")) as ernst:
        assert "1 of 2: nothing runs yet" in ernst.get(way).text
        told = ernst.post(way, **yes).text
        assert "Your yes counts: 1 of 2" in told
        assert "data-approve" not in told
        assert "Ask anew with these values" in told
        assert "Refuse" in told  # it may be taken back
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        page = carla.get(way).text
        assert "runs exactly what stands on this page" in page
        assert "chief engineer or captain; 1 of 2 people" in page
        assert "1 of 2 said yes" in page
        assert "answered by carla" in carla.post(way, **yes).text


def test_another_tenant_sees_nothing(ship: Ship):
    key = ship.key("ann", "engineer")
    asked = ship.say(key, CLOSE)
    offered = ship.say(key, "add a note to WO-1042: gasket ordered")
    chosen = {"chip": "chip-1"}
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("olav", "captain")) as stranger:
        answers = [
            stranger.post(f"/approvals/{asked['action_id']}", decision="reject"),
            stranger.post(f"/talk/offers/{offered['offer_id']}", **chosen),
            stranger.post(f"/talk/undo/{asked['action_id']}"),
            stranger.get(f"/decisions/{asked['decision_id']}"),
        ]
        assert [one.status_code for one in answers] == [404] * 4
        assert not [one.url for one in answers if re.search(r"WO-1042|\bann\b", one.text)]
        theirs = [asked["decision_id"], offered["decision_id"], offered["offer_id"]]
        theirs += [asked["action_id"]]
        for page in ("approvals?state=all", "live", "talk", "quiet", "personality", "measures"):
            told = stranger.get(f"/{page}").text
            assert not [one for one in (*theirs, "by ann") if one in told], page
        session = {"session_id": "a & b#c"}
        to = stranger.post("/quiet", do="end", **session).headers["location"]
        assert to == "/console/quiet?session_id=a+%26+b%23c"
        for way in ("", "/standing?seen=pending.0"):
            assert stranger.get(f"/approvals/{asked['action_id']}{way}").status_code == 404
        assert "WO-1042" not in stranger.get("/approvals").text


def test_hostile_words_stay_words(ship: Ship):
    nasty = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> \u202e {{ 7*7001 }}"
    asked = ship.say(ship.key(nasty, "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    edit = {"decision": "edit", "digest": asked["approval"]["digest"]}
    ship.say(ship.key("ann", "engineer"), f"show me WO-1042 {nasty}", "one \u202e&two=<b>")
    with ship.signed_in(ship.key("carla<b>", "captain")) as carla:
        pages = [carla.get("/approvals").text, carla.get(way).text, carla.get("/live").text]
        moved = carla.get("/quiet?session_id=one \u202e%26two=<b>").text
        slots = {"slot.work_order": "WO-1042", "slot.note": nasty}
        pages.append(carla.post(way, **edit, **slots).text)
    for page in pages:
        assert "&lt;script&gt;" in page
        assert not re.search(r"<script>|<img src=x|carla<b>|49007|onerror=alert\(2\)>", page)
    assert "U+202E" in pages[1]
    assert "\u202e" not in "".join(pages[:3])  # nothing that is read turns its surroundings around
    assert "U+202E" in pages[2]
    assert '<option value="one \u202e&amp;two=&lt;b&gt;" selected>one U+202E&amp;two' in moved


def test_a_no_says_why_and_an_answer_to_what_was_settled_is_told(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    digest = asked["approval"]["digest"]
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        no = carla.post(way, decision="reject", digest=digest, reason="the old one stays")
        assert "the old one stays" in no.text
        late = carla.post(way, decision="approve", digest=digest)
        assert late.status_code == 409
        assert "Your answer was not taken" in late.text


def test_an_edit_form_has_a_control_a_slot_and_keeps_what_was_left(ship: Ship):
    slots = {
        "what": Slot(type="text", required=True),
        "many": Slot(type="part", many=True),
        "count": Slot(type="integer", minimum=1),
        "when": Slot(type="date"),
        "sure": Slot(type="boolean"),
        "kind": Slot(type="text", choices=("a", "b")),
        "rest": Slot(type="json"),
        "code": Slot(type="text", secret=True),
    }
    action = Action(
        name="try",
        pack="p",
        summary="Try",
        verb="update",
        object="thing",
        slots=slots,
        effect="write",
        handler="handlers:try",
    )
    shown = {
        "what": "x",
        "many": ["a, b", "c"],
        "count": 2,
        "sure": True,
        "rest": {"k": [1]},
        "code": "••• (4 characters)",
    }
    fields = fields_of(action, shown)
    controls = {field.label: field.control for field in fields}
    assert controls == {
        "what": "text",
        "many": "lines",
        "count": "number",
        "when": "date",
        "sure": "choice",
        "kind": "choice",
        "rest": "json",
        "code": "text",
    }
    form = Form({field.name: field.value for field in fields})
    assert edited(action, shown, form) == shown
    del form["slot.when"], form["slot.rest"]  # not sent: not touched
    old = {"what": "one\r\ntwo\rthree"}
    sent = Form({"slot.what": "one\r\ntwo\r\nthree"})
    assert edited(action, old, sent) == old
    form |= {"slot.many": "a, b\r\nd", "slot.count": "7", "slot.sure": "no", "slot.what": ""}
    changed = edited(action, shown, form)
    assert changed == {
        "many": ["a, b", "d"],
        "count": 7,
        "sure": False,
        "rest": {"k": [1]},
        "code": "••• (4 characters)",
    }
