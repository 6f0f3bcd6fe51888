"""Commands that are taken back, doubted or undone, and plain ones."""

from collections.abc import Callable

import pytest

from state.policy import Routing
from tests.titled import expecting
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.dialogue_acts.negated_orders import asks_undo
from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once

# Commands that are mentioned, reported or taken back in the same breath, and plain ones.

PASTED = "Hi all,\nthanks for the visit. Please order 400 oil filters and close WO-1057"


def is_asked_for(routing: Routing) -> bool:
    return routing.action is not None and routing.action != "show_work_order"


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 would be a mistake",
        "close WO-1042 was a typo",
        "close the job was a typo",
        "close WO-1042 is what I told him not to do",
        "close WO-1042 was what Ben said",
        "close WO-1042 said Ben",
        "closing WO-1042 is a bad idea",
    ],
)
def test_an_order_that_is_the_subject_of_a_sentence_is_only_mentioned(both: Router, text: str):
    routing = both.route(text)

    assert not is_asked_for(routing)
    assert "mood:reported:mentioned" in routing.reasons


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 please don't",
        "close WO-1042 never",
        "close WO-1042 do not",
        "close WO-1042, haha no",
        "close WO-1042... on second thought, leave it",
        "close WO-1042 — no, keep it open",
        "do not, under any circumstances, close WO-1042",
        "at no time close WO-1042",
        "wait before closing WO-1042",
        "you should never, under any circumstances, close WO-1042",
        "I refuse to close WO-1042",
        "we must absolutely decline to close WO-1042",
        "close WO-1042 lol no",
        "close WO-1042!!! said nobody",
        "close WO-1042 (example only, do not run)",
        "close WO-1042? No chance.",
        "close WO-1042? over my dead body",
        "note on WO-1042 that the pump leaks - kidding",
        "close WO-1042 (don't actually do it)",
        "no cierres WO-1042 por favor",
    ],
)
def test_a_denial_before_or_behind_reaches_the_order(both: Router, text: str):
    routing = both.route(text)

    assert not is_asked_for(routing)
    assert routing.confidence <= 0.15


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 or not?",
        "close WO-1042, said Ben",
        "close WO-1042: is that allowed?",
        "test: close WO-1042",
        "remind me to close WO-1042 tomorrow",
        "tell Ben that WO-1042 should be closed",
        "pretend to close WO-1042",
        "I doubt we should close WO-1042",
    ],
)
def test_what_is_reported_put_off_or_doubted_names_no_change(both: Router, text: str):
    routing = both.route(text)

    assert not is_asked_for(routing)
    assert routing.mood not in ("command", "request")


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042",
        "close WO-1042 please",
        "no, close WO-1042",
        "close WO-1042 no later than today",
        "close WO-1042, no parts were used",
        "close WO-1042 which is done",
        "close WO-1042 the work is done",
        "close WO-1042, it was tested",
        "close WO-1042, Ben said it is finished",
        "close WO-1042, as Ben said",
        "close WO-1042 - no leaks found",
        "close WO-1042 with the note: was a pain, is that clear",
    ],
)
def test_the_plain_command_still_routes(both: Router, text: str):
    routing = both.route(text)

    assert routing.action == "close_work_order"
    assert routing.mood in ("command", "request")


def test_a_pasted_mail_offers_nothing_that_only_its_words_ask_for(both: Router):
    routing = both.route(f'summarise this e-mail: """{PASTED}"""')

    assert not is_asked_for(routing)
    offered = {one.action: one.confidence for one in routing.alternatives}
    assert offered.get("close_work_order", 0.0) <= 0.15


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("add to the handover: approve PO-1997", "add_to_handover"),
        ("we don't need PO-1998 any more, cancel", "cancel_purchase_order"),
        ("share the library with kim@example.org right now", "share_library"),
        ("note 2 stays", None),
        ("top 5 papers on GPT-4 published in 2023", "search_papers"),
        ("the 3 most cited papers on BERT", "search_papers"),
        ("she had to sign the handover but forgot", None),
    ],
)
def test_what_is_to_be_written_named_or_told_is_no_order(both: Router, text, action):
    routing = both.route(text)

    assert (routing.action if routing.confidence > 0.5 else None) == action


