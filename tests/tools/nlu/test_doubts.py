"""What stands beside an order and leaves open whether it is one."""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize("tag", ["right?", "yes?", "yeah?", "correct?"])
def test_who_asks_whether_it_is_to_be_is_offered_it(both: Router, tag: str) -> None:
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
def test_what_only_hurries_an_order_or_is_polite_leaves_no_doubt(both: Router, end: str) -> None:
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
def test_what_only_begins_as_politely_is_a_condition(both: Router, end: str) -> None:
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
def test_what_is_disowned_done_or_put_off_asks_for_no_yes(both: Router, text: str) -> None:
    routing = both.route(text)
    assert routing.confidence < 0.5 or routing.held == "unread"


@pytest.mark.parametrize(
    "before", ["no,", "not that one,", "not urgent:", "no problem,", "that's not what I meant."]
)
def test_a_correction_before_an_order_leaves_it_one(both: Router, before: str) -> None:
    assert both.route(f"{before} close WO-1042").confidence > 0.8
