"""What is said in one unit of time and held in another."""

import pytest

from tools.routing.router import Router
from tools.routing.slots.days.units import Window, in_unit_of, window_of


@pytest.mark.parametrize(
    ("name", "value", "unit", "held"),
    [
        ("days", 2, "months", 61),
        ("months", 7, "years", 84),
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
        ("what expires within a week", Window(7, 2, 5)),
        ("what expires in the next year please", Window(366, 2, 6)),
        ("what expired last year", None),
    ],
)
def test_a_window_without_a_number_is_one_of_it(said: str, window: Window | None) -> None:
    assert window_of("days", said.split()) == window
    assert window_of("hours", said.split()) is None


@pytest.mark.xdist_group("both-packs")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what expires within a week", 7),
        ("which certificates expire in the next two months", 61),
        ("which certificates expire in 90 days", 90),
    ],
)
def test_certificates_that_expire_are_those_of_so_many_days(
    both: Router, text: str, days: int
) -> None:
    assert both.route(text).slots == {"days": days}
