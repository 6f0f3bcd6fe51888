"""A text is read as the answer to a question for slots, or as nothing of the kind."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.nlu.conftest import ORDERS
from tools.nlu.intents.router import Router


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
    given = {"part": "oil filter"}
    answer = router.answer(
        "4 oil filters", "order_part", ["quantity"], data_dir=stored, given=given
    )
    assert answer is not None
    assert answer.slots == {"quantity": 4}


_DENIED = (
    "not WO-1042",
    "WO-1042? no",
    "WO-1042 must stay",
    "WO-1042 please don't",
    "anything but WO-1042",
)
_SUPPOSED = ("WO-1042, but only if Ben agrees", "WO-1042 if Tom is done", "WO-1042 unless it rains")
_TOLD = ("WO-1042 was already closed", "Ben said WO-1042", "Ben: WO-1042", "> WO-1042")
_TWO = ("WO-1042 or WO-1038", "WO-1042 and WO-1038", "maybe WO-1042")
_HIDDEN = "WO-1042\u202e"


@pytest.mark.parametrize("text", [*_DENIED, *_SUPPOSED, *_TOLD, *_TWO, _HIDDEN])
def test_a_thing_that_is_not_said_to_be_meant_is_no_answer(
    router: Router, stored: Path, text: str
) -> None:
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is None or (answer.slots, answer.choices, answer.not_found) == ({}, {}, {})
    assert answer is None or "no_answer" in answer.reasons


@pytest.mark.parametrize(
    "text",
    [
        "not 4",
        "we have 4 left",
        "4 zinc anodes",
        "4 fuel filters",
        "4 papers on graphs",
        "Tom wrote: 4",
        "4 is too many",
        "4 if they are cheap",
        "4?",
        "> 4",
        "never 4",
    ],
)
def test_a_number_of_something_else_is_no_answer(router: Router, stored: Path, text: str) -> None:
    given = {"part": "oil filter"}
    answer = router.answer(text, "order_part", ["quantity"], data_dir=stored, given=given)
    assert answer is None or answer.slots == {}


@pytest.mark.parametrize(
    "text", ["4", "four please", "4 oil filters", "4 filters", "4 of them", "just 4, thanks"]
)
def test_what_is_known_already_may_be_said_again(router: Router, stored: Path, text: str) -> None:
    given = {"part": "oil filter"}
    answer = router.answer(text, "order_part", ["quantity"], data_dir=stored, given=given)
    assert answer is not None
    assert answer.slots == {"quantity": 4}


@pytest.mark.parametrize(
    "text", ["that one: WO-1042", "it's WO-1042", "the job WO-1042", '"WO-1042"', "work order 1042"]
)
def test_words_that_say_nothing_more_stand_beside_a_thing(
    router: Router, stored: Path, text: str
) -> None:
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert answer.slots == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "is_note"),
    [
        ("not working since Monday", True),
        ("don't run it above 80 %", True),
        ("Tom said it leaks", True),
        ("don't add a note", False),
        ("add it, no wait", False),
        ("yes", False),
        ("ok, sure", False),
        ("it leaks", True),
    ],
)
def test_free_words_may_deny_anything_but_the_doing(
    router: Router, stored: Path, text: str, *, is_note: bool
) -> None:
    answer = router.answer(text, "add_note_to_work_order", ["note"], data_dir=stored)
    assert (answer is not None and answer.slots == {"note": text}) is is_note


@pytest.mark.parametrize(
    "sign",
    [
        *("{} ❌", "{} 👎", "🚫{}", "👎 {}", "⛔ {}", "{} ✋", "{} 🙄", "{} 🤡", "{} 🤷", "✗ {}"),
        *("{} /s", "{} - kidding", "{} jk", "{} nvm", "{} (just kidding)", "{} lol never"),
        *("[ ] {}", "[] {}", "☐ {}", "~~{}~~"),
    ],
)
@pytest.mark.parametrize("value", ["WO-1042", "1042", "the seal change"])
def test_a_thing_beside_a_sign_of_no_is_no_answer(
    router: Router, stored: Path, sign: str, value: str
) -> None:
    text = sign.format(value)
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is None or (answer.slots, answer.choices, answer.not_found) == ({}, {}, {})


@pytest.mark.parametrize(
    "sign",
    [
        *("{} please", "{} now please", "please {}", "{}, thanks!", "{} :)", "- {}", "*{}*"),
        *("{} 👍", "{} 👍🏽", "✅ {}", "{} 🙏", "{} ✔️", "ok, {}."),
    ],
)
@pytest.mark.parametrize("value", ["WO-1042", "1042", "the filter replacement"])
def test_courtesy_and_signs_of_yes_say_nothing_more(
    router: Router, stored: Path, sign: str, value: str
) -> None:
    text = sign.format(value)
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert answer.slots == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "is_id"),
    [
        ("1042", True),
        ("#1042", True),
        ("number 1042", True),
        ("for 1042", True),
        ("1042 of them", False),
        ("in 1042", False),
        ("by 1042", False),
        ("1042 each", False),
        ("1042 pieces", False),
        ("$1042", False),
        ("1042 €", False),
        ("1042%", False),
        ("-1042", False),
    ],
)
def test_a_number_that_measures_something_names_no_thing(
    router: Router, stored: Path, text: str, *, is_id: bool
) -> None:
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert (answer is not None and answer.slots == {"work_order": "WO-1042"}) is is_id


def test_the_name_of_a_thing_is_not_the_note_as_well(router: Router, stored: Path) -> None:
    missing = ["work_order", "note"]
    answer = router.answer("WO-1042", "add_note_to_work_order", missing, data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.missing_slots) == ({"work_order": "WO-1042"}, ("note",))
