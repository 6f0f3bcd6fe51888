from collections.abc import Callable
from typing import Any

import pytest

from state.policy import Routing

Routed = Callable[[str], Routing]


def shown(routing: Routing) -> dict[str | None, dict[str, Any]]:
    found: dict[str | None, dict[str, Any]] = {
        one.action: dict(one.slots or {}) for one in routing.alternatives if one.slots
    }
    return {routing.action: dict(routing.slots), **found}


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 and order 3 oil filters",
        "close WO-1042, then order 3 oil filters",
        "close WO-1042. Order 3 oil filters.",
        "1. close WO-1042\n2. order 3 oil filters",
        "please close WO-1042 and please order 3 oil filters",
        "could you close WO-1042 and then order 3 oil filters?",
    ],
)
def test_each_request_is_offered_with_its_own_slots(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.confidence < 0.5
    assert "several_requests" in routing.reasons
    assert shown(routing) == {
        "close_work_order": {"work_order": "WO-1042"},
        "order_part": {"part": "oil filter", "quantity": 3},
    }


@pytest.mark.parametrize(
    "text",
    [
        "go ahead and close WO-1042",
        "don't order anything, close WO-1042",
        "close WO-1042 now, and please do",
    ],
)
def test_one_request_in_many_words_stays_one(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.action == "close_work_order"
    assert routing.confidence >= 0.5
    assert "several_requests" not in routing.reasons


def test_two_things_for_one_action_are_left_to_the_person(route: Routed) -> None:
    routing = route("close WO-1042 and close WO-1038")

    assert routing.action == "close_work_order"
    assert set(routing.choices["work_order"]) == {"WO-1042", "WO-1038"}
