"""A year is no count, and a number with a share behind it is not the number before it."""

import pytest

from tools.routing.slots.numerals import numbers_in
from tools.routing.slots.units import days_of_window, in_unit_of
from tools.routing.words.normalise import normalise


@pytest.mark.parametrize(
    ("name", "value", "unit", "held"),
    [
        ("days", 2, "months", 61),
        ("days", 3, "weeks", 21),
        ("days", 60, "days", 60),
        ("hours", 90, "minutes", 1.5),
        ("rest_hours", 1, "day", 24),
        ("seconds", 2, "minute", 120),
        ("quantity", 2, "weeks", 2),
        ("hours", 8, "of", 8),
    ],
)
def test_a_slot_of_days_takes_weeks_as_days(
    name: str, value: float, unit: str, held: float
) -> None:
    assert in_unit_of(name, value, [unit]) == held


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ("what expires within a week", (7, 2, 5)),
        ("what expires in the next year please", (366, 2, 6)),
        ("what expired last year", None),
    ],
)
def test_a_window_without_a_number_is_one_of_it(
    said: str, window: tuple[int, int, int] | None
) -> None:
    assert days_of_window("days", said.split()) == window
    assert days_of_window("hours", said.split()) is None


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("which certificates expire in 2027", False),
        ("which certificates expire before 2027?", False),
        ("which certificates expire in 2027 days", True),
        ("set the hours to 2027", True),
        ("order four and a half oil filters", False),
        ("order four and three quarters of it", False),
        ("order 4 and tell Tom", True),
    ],
)
def test_a_number_is_sure_unless_it_is_part_of_something_else(text: str, *, is_sure: bool) -> None:
    first = next(iter(numbers_in(normalise(text))))

    assert first.is_sure is is_sure