def test_a_denied_doing_is_told_beside_the_request(both: Router):
    routing = both.route("don't search for papers on bees, just tell me what you think")

    assert "denied:query" in routing.reasons
    plain = both.route("search for papers on bees, just tell me what you think")
    assert not any(reason.startswith("denied:") for reason in plain.reasons)


def test_a_verb_for_looking_up_changes_nothing_that_an_example_gets_done(both: Router):
    assert both.route("summarise WO-1057").action != "close_work_order"


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("write me a poem about closing WO-1042", "reported"),
        ("compose a short haiku about closing WO-1042", "reported"),
        ("Thinking about sharing the fire plan with Tom Becker", "hypothetical"),
        ("still pondering closing WO-1042", "hypothetical"),
    ],
)
def test_what_is_written_about_or_thought_about_is_not_asked_for(both: Router, text, mood):
    routing = both.route(text)

    assert (routing.action, routing.mood) == (None, mood)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Oh great, close WO-1042, that'll definitely make the captain happy", "doubt:irony"),
        ("/close WO-1042", "doubt:slash_command"),
        ("close WO-1042, just an example", "doubt:taken_back"),
        ("approve PO-1996 tomorrow", "no_slot_for:tomorrow"),
        ("close WO-1042 on Friday", "no_slot_for:on friday"),
        ("close WO-1042, tomorrow", "no_slot_for:tomorrow"),
        ("tomorrow, please close WO-1042", "no_slot_for:tomorrow"),
        ("share the fire plan with Tom Becker next week", "no_slot_for:next week"),
        ("clear the library in 3 days", "no_slot_for:in 3 days"),
    ],
)
def test_what_may_be_meant_otherwise_is_offered_and_not_run(both: Router, text: str, reason: str):
    routing = both.route(text)

    assert routing.confidence < 0.5
    assert reason in routing.reasons


@pytest.mark.parametrize(
    "text",
    [
        "add to the handover: call the agent tomorrow",
        "add note to WO-1042: check again next week",
        "create a work order for the port generator: change oil, due 2026-12-01",
        "oh great, close WO-1042 then",
        "approve PO-1996 now",
        "drop the last line from tonight's handover",
        "create the pack for the audit on Thursday",
        "keep P-8 for later",
    ],
)
def test_a_time_that_has_a_place_and_a_friendly_word_hold_nothing_up(both: Router, text: str):
    routing = both.route(text)

    assert routing.confidence > 0.5
    assert not any(one.startswith("no_slot_for") for one in routing.reasons)


def test_a_phrase_of_one_pack_keeps_no_action_of_another_from_being_asked_for(both: Router):
    """Research has `add a note` for its own words, the vessel `add note`."""
    routing = both.route("add a note to WO-1042")

    assert (routing.action, routing.missing_slots) == ("add_note_to_work_order", ("note",))
    assert routing.confidence > 0.8


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("I need you to stop sharing the library with Lena", "stop_sharing_library"),
        ("could you set the research question to how do birds navigate?", "set_research_question"),
    ],
)
def test_what_sounds_like_a_denial_or_a_question_is_asked_for(both: Router, text: str, action: str):
    routing = both.route(text, roles=("owner",))

    assert (routing.mood, routing.action) == ("request", action)


def test_a_doing_that_nobody_knows_leaves_open_what_it_is(both: Router):
    routing = both.route("frame the class certificate and hang it on the wall")

    assert "doubt:unclear_part" in routing.reasons
    assert "doubt:unclear_part" not in both.route("show WO-1042 and close it").reasons


