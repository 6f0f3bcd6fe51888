from datetime import date, timedelta

import pytest

from packs.vessel.hours_of_rest import RestDay, breaches, periods_in_words, read_periods
from state.errors import BadInput

FIRST = date(2026, 6, 1)


def record(*sheets: str) -> dict[date, RestDay]:
    return {FIRST + timedelta(days=n): read_periods(sheet) for n, sheet in enumerate(sheets)}


def sums(*hours: float) -> dict[date, RestDay]:
    return {FIRST + timedelta(days=n): RestDay(one) for n, one in enumerate(hours)}


def test_ten_hours_in_every_24_and_77_in_7_days_are_enough() -> None:
    assert breaches(record(*["00:00-06:00 13:00-18:00"] * 7)) == []
    assert breaches(record("00:00-06:00 13:00-17:00")) == []


def test_half_an_hour_less_than_ten_is_a_breach() -> None:
    (breach,) = breaches(record("00:00-06:00 13:00-16:30"))

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("01 00:00", 9.5)
    assert str(breach).startswith("9.5 h of rest in 24 hours from 2026-06-01 00:00")


def test_24_hours_count_from_any_minute_and_not_from_midnight() -> None:
    # 10 hours on either calendar day, and only 5 from seven to seven
    late = record("02:00-12:00", "07:00-12:00 19:00-24:00")

    (breach,) = breaches(late)

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("01 07:00", 5.0)


def test_a_day_that_is_not_on_record_is_not_held_against_anybody() -> None:
    both = record("02:00-12:00", "07:00-12:00 19:00-24:00")
    both[FIRST + timedelta(days=2)] = both.pop(FIRST + timedelta(days=1))

    assert breaches(both) == []


@pytest.mark.parametrize(
    ("hours", "found"), [((11.0,) * 7, []), ((11.0,) * 6 + (10.5,), [76.5]), ((10.0,) * 6, [])]
)
def test_77_hours_in_7_days_are_the_least(hours: tuple[float, ...], found: list[float]) -> None:
    assert [breach.hours for breach in breaches(sums(*hours))] == found


def test_a_day_of_which_only_the_sum_is_known_is_judged_by_itself() -> None:
    (breach,) = breaches(sums(12, 9, 12))

    assert (f"{breach.begins:%d %H:%M}", breach.hours) == ("02 00:00", 9)


def test_a_run_of_bad_days_is_told_once_by_its_worst() -> None:
    (breach,) = breaches(sums(*[10.5] * 6, 10.0, *[10.5] * 6))

    assert breach.hours == 73.0


@pytest.mark.parametrize(
    ("text", "hours", "written"),
    [
        ("22:00-06:00", 8.0, "00:00-06:00 22:00-24:00"),
        ("0600-1200 and 13.30 - 17.00", 9.5, "06:00-12:00 13:30-17:00"),
        ("00:00-24:00", 24.0, "00:00-24:00"),
        ("20:00 to 24:00, 0:00 until 6:30", 10.5, "00:00-06:30 20:00-24:00"),
    ],
)
def test_periods_are_read_as_people_write_them(text: str, hours: float, written: str) -> None:
    rest = read_periods(text)

    assert (rest.hours, periods_in_words(rest)) == (hours, written)


@pytest.mark.parametrize(
    "text",
    ["", "ten hours", "25:00-26:00", "24:30-06:00", "06:00-06:00", "00:00-06:00 05:00-09:00"],
)
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_periods(text)
