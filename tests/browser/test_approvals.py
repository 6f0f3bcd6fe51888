"""Approvals on the pages and in a browser."""

import re

import httpx
import pytest
from playwright.sync_api import Page, ViewportSize, expect
from sqlalchemy import update

from api.console.forms import Form, edited, fields_of
from state.action import Action, Slot
from state.approval import LedgerAction
from tests.browser.conftest import Opens
from tests.browser.looking import faults_of, is_too_wide
from tests.browser.service import Ship
from tools.storage.tables.ledger import ledger_action

pytestmark = pytest.mark.xdist_group("console")

# Approvals in a browser: by keyboard, raced for, run out while open, on a phone.

CLOSE = "close WO-1042, the filter is changed"


def test_a_yes_is_said_by_keyboard_and_never_by_accident(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    expect(page.locator("time.until").first).to_have_text(re.compile(r"\d+:\d\d left"))
    page.keyboard.press("Enter")  # nothing is chosen beforehand
    expect(page.locator("[data-approve]")).not_to_be_focused()
    page.keyboard.type("add a ")  # ordinary words are no answer, in the question or anywhere
    _leaves_while_the_question_is_drawn(page)
    page.keyboard.type("add a note and answer ")
    expect(page.locator("details[open]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("a.row")).to_be_focused()
    expect(page.locator("[data-live-state]")).to_have_text("live")
    ship.say(ship.key("ben", "engineer"), "order 40 impellers")  # moves nobody, and is announced
    expect(page.locator("[data-announced]")).to_have_text("2 questions wait for a yes")
    expect(page.locator("a.row")).to_have_count(2)
    expect(page.locator("a.row.current")).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator(".answers")).to_be_focused()
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
    expect(page.locator(".ending")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator("[data-approve]")).to_be_focused()
    expect(page.locator("[data-approve]")).to_be_in_viewport()
    with page.expect_response("**/approvals/queue?*"):
        page.evaluate("htmx.trigger(document.body, 'approvals')")  # as each poll does
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    expect(page.locator("a.row.current[aria-current]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".ending")).to_contain_text("answered by carla")
    expect(page.locator("a.row")).to_have_count(1)
    shown = ship.service.run(ship.service.executive.approvals.get(asked["action_id"], ship.tenant))
    assert shown.state == "succeeded"


def _leaves_while_the_question_is_drawn(page: Page) -> None:
    page.evaluate(
        """() => new Promise((done) => {
          const leave = (event) => {
            if (event.detail.target.id === "panel") document.activeElement.blur();
          };
          const settled = (event) => {
            if (event.detail.target.id !== "panel") return;
            document.removeEventListener("htmx:afterSwap", leave);
            document.removeEventListener("htmx:afterSettle", settled);
            done();
          };
          document.addEventListener("htmx:afterSwap", leave);
          document.addEventListener("htmx:afterSettle", settled);
          document.querySelector("a.row").focus();
          document.activeElement.click();
        })"""
    )
    expect(page.locator("body")).to_be_focused()


def test_of_two_who_race_the_second_is_told_what_happened(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    first = opens(ship.key("carla", "captain"), way)
    second = opens(ship.key("ernst", "chief_engineer"), way)
    # What the second is writing stays: it still shows a question that was answered.
    second.focus("#panel h2")
    second.keyboard.press("r")
    second.keyboard.type("not today")
    first.click("[data-approve]")
    expect(first.locator(".ending")).to_contain_text("answered by carla")
    expect(second.locator("#told")).to_contain_text("stands otherwise meanwhile")
    expect(second.locator("#panel-why")).to_have_value("not today")
    second.click("button.no")
    expect(second.locator(".told.bad")).to_contain_text("Your answer was not accepted")
    expect(second.locator(".ending")).to_contain_text("answered by carla")


def test_a_question_that_runs_out_while_open_says_so(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    over = update(ledger_action).where(ledger_action.c.action_id == asked["action_id"])
    executive = ship.service.executive
    database = executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(over.values(expires_at=1.0)))
    )
    ship.service.run(executive.approvals.settle_answered())
    expect(page.locator(".ending strong")).to_have_text("Expired")
    expect(page.locator("[data-approve]")).to_have_count(0)


def test_much_has_to_be_typed_and_an_edit_can_make_it_less(opens: Opens, ship: Ship):
    ship.say(ship.key("carla", "captain"), "export the compliance logs")
    page = opens(ship.key("ernst", "chief_engineer"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    phrase = page.locator(".phrase").inner_text()
    assert re.fullmatch(r"\d+ compliance log", phrase)
    expect(page.locator("[data-approve]")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 300})
    page.fill("#panel-typed", "yes")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text(phrase)
    expect(page.locator("#told .told")).to_be_in_viewport(ratio=0.9)  # however far it is scrolled
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.fill("[name='slot.since']", "2026-05-20")
    page.click("text=Request approval with these values")
    expect(page.locator("#panel")).to_contain_text("2026-05-20")


@pytest.mark.parametrize(("scheme", "key"), [("light", "r"), ("dark", "e")])
def test_everybody_can_use_it(opens: Opens, ship: Ship, scheme: str, key: str):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}", scheme=scheme)
    expect(page.locator("a.row.current")).to_be_focused()
    page.keyboard.press(key)
    expect(page.locator("details[open] :focus")).to_have_count(1)
    assert faults_of(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("[data-live-state]")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Metrics")).to_be_in_viewport(ratio=1)
    assert not is_too_wide(page)


# Approvals on the pages: who sees what, what an answer does, and hostile words; no browser.


def test_roles_hold(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    with ship.signed_in(ship.key("ole", "viewer")) as viewer:
        page = viewer.get(way).text
        assert "Close work order WO-1042" in page
        assert "data-approve" not in page
        assert "You can't answer this" in page
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
    assert "needs approval by somebody other than the requester" in page
    assert "four eyes: not the requester" in page
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
        assert "1 of 2; nothing runs yet" in ernst.get(way).text
        told = ernst.post(way, **yes).text
        assert "You approved this (1 of 2)" in told
        assert "data-approve" not in told
        assert "Request approval with these values" in told
        assert "Reject" in told  # it may be taken back
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        page = carla.get(way).text
        assert "runs exactly what this page shows, once" in page
        assert "chief engineer or captain; 1 of 2 have approved" in page
        assert "1 of 2 approved" in page
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
        assert "Your answer was not accepted" in late.text


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
    assert edited(action, old, Form({"slot.what": "one\r\ntwo\r\nthree"})) == old
    form |= {"slot.many": "a, b\r\nd", "slot.count": "7", "slot.sure": "no", "slot.what": ""}
    changed = edited(action, shown, form)
    assert changed == {
        "many": ["a, b", "d"],
        "count": 7,
        "sure": False,
        "rest": {"k": [1]},
        "code": "••• (4 characters)",
    }


# Who asked takes it back with a button of their own; nobody else has it, or may send it.


def _standing(ship: Ship, action_id: str) -> LedgerAction:
    return ship.service.run(ship.service.executive.approvals.get(action_id, ship.tenant))


def test_who_asked_takes_it_back_and_nobody_else_is_shown_how(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    captain = opens(ship.key("carla", "captain"), way)
    expect(captain.locator("[data-approve]")).to_be_visible()
    expect(captain.locator("[data-take-back]")).to_have_count(0)
    page = opens(ship.key("ann", "engineer"), way)
    expect(page.locator(".answers")).to_contain_text("You can't answer this")
    expect(page.locator("[data-take-back]")).to_be_visible()
    assert faults_of(page) == []
    page.focus("#panel h2")
    page.keyboard.type("take it back arwe")  # letters are no answer
    expect(page.locator(".ending")).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 640})
    assert not is_too_wide(page)
    with page.expect_response("**/take-back") as sent:
        page.click("[data-take-back]")
    assert sent.value.status == 200
    expect(page.locator(".ending")).to_contain_text("answered by ann")
    expect(page.locator(".ending")).to_contain_text("withdrawn by the requester")
    expect(page.locator("[data-take-back]")).to_have_count(0)
    standing = _standing(ship, asked["action_id"])
    assert (standing.state, standing.decided_by) == ("rejected", "ann")
    expect(captain.locator(".ending")).to_contain_text("answered by ann")
    expect(captain.locator("[data-approve]")).to_have_count(0)


def test_who_asked_and_may_approve_has_both(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("carla", "captain"), CLOSE)
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    expect(page.locator("[data-approve]")).to_be_visible()
    page.locator("[data-take-back]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ending")).to_contain_text("withdrawn by the requester")
    assert _standing(ship, asked["action_id"]).state == "rejected"


def test_what_is_queued_is_taken_back_before_anybody_is_asked(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    said = (ship.say(ann, f"order {number} oil filters") for number in range(2, 42))
    asked = next(one for one in said if _standing(ship, one["action_id"]).state == "proposed")
    page = opens(ann, f"/approvals/{asked['action_id']}")
    expect(page.locator(".dialog")).to_contain_text("Queued")
    page.click("[data-take-back]")
    expect(page.locator(".ending")).to_contain_text("withdrawn by the requester")
    assert _standing(ship, asked["action_id"]).state == "rejected"


ODD = ["", "\x00", "a\x00b", "d\xe9j\xe0", "\u202e", "x" * 300, "\ud7ff"]


def test_without_the_digest_that_was_shown_nothing_is_taken(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way = f"/approvals/{asked['action_id']}"
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        assert ann.post(f"{way}/take-back").status_code == 409
        for digest in ODD:
            refused = ann.post(f"{way}/take-back", digest=digest)
            assert refused.status_code == 409
            assert "It was not withdrawn" in refused.text
    with ship.signed_in(ship.key("carla", "captain")) as captain:
        for decision in ("approve", "reject", "edit", "respond", "", "\x00"):
            assert captain.post(way, decision=decision).status_code in (409, 422)
            for digest in ODD:
                sent = {"decision": decision, "digest": digest, "reason": digest}
                assert captain.post(way, **sent).status_code in (409, 422)
    assert _standing(ship, asked["action_id"]).state == "pending"


def test_nobody_else_and_nothing_else_takes_it_back(ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), CLOSE)
    way, digest = f"/approvals/{asked['action_id']}/take-back", asked["approval"]["digest"]
    others = (
        ship.key("carla", "captain"),
        ship.key("ben", "engineer"),
        ship.key("ann", "engineer", access="viewer"),
    )
    for key in others:
        with ship.signed_in(key) as visitor:
            assert visitor.post(way, digest=digest).status_code == 403
    elsewhere = Ship(ship.service, "elsewhere")
    with elsewhere.signed_in(elsewhere.key("ann", "engineer")) as stranger:
        assert stranger.post(way, digest=digest).status_code == 404
    with ship.signed_in(ship.key("ann", "engineer")) as ann:
        assert ann.client.post(f"/console{way}", data={"digest": digest}).status_code == 403
        assert ann.post(way, csrf="of another session", digest=digest).status_code == 403
        unseen = ann.post(way, digest="0" * 64)
        assert (unseen.status_code, '<p class="told bad"' in unseen.text) == (409, True)
        assert ann.get(way).status_code in (404, 405)
        assert _standing(ship, asked["action_id"]).state == "pending"
        assert ann.post(way, digest=digest).status_code == 200
        late = ann.post(way, digest=digest)
    assert late.status_code == 409
    assert "It was not withdrawn" in late.text
    anonymous = httpx.post(f"{ship.service.address}/console{way}", data={"digest": digest})
    assert anonymous.status_code in (303, 401, 403)
    assert _standing(ship, asked["action_id"]).state == "rejected"


# What waits for people besides one question: several alike, offers, refusals, unclear ends.

ORDERS = ("WO-1042", "WO-1035", "WO-1040")
TOGETHER = "/approvals/together?action=close_work_order"
PHONE: ViewportSize = {"width": 320, "height": 640}


def test_those_that_are_chosen_are_approved_together_and_no_other(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = [ship.say(ann, f"close {order}")["action_id"] for order in ORDERS]
    page = opens(ship.key("carla", "captain"))
    page.click("text=Answer 3 × close work order together")
    expect(page.locator("input[type=checkbox]:checked")).to_have_count(0)
    for action_id in asked[:2]:
        page.check(f"#on-{action_id}")
    page.fill("#typed", "approve 3")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("type: approve 2; nothing was changed")
    assert faults_of(page) == []
    page.fill("#typed", page.locator("[data-phrase-now]").inner_text())
    page.get_by_role("button", name="Approve selected").click()
    expect(page.locator(".told .mark.done")).to_have_count(2)
    expect(page.locator("input[type=checkbox]")).to_have_count(1)
    run = ship.service.run
    executive = ship.service.executive
    states = [run(executive.approvals.get(each, ship.tenant)).state for each in asked]
    assert states == ["succeeded", "succeeded", "pending"]
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)


def test_together_each_keeps_its_own_digest_rights_and_end(ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = [ship.say(ann, f"close {order}") for order in ORDERS]
    chosen = {f"on.{one['action_id']}": one["approval"]["digest"] for one in asked[:2]}
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert ole.get(TOGETHER).text.count(" disabled") == 3
        told = ole.post("/approvals/together", decision="approve", typed="approve 2", **chosen)
        assert told.text.count("not accepted") == 2
    with ship.signed_in(ship.key("carla", "captain")) as carla:
        way = "/approvals/together"
        assert carla.post(way, decision="approve", typed="approve 1", **chosen).status_code == 422
        assert carla.post(way, decision="edit", typed="approve 2", **chosen).status_code == 422
        assert carla.post(way, decision="approve", typed="approve 0").status_code == 422
        chosen[f"on.{asked[1]['action_id']}"] = "0" * 64  # it was edited meanwhile
        told = carla.post(way, decision="reject", reason="not now", **chosen)
        assert told.text.count("not accepted") == 1
        assert "not now" in carla.get(f"/approvals/{asked[0]['action_id']}").text
    stranger = Ship(ship.service, "elsewhere")
    with stranger.signed_in(stranger.key("olav", "captain")) as olav:
        assert "WO-10" not in olav.get(TOGETHER).text
        assert olav.post(way, decision="reject", **chosen).status_code == 404


def test_what_somebody_was_offered_nobody_else_chooses(opens: Opens, ship: Ship):
    ship.say(ship.key("ann", "engineer"), "add a note to WO-1042: gasket ordered")
    ernst = ship.key("ernst", "chief_engineer")
    with ship.signed_in(ernst) as visitor:
        assert "suggested to ann" in visitor.get("/offers").text
    page = opens(ship.key("ann", "engineer"), "/offers", scheme="dark")
    assert faults_of(page) == []
    page.locator("button.chip").first.click()
    expect(page.locator(".chip.chosen")).to_contain_text("chosen by ann")
    expect(page.locator(".turn")).to_contain_text("Executed")
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)


def test_a_standing_refusal_is_seen_and_withdrawn(opens: Opens, ship: Ship):
    ann = ship.key("ann", "engineer")
    asked = ship.say(ann, "close WO-1042, the filter is changed")
    page = opens(ship.key("carla", "captain"), f"/approvals/{asked['action_id']}")
    page.locator("details[data-key=r] summary").click()
    page.select_option("#panel-same", "requester")
    page.fill("#panel-why", "<b>Monday</b>")
    page.click("details[data-key=r] button")
    expect(page.locator(".ending")).to_contain_text("Rejected")
    assert ship.say(ann, "close WO-1035")["outcome"] == "refused"
    page.goto("/console/refusals")
    expect(page.locator("#refusals")).to_contain_text("<b>Monday</b>")
    assert faults_of(page) == []
    page.set_viewport_size(PHONE)
    assert not is_too_wide(page)
    page.click("button:has-text('Delete')")
    expect(page.locator("#refusals")).to_contain_text("No auto-reject rules")
    assert ship.say(ann, "close WO-1035")["outcome"] == "awaiting_approval"


def test_what_nobody_can_tell_is_settled_with_evidence(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), "close WO-1042, the filter is changed")
    left = update(ledger_action).where(ledger_action.c.action_id == asked["action_id"])
    database = ship.service.executive.keys.database
    ship.service.run(
        database.write(lambda connection: connection.execute(left.values(state="unknown")))
    )
    way = f"/approvals/{asked['action_id']}"
    with ship.signed_in(ship.key("ole", "viewer")) as ole:
        assert "You can't resolve this" in ole.get(way).text
        told = ole.post(f"{way}/settle", happened="yes", evidence="seen")
        assert told.status_code == 403
    page = opens(ship.key("carla", "captain"), "/approvals?state=unknown")
    expect(page.locator(".tabs .badge")).to_contain_text("1")
    page.click("a.row")
    page.check("text=Yes, it happened")
    page.fill("#panel-evidence", "the order is closed in the register")
    assert faults_of(page) == []
    page.click("button:text-is('Resolve')")
    expect(page.locator(".ending")).to_contain_text("Evidence from carla: the order is closed")
    expect(page.locator(".ending strong")).to_have_text("Done")


# What is long is folded, and opened before a yes; the words that were said stand above it.

HIDDEN = "and the valve stays open"
LONG = f"the filter is changed {'and the pump runs ' * 9}{HIDDEN} {'and the pump runs ' * 9}"


def test_a_yes_comes_after_the_long_parts_were_opened(opens: Opens, ship: Ship):
    asked = ship.say(ship.key("ann", "engineer"), f"close WO-1042, {LONG}")
    assert HIDDEN in asked["approval"]["dialog"]["words"]
    carla, way = ship.key("carla", "captain"), f"/approvals/{asked['action_id']}"
    yes = {"decision": "approve", "digest": asked["approval"]["digest"]}
    with ship.signed_in(carla) as visitor:
        refused = visitor.post(way, **yes)
        assert (refused.status_code, "read the long parts first" in refused.text) == (422, True)
    page = opens(carla, way)
    assert faults_of(page) == []
    expect(page.locator(".asked")).to_contain_text("ann, ")
    expect(page.locator(".asked a")).to_have_attribute(
        "href", f"/console/decisions/{asked['decision_id']}"
    )
    folded = page.locator("[data-long]:not([open]) > summary")
    expect(page.locator("[data-approve]")).to_be_disabled()
    for _ in range(folded.count()):
        expect(page.locator("[data-approve]")).to_be_disabled()
        folded.first.click()
    expect(page.locator(".asked details > div")).to_contain_text(HIDDEN)
    page.locator("[data-approve]").click()
    expect(page.locator(".ending")).to_contain_text("answered by carla")
