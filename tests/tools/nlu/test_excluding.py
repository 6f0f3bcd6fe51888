"""What is left out of all, and orders that forbid by a word behind their verb, do nothing to it."""

import pytest

from tests.tools.nlu.conftest import Routed
from tools.nlu.intents.router import Router


@pytest.mark.parametrize(
    "text",
    [
        "close all but WO-1042",
        "close every job but WO-1042",
        "close everything except WO-1042",
        "close all work orders other than WO-1042",
        "close every work order apart from WO-1042",
        "close all jobs save for WO-1042",
        "close anything aside from WO-1042",
    ],
)
def test_what_is_left_out_of_all_fills_no_slot(route: Routed, text: str) -> None:
    assert "work_order" not in route(text).slots


@pytest.mark.parametrize(
    "text", ["assign WO-1042 to anyone but Tom", "assign WO-1042 to somebody other than Tom"]
)
def test_somebody_else_is_not_the_one_who_is_named(route: Routed, text: str) -> None:
    slots = route(text).slots

    assert slots["work_order"] == "WO-1042"
    assert "Tom Becker" not in slots.values()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("close nothing but WO-1042", "WO-1042"),
        ("everything is done but WO-1038 leaks. Close WO-1042", "WO-1042"),
    ],
)
def test_but_leaves_nothing_out_where_it_only_turns(route: Routed, text: str, order: str) -> None:
    assert route(text).slots["work_order"] == order


@pytest.mark.parametrize(
    "text",
    [
        "close no work order",
        "close neither WO-1042 nor WO-1038",
        "close in no case WO-1042",
        "close WO-1042 by no means",
        "close WO-1042 on no condition",
        "close at no time the job WO-1042",
        "close no longer WO-1042",
        "close WO-1042 is forbidden",
        "close WO-1042 is not allowed",
        "close WO-1042: no",
        "close WO-1042: not allowed",
        "close WO-1042 (y/n)",
        "close WO-1042, the sign reads",
        "close WO-1042, it says here",
        'write "close WO-1042"',
        "leave WO-1042",
        "hold WO-1042 please",
    ],
)
def test_an_order_that_is_forbidden_or_shown_is_none(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.mood in ("negated", "reported")
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text", ["show no more than 5 work orders", "order no. 5 oil filters", "order no 5 oil filters"]
)
def test_a_no_that_counts_denies_nothing(route: Routed, text: str) -> None:
    assert route(text).mood == "command"


@pytest.mark.parametrize(
    "text",
    [
        "don't! close WO-1042",
        "never! close WO-1042",
        "stop, don't, close WO-1042",
        "no way, close WO-1042",
        "not yet, close WO-1042",
        "hell no, close WO-1042",
        "don't - close WO-1042",
    ],
)
def test_a_bare_no_right_before_an_order_leaves_it_in_doubt(route: Routed, text: str) -> None:
    routing = route(text)

    assert "doubt:refused_before" in routing.reasons
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "no, close WO-1042",
        "never mind, close WO-1042",
        "not that one, close WO-1042",
        "don't order anything, close WO-1042",
        "not WO-1038. Close WO-1042",
    ],
)
def test_a_no_that_corrects_leaves_the_order_whole(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.action == "close_work_order"
    assert routing.confidence > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 but only after the captain has signed",
        "close WO-1042, only once Tom is back",
        "close WO-1042 the minute Tom is back",
        "close WO-1042 the moment the yard calls",
    ],
)
def test_what_an_order_waits_for_keeps_it_from_being_sure(route: Routed, text: str) -> None:
    assert route(text).confidence < 0.5


def test_a_letter_of_another_alphabet_in_a_word_makes_a_change_unsure(router: Router) -> None:
    of_two = router.route("check n\u043et the stock of oil filters")
    of_one = router.route("check the \u0431\u0438\u043b\u0433\u0435 stock of oil filters")

    assert router.route("close n\u043et WO-1042").confidence < 0.5
    assert ("text_disguised" in of_two.reasons, "text_disguised" in of_one.reasons) == (True, False)