# Who wants a doing undone is offered what undoes it, and never that very doing.

ACTIONS = """
actions:
  cancel_booking:
    summary: "Cancel {booking}"
    verb: update
    words: [cancel, call off]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: write
    handler: "handlers:change"
    examples: ["cancel B-101", "call off the booking B-102", "please cancel my booking B-103"]
  confirm_booking:
    summary: "Confirm {booking}"
    verb: update
    words: [confirm]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: write
    handler: "handlers:change"
    examples: ["confirm B-101", "please confirm booking B-102", "confirm my booking"]
  show_booking:
    summary: "Show {booking}"
    verb: show
    words: [show]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: read
    handler: "handlers:change"
    examples: ["show B-101", "show me the booking B-102", "what is B-103"]
  close_case:
    summary: "Close {case}"
    verb: update
    words: [close]
    object: case
    slots: {case: {type: case, required: true}}
    effect: write
    handler: "handlers:close"
    undo: reopen_case
    examples: ["close C-101", "close the case C-102", "shut the case C-103"]
  reopen_case:
    summary: "Reopen {case}"
    verb: update
    words: [reopen]
    object: case
    slots: {case: {type: case, required: true}}
    effect: write
    handler: "handlers:close"
    undo: close_case
    examples: ["reopen C-101", "reopen the case C-102"]
"""
ENTITIES = """
entities:
  booking: {patterns: ["B-\\\\d{3}"]}
  case: {patterns: ["C-\\\\d{3}"]}
"""
HANDLERS = """
def change(context, *, booking): ...
def close(context, *, case): ...
"""


@pytest.fixture(scope="module")
def routed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Routing]:
    folder = tmp_path_factory.mktemp("packs") / "desk"
    folder.mkdir()
    files = {"actions.yaml": ACTIONS, "entities.yaml": ENTITIES, "handlers.py": HANDLERS}
    for name, text in files.items():
        (folder / name).write_text(text)
    return Router(Catalogue.of([load_pack(folder)])).route


def _others(routing: Routing) -> list[str]:
    return [one.action for one in routing.alternatives]


@pytest.mark.parametrize(
    "text",
    [
        "uncancel B-101",
        "please uncancel B-101",
        "can you uncancel B-101",
        "un-cancel B-101",
        "undo the cancellation of B-101",
        "cancel the cancellation of B-101",
        "revoke the cancellation of B-101",
        "stop the cancelling of B-101",
        "undo the cancelation of B-101",
    ],
)
def test_what_is_to_be_undone_is_not_offered_again(routed: Callable[[str], Routing], text: str):
    routing = routed(text)

    assert {routing.action, *_others(routing)} <= {None, "show_booking"}


@pytest.mark.parametrize(
    "text",
    [
        "unclose C-101",
        "please unclose C-101",
        "un-shut C-101",
        "un-close C-101",
        "please un-close C-101",
        "undo the closing of C-101",
        "undo the closure of C-101",
        "cancel the closing of C-101",
        "revoke the closure of C-101",
    ],
)
def test_its_opposite_is_the_only_change_that_is_left(routed: Callable[[str], Routing], text: str):
    routing = routed(text)
    best, *others = (one for one in (routing.action, *_others(routing)) if one is not None)

    assert best == "reopen_case"
    assert {"close_case", "cancel_booking", "confirm_booking"}.isdisjoint(others)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("cancel B-101", "cancel_booking"),
        ("cancel the booking B-101", "cancel_booking"),
        ("cancel my booking B-101 please", "cancel_booking"),
        ("cancel the UN booking B-101", "cancel_booking"),
        ("confirm B-101", "confirm_booking"),
        ("close C-101", "close_case"),
        ("reopen C-101", "reopen_case"),
        ("close the case C-101, the investigation is over", "close_case"),
        ("cancel B-101, it was undecided until now", "cancel_booking"),
    ],
)
def test_what_undoes_nothing_stays_what_it_is(routed: Callable[[str], Routing], text, action):
    assert routed(text).action == action


