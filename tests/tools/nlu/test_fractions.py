"""Fractions as people write them; one that cannot be read is no number, and not the one before."""

import pytest

from tests.tools.nlu.filling import Filling
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.numbers import numbers_in


@pytest.mark.parametrize(
    ("said", "value", "unit"),
    [
        ("ten hours and a half of rest", 10.5, "hours"),
        ("eight and a half hours", 8.5, "hours"),
        ("8 and a half hours", 8.5, "hours"),
        ("ten hours and three quarters", 10.75, "hours"),
        ("half an hour", 0.5, "hour"),
        ("a half hour", 0.5, "hour"),
        ("a quarter of an hour", 0.25, "hour"),
        ("three quarters of an hour", 0.75, "hour"),
        ("an hour and a half", 1.5, "hour"),
        ("half a kilo", 0.5, "kilo"),
        ("8,5 hours", 8.5, "hours"),
        ("8,5h", 8.5, "h"),
        ("€8,50", 8.5, "€"),
        ("for 8h30", 8.5, "hours"),
        ("10 hours 30 minutes", 10.5, "hours"),
        ("ten hours and thirty minutes", 10.5, "hours"),
        ("8h 30m", 8.5, "h"),
        ("2 kg 300 g", 2.3, "kg"),
        ("10½", 10.5, ""),
        ("10 ½ hours", 10.5, "hours"),
        ("10½h", 10.5, "h"),
        ("½ hour", 0.5, "hour"),
        ("10 1/2 hours", 10.5, "hours"),
        ("1,000 hours", 1000, "hours"),
    ],
)
def test_a_fraction_is_one_number_with_its_unit(said: str, value: float, unit: str) -> None:
    (number,) = numbers_in(normalise(said))

    assert (number.value, number.unit, number.is_sure) == (value, unit, True)


@pytest.mark.parametrize(
    "said",
    [
        "eight and a third hours",
        "ten hours and a third",
        "two litres and a half day",
        "four and a half of the filters",
        "four and a half dozen",
        "8 1/3 hours",
        "8 1/6",
        "10 hours 90 minutes",
        "about ten and a half hours",
        "four and half a litre",
    ],
)
def test_what_cannot_be_read_is_no_sure_number(said: str) -> None:
    assert not any(one.is_sure and one.value > 1 for one in numbers_in(normalise(said)))


@pytest.mark.parametrize("said", ["half a dozen", "at half eight", "the first half", "from 8h30"])
def test_what_only_looks_like_a_fraction_is_none(said: str) -> None:
    assert not any(one.is_sure and one.value < 9 for one in numbers_in(normalise(said)))


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("log_hours_of_rest", "log ten hours and a half of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log 8h30 of rest for Tom", "hours", 8.5),
        ("log_hours_of_rest", "log 10½ hours of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log ten hours and a third of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8, 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log eight, nine hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8 or 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8 to 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "Tom rested 22h00 to 6h00", "hours", None),
        ("log_hours_of_rest", "log 8 hours 13 June for Tom", "hours", 8),
        ("log_hours_of_rest", "log 10 hours of rest for Tom", "hours", 10),
        ("correct_hours_of_rest", "Tom rested ten hours, not eight", "hours", 10),
        ("log_hours_of_rest", "log ten & a half hours of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log 10.5 and a half hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log ten hours minus half an hour for Tom", "hours", None),
        ("log_hours_of_rest", "log ten hours plus half an hour for Tom", "hours", None),
        ("log_hours_of_rest", "log two times 4 hours of rest for Tom", "hours", None),
        ("rate_paper", "give GPT-3 two out of five, too long and too vague", "rating", 2),
        ("order_part", "order four and a half oil filters", "quantity", None),
        ("order_part", "order 4 oil filters in half an hour", "quantity", 4),
        ("show_expiring_certificates", "what expires within a year and a half", "days", 548),
        ("show_expiring_certificates", "what expires in 6 months, 180 days", "days", 180),
        ("show_expiring_certificates", "what expires in half a year", "days", 183),
        ("remove_note", "the bilge pump one, six, remove that note", "number", 6),
        ("remove_note", "remove note number 3 from the bilge pump", "number", 3),
        ("update_running_hours", "hours of the port generator 1200 to 1350", "hours", None),
    ],
)
def test_a_fraction_fills_the_slot_that_has_its_unit(
    fill: Filling, action: str, text: str, slot: str, value: float | None
) -> None:
    assert fill(action, text).values.get(slot) == value
