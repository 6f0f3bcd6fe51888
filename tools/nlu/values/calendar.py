"""Stretches of the calendar: days, weeks, months, quarters, halves, years and decades."""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from tools.nlu.values.model import Num, Side, Stretch, Time

DAY = timedelta(days=1)
MONTHS = {"month": 1, "quarter": 3, "halfyear": 6, "year": 12, "decade": 120, "century": 1200}
"""How many months a unit has."""
DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
"""How many days a unit has."""


def day_stretch(of: int, which: int, day: int) -> Stretch | None:
    """Give one day; None: no calendar has it."""
    try:
        return one_day(date(of, which, day))
    except ValueError:
        return None


def one_day(day: date) -> Stretch:
    """Give the stretch of one day."""
    return Stretch(day, day)


def year(of: int) -> Stretch:
    """Give a year."""
    return Stretch(date(of, 1, 1), date(of, 12, 31))


def month(of: int, which: int) -> Stretch:
    """Give a month; one below 1 or above 12 is of a year beside."""
    of, which = of + (which - 1) // 12, (which - 1) % 12 + 1
    return Stretch(date(of, which, 1), date(of, which, monthrange(of, which)[1]))


def months(of: int, first: int, count: int) -> Stretch:
    """Give so many months from one on."""
    return month(of, first).to(month(of, first + count - 1))


def quarter(of: int, which: int) -> Stretch:
    """Give a quarter of a year."""
    return months(of, 3 * which - 2, 3)


def half(of: int, which: int) -> Stretch:
    """Give a half of a year."""
    return months(of, 6 * which - 5, 6)


def decade(first: int, begin: int = 0, end: int = 9) -> Stretch:
    """Give ten years, or the ones of them from `begin` to `end`."""
    return year(first + begin).to(year(first + end))


def moved(day: date, count: float, unit: str) -> date:
    """Move a day by so many units; a day that the month lacks becomes its last one.

    Raises:
        ValueError: it lies outside the calendar.
    """
    if unit in DAYS:
        return day + timedelta(days=round(count * DAYS[unit]))
    total = day.year * 12 + day.month - 1 + round(count * MONTHS[unit])
    whole = month(total // 12, total % 12 + 1)
    return date(total // 12, total % 12 + 1, min(day.day, whole.last.day if whole.last else 28))


def unit_at(day: date, unit: str, away: int = 0) -> Stretch:
    """Give the week, month, quarter, year, … that a day is in, or the one so many away.

    A week begins on Monday, a weekend on Saturday.
    """
    if unit in ("day", "night"):
        return one_day(day + timedelta(days=away))
    if unit in ("week", "weekend", "fortnight"):
        monday = day - timedelta(days=day.weekday()) + timedelta(weeks=away)
        first = monday + 5 * DAY if unit == "weekend" else monday
        return Stretch(first, monday + (13 if unit == "fortnight" else 6) * DAY)
    size = MONTHS[unit]
    if size >= 120:  # a century begins with its first year: 2001
        shift = 1 if size == 1200 else 0
        first_year = (day.year - shift) // (size // 12) * (size // 12) + shift + away * size // 12
        return year(first_year).to(year(first_year + size // 12 - 1))
    number = day.year * 12 + day.month - 1
    number = number - number % size + away * size
    return months(number // 12, number % 12 + 1, size)


STEPS = {"this": 0, "next": 1, "last": -1, "previous": -1}
"""How many units a direction leads away from now."""


def side_of(away: float) -> Side:
    """Tell on which side of now a step of so many units leads."""
    return Side.BEHIND if away < 0 else Side.AHEAD if away > 0 else Side.OPEN


def on_day(day: date, away: int = 0, grain: str = "day") -> Time:
    """Give the time of one day, which lies so many steps from now."""
    return Time((one_day(day),), grain, side_of(away))


def gone(today: date, weekday: int) -> date:
    """Give the last such day before today."""
    return today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY


def coming(today: date, weekday: int) -> date:
    """Give the next such day, which may be today."""
    return today + (weekday - today.weekday()) % 7 * DAY


def day_number(said: Num | int) -> int:
    """Give the number of a day as it is written, in digits or as an ordinal; 0: it is none."""
    if isinstance(said, int):
        return said
    return int(said.value) if said.value.is_integer() and said.form == "digits" else 0


def around(of_year: Callable[[int], Stretch | None], today: date) -> tuple[Stretch, ...]:
    """Give the last and the next of what comes once a year; of what lasts, the one that began."""
    known = [one for away in range(-4, 5) if (one := of_year(today.year + away))]
    behind = [one for one in known if one.first and one.first <= today]
    ahead = [one for one in known if one.first and one.first >= today]
    return tuple(dict.fromkeys([*behind[-1:], *ahead[:1]]))