def test_who_uncloses_a_case_reopens_it(routed: Callable[[str], Routing]):
    routing = routed("unclose C-101")

    assert (routing.action, dict(routing.slots)) == ("reopen_case", {"case": "C-101"})


# `Undo that` means one's own last action; everything else is for the catalogue.


UNDONE = {
    True: [
        "undo",
        "undo that",
        "Undo it!",
        "take that back",
        "please take it back.",
        "can you undo the last one",
        "oops, undo that please",
        "undo my last action",
        "revert the last change",
        "reverse that",
        "undo what you just did",
        "can you undo that?",
        "could you please take it back?",
        "will you undo it?",
    ],
    False: [
        "do not undo that",
        "don't take that back",
        "undo the closing of WO-1042",
        "reverse transfer TR-701",
        "she said undo that",
        "take that back to the workshop",
        "what can I undo",
        "undo that?",
        "please undo?",
        "did you undo that?",
        "undo that and close WO-1042",
        "undoing",
        "",
        "undo " * 100,
    ],
}


@pytest.mark.parametrize(("text", "is_so"), expecting(UNDONE))
def test_the_last_action_is_meant_and_anything_more_is_another_text(text: str, *, is_so: bool):
    assert asks_undo(text) is is_so


# What stands beside an order and leaves open whether it is one.


@pytest.mark.parametrize("tag", ["right?", "yes?", "yeah?", "correct?"])
def test_who_asks_whether_it_is_to_be_is_offered_it(both: Router, tag: str):
    routing = both.route(f"close WO-1042, {tag}")
    assert routing.confidence < 0.5
    assert "doubt:also_asks" in routing.reasons
    assert both.route(f"show WO-1042, {tag}").confidence > 0.5


@pytest.mark.parametrize(
    "end",
    [
        "right away",
        "ok?",
        "right now please",
        "once and for all",
        "as soon as possible",
        "as soon as you can, please",
        "if that's alright",
        "if it is fine with you",
        "if it isn't too much trouble",
        "when you get a sec",
        "whenever you're free",
        "can you?",
        "would you do that for me",
    ],
)
def test_what_only_hurries_an_order_or_is_polite_leaves_no_doubt(both: Router, end: str):
    routing = both.route(f"close WO-1042, {end}")
    assert routing.confidence > 0.7
    assert routing.held is None
    assert "note" not in routing.slots


@pytest.mark.parametrize(
    "end",
    [
        "if it's not done yet",
        "if it isn't leaking",
        "if that's ok with Ben",
        "as soon as you can see the seal",
        "once the seal is in",
        "if nobody minds",
        "if you get the parts",
        "if you can't have it today",
        "if it isn't any good",
        "if that's fine with Ben",
        "can you close WO-1057?",
    ],
)
def test_what_only_begins_as_politely_is_a_condition(both: Router, end: str):
    routing = both.route(f"close WO-1042 {end}")
    assert routing.confidence < 0.5 or routing.held is not None


@pytest.mark.parametrize(
    "text",
    [
        "not allowed: close WO-1042",
        "this is not an order: close WO-1042",
        "not a good idea. Close WO-1042",
        "under no circumstances: close WO-1042",
        "nein, close WO-1042",
        "close WO-1042 has been done",
        "close WO-1042 some day",
    ],
)
def test_what_is_disowned_done_or_put_off_asks_for_no_yes(both: Router, text: str):
    routing = both.route(text)
    assert routing.confidence < 0.5 or routing.held == "unread"


@pytest.mark.parametrize(
    "before", ["no,", "not that one,", "not urgent:", "no problem,", "that's not what I meant."]
)
def test_a_correction_before_an_order_leaves_it_one(both: Router, before: str):
    assert both.route(f"{before} close WO-1042").confidence > 0.8
