"""Spans of the calendar with a first and a last day.

Their arithmetic, their start and end, and those counted from today ("last year", "since March", "3
years ago").
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from tools.nlu.lexicon.closed_classes import WEEKDAYS
from tools.nlu.search_query.lexicon import AMOUNT, WHOLE_AND_HALF, amount_of, month_number


@dataclass(frozen=True)
class CalendarSpan:
    """The days from `first` to `last`, both of them in it."""

    first: date
    last: date
    is_fine: bool = True
    """It was said more finely than by whole years."""

    def to(self, other: "CalendarSpan") -> "CalendarSpan":
        """Reach from the earlier of two stretches to the end of the later."""
        fine = self.is_fine or other.is_fine
        return CalendarSpan(min(self.first, other.first), max(self.last, other.last), fine)

    def touches(self, other: "CalendarSpan") -> bool:
        """Tell whether no day lies between two stretches."""
        gap = timedelta(days=1)
        return self.first <= other.last + gap and other.first <= self.last + gap


def year(number: int) -> CalendarSpan:
    """Give a year."""
    return CalendarSpan(date(number, 1, 1), date(number, 12, 31), is_fine=False)


def decade(first: int, part: str | None) -> CalendarSpan:
    """Give ten years, or the early (0 to 3), middle (4 to 6) or late (7 to 9) ones of them."""
    begin, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get(part or "", (0, 9))
    return year(first + begin).to(year(first + end))


def half(number: int, which: int) -> CalendarSpan:
    """Give the first or second half of a year."""
    return quarter(number, 2 * which - 1).to(quarter(number, 2 * which))


def quarter(number: int, which: int) -> CalendarSpan:
    """Give a quarter of a year."""
    return month(number, 3 * which - 2).to(month(number, 3 * which))


def month(number: int, which: int) -> CalendarSpan:
    """Give a month of a year."""
    after = date(number + which // 12, which % 12 + 1, 1)
    return CalendarSpan(date(number, which, 1), after - timedelta(days=1))


def days(number: int, which: int, day: int) -> CalendarSpan | None:
    """Give a day as a stretch; None: there is no such day."""
    try:
        only = date(number, which, day)
    except ValueError:
        return None
    return CalendarSpan(only, only)


def months_back(today: date, months: int) -> date:
    """Go back by months; a day the month does not have becomes its last one."""
    number = today.year * 12 + today.month - 1 - months
    whole = month(number // 12, number % 12 + 1)
    return whole.first.replace(day=min(today.day, whole.last.day))


LONGEST_YEARS = 150
"""No journal is much older; beyond, a number of years is a slip."""
UNIT = "(years?|yrs?|y|months?|mos?|weeks?|quarters?|decades?|centur(?:y|ies)|days?)"


def years_of(size: float, unit: str) -> float:
    """Give the years of so many years, decades or centuries; 0 for any smaller unit."""
    return size * {"y": 1, "dec": 10, "cen": 100}.get(unit[:3] if unit[0] in "dc" else unit[0], 0)


def day_back(size: float, unit: str, today: date) -> date | None:
    """Go back from today by so many units; None: that is further than papers go."""
    if unit[:3] == "day" or unit[0] == "w":
        count = round(size * (7 if unit[0] == "w" else 1))
        return today - timedelta(days=count) if count <= LONGEST_YEARS * 365 else None
    months = {"m": size, "q": 3 * size}.get(unit[0], 12 * years_of(size, unit))
    return months_back(today, round(months)) if 1 <= months <= LONGEST_YEARS * 12 else None


def unit_of(day: date, unit: str) -> CalendarSpan:
    """Give the year, month, week or day that a day is in; of longer units the year."""
    if years_of(1, unit):
        return year(day.year)
    if unit[0] in "mq":
        return month(day.year, day.month)
    if unit[0] == "w":
        monday = day - timedelta(days=day.weekday())
        return CalendarSpan(monday, monday + timedelta(days=6))
    return days(day.year, day.month, day.day) or year(day.year)


_REACH = 60
"""Characters before a piece that may hold them."""
_START = "(?:start|beginning)"
_BOTH = f"{_START} (?:to|and|until|till|through) (?:the )?end"
_EDGE = re.compile(
    rf"(?<![\w-])(?:the )?(?:very )?(?:(?P<both>{_BOTH})|(?P<start>{_START})|(?P<end>end)"
    r"|middle|course) of (?:the )?(?:year )?$"
)


@dataclass(frozen=True)
class Edge:
    """A day of a piece, or all of it where more than a day was said."""

    start: int
    """Where its words begin in the text."""
    stretch: CalendarSpan
    is_both: bool
    """From the start to the end."""


def edge_before(text: str, end: int, whole: CalendarSpan) -> Edge | None:
    """Find what is said of a piece that begins at `end` of the text; None: nothing is."""
    match = _EDGE.search(text, max(0, end - _REACH), end)
    if match is None:
        return None
    day = whole.first if match["start"] else whole.last if match["end"] else None
    stretch = CalendarSpan(day, day) if day else whole
    return Edge(match.start(), stretch, is_both=match["both"] is not None)


AGO = rf"(?:about )?({WHOLE_AND_HALF}|an?) {UNIT} (?:ago|back)"
AGO_SPAN = rf"({AMOUNT}) ?(?:-|to|and|or) ?({WHOLE_AND_HALF}) {UNIT} (?:ago|back)"


def this_or_last(match: re.Match[str], today: date) -> CalendarSpan | None:
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
        return CalendarSpan(monday, monday + timedelta(days=6))
    size = 1 if unit == "month" else 3
    number = today.year * 12 + today.month - 1
    number = number - number % size - steps * size
    whole = month(number // 12, number % 12 + 1)
    return whole if size == 1 else quarter(number // 12, number % 12 // 3 + 1)


def now(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `now` and `today`: the end of a range."""
    return CalendarSpan(today, today, is_fine=False)


def yesterday(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `yesterday`."""
    before = today - timedelta(days=1)
    return CalendarSpan(before, before)


def weekday(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read a day of the week: the last one before today."""
    back = (today.weekday() - WEEKDAYS.index(match[1]) - 1) % 7 + 1
    return CalendarSpan(today - timedelta(days=back), today - timedelta(days=back))


def month_day(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `March 3`: the last one that has been."""
    return _last_such_day(month_number(match[1]), match[2], today)


def day_month(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `3 March`: the last one that has been."""
    return _last_such_day(month_number(match[2]), match[1], today)


def _last_such_day(which: int, written: str, today: date) -> CalendarSpan | None:
    """Give a day of a month without its year: the last one that has been."""
    day = int(re.sub(r"\D", "", written))
    this_year = days(today.year, which, day)
    has_been = this_year is not None and this_year.first <= today
    return this_year if has_been else days(today.year - 1, which, day)


def bare_month(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read a month: the last one that has begun."""
    number = month_number(match[1])
    return month(today.year if number <= today.month else today.year - 1, number)


def ago(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `three years ago` as that day; the year it is in is the point's whole."""
    size = 1 if match[1] in ("a", "an") else amount_of(match[1])
    day = day_back(size, match[2], today)
    return CalendarSpan(day, day) if day else None


def ago_span(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `ten to five years ago`, of years each that it touches."""
    first, last = (day_back(amount_of(match[which]), match[3], today) for which in (1, 2))
    if not first or not last:
        return None
    if years_of(1, match[3]):
        return year(first.year).to(year(last.year))
    return CalendarSpan(first, first).to(CalendarSpan(last, last))
