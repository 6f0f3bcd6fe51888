"""Pieces of the calendar that are counted from today: last year, since March, on Monday."""

import re
from datetime import date, timedelta

from tools.search_fields.time.dates.stretches import Stretch, days, decade, month, quarter, year
from tools.search_fields.time.dates.units import UNIT, day_back, years_of
from tools.search_fields.words.amounts import AMOUNT, WHOLE_AND_HALF, amount_of
from tools.search_fields.words.months import month_number

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
AGO = rf"(?:about )?({WHOLE_AND_HALF}|an?) {UNIT} (?:ago|back)"
AGO_SPAN = rf"({AMOUNT}) ?(?:-|to|and|or) ?({WHOLE_AND_HALF}) {UNIT} (?:ago|back)"


def this_or_last(match: re.Match[str], today: date) -> Stretch | None:
    """Read `this year`, `last month`, `the previous decade`."""
    steps, unit = (0 if match[1] in ("this", "current") else 1), match[2]
    if unit == "year":
        return year(today.year - steps)
    if unit == "decade":
        return decade(today.year - today.year % 10 - 10 * steps, None)
    if unit == "century":
        first = today.year - (today.year - 1) % 100 - 100 * steps
        return year(first).to(year(first + 99))
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * steps)
        return Stretch(monday, monday + timedelta(days=6))
    size = 1 if unit == "month" else 3
    number = today.year * 12 + today.month - 1
    number = number - number % size - steps * size
    whole = month(number // 12, number % 12 + 1)
    return whole if size == 1 else quarter(number // 12, number % 12 // 3 + 1)


def now(match: re.Match[str], today: date) -> Stretch | None:
    """Read `now` and `today`: the end of a range."""
    return Stretch(today, today, is_fine=False)


def yesterday(match: re.Match[str], today: date) -> Stretch | None:
    """Read `yesterday`."""
    before = today - timedelta(days=1)
    return Stretch(before, before)


def weekday(match: re.Match[str], today: date) -> Stretch | None:
    """Read a day of the week: the last one before today."""
    back = (today.weekday() - WEEKDAYS.index(match[1]) - 1) % 7 + 1
    return Stretch(today - timedelta(days=back), today - timedelta(days=back))


def month_day(match: re.Match[str], today: date) -> Stretch | None:
    """Read `March 3`: the last one that has been."""
    return _last_such_day(month_number(match[1]), match[2], today)


def day_month(match: re.Match[str], today: date) -> Stretch | None:
    """Read `3 March`: the last one that has been."""
    return _last_such_day(month_number(match[2]), match[1], today)


def _last_such_day(which: int, written: str, today: date) -> Stretch | None:
    """Give a day of a month without its year: the last one that has been."""
    day = int(re.sub(r"\D", "", written))
    this_year = days(today.year, which, day)
    has_been = this_year is not None and this_year.first <= today
    return this_year if has_been else days(today.year - 1, which, day)


def bare_month(match: re.Match[str], today: date) -> Stretch | None:
    """Read a month: the last one that has begun."""
    number = month_number(match[1])
    return month(today.year if number <= today.month else today.year - 1, number)


def ago(match: re.Match[str], today: date) -> Stretch | None:
    """Read `three years ago` as that day; the year it is in is the point's whole."""
    size = 1 if match[1] in ("a", "an") else amount_of(match[1])
    day = day_back(size, match[2], today)
    return Stretch(day, day) if day else None


def ago_span(match: re.Match[str], today: date) -> Stretch | None:
    """Read `ten to five years ago`, of years each that it touches."""
    first, last = (day_back(amount_of(match[which]), match[3], today) for which in (1, 2))
    if not first or not last:
        return None
    if years_of(1, match[3]):
        return year(first.year).to(year(last.year))
    return Stretch(first, first).to(Stretch(last, last))
