"""A text is read as the answer to a question for slots, or as nothing of the kind."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.routing.conftest import ORDERS
from tools.routing.router import Router


@pytest.fixture
def stored(data_dir: Path) -> Path:
    (data_dir / "orders.json").write_text(ORDERS)
    return data_dir


@pytest.mark.parametrize(
    ("action", "slot", "text", "value"),
    [
        ("close_work_order", "work_order", "WO-1042", "WO-1042"),
        ("close_work_order", "work_order", "wo-1042, please", "WO-1042"),
        ("close_work_order", "work_order", "1042", "WO-1042"),
        ("close_work_order", "work_order", "the seal change one", "WO-1038"),
        ("order_part", "quantity", "four", 4),
        ("order_part", "quantity", "12", 12),
        ("order_part", "part", "oil filters", "oil filter"),
        ("add_note_to_work_order", "note", "gasket ordered", "gasket ordered"),
        ("add_note_to_work_order", "note", "Replace the impeller!", "Replace the impeller!"),
    ],
)
def test_the_slot_that_was_asked_for_is_filled(
    router: Router, stored: Path, action: str, slot: str, text: str, value: Any
) -> None:
    answer = router.answer(text, action, [slot], data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.missing_slots) == ({slot: value}, ())


@pytest.mark.parametrize(
    ("action", "slot", "text"),
    [
        ("close_work_order", "work_order", "show WO-1042"),
        ("close_work_order", "work_order", "what is open?"),
        ("close_work_order", "work_order", "no idea"),
        ("close_work_order", "work_order", "   "),
        ("order_part", "quantity", "4 or 5"),
        ("order_part", "quantity", "about four"),
        ("order_part", "quantity", "2.5"),
        ("add_note_to_work_order", "note", "what is open?"),
        ("no_such_action", "note", "four"),
    ],
)
def test_what_is_no_answer_is_none(
    router: Router, stored: Path, action: str, slot: str, text: str
) -> None:
    assert router.answer(text, action, [slot], data_dir=stored) is None


def test_a_name_that_nothing_has_is_told(router: Router, stored: Path) -> None:
    answer = router.answer("WO-9999", "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.not_found) == ({}, {"work_order": "WO-9999"})


def test_a_name_of_several_lists_them(router: Router, stored: Path) -> None:
    answer = router.answer("filter", "order_part", ["part"], data_dir=stored)
    assert answer is not None
    assert answer.choices == {"part": ("fuel filter", "oil filter")}
    routing = router.route("order 3 filters", data_dir=stored)
    assert routing.choices == {"part": ("fuel filter", "oil filter")}
    assert routing.missing_slots == ("part",)


def test_slots_that_were_not_asked_for_stay_as_they_are(router: Router, stored: Path) -> None:
    answer = router.answer("4 oil filters", "order_part", ["quantity"], data_dir=stored)
    assert answer is not None
    assert answer.slots == {"quantity": 4}
