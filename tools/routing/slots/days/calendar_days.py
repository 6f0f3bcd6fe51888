"""Days written by their date: 2026-02-07, `7 February 2026`, `the first of December`, 7.2.2026."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial

from tools.routing.slots.days.said import Said, said_at
from tools.routing.slots.days.toward import Toward
from tools.routing.words.calendar import MONTHS
from tools.routing.words.normalise import Normal
from tools.routing.words.ordinals import ORDINALS

_MONTH = {name: number for number, names in enumerate(MONTHS, start=1) for name in names}
MONTH = "|".join(sorted(_MONTH, key=len, reverse=True))
"""Any name of a month, as a pattern."""
_WORD = "|".join(sorted((one.replace(" ", "[ -]") for one in ORDINALS), key=len, reverse=True))
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\w-])"
_HALF_A_YEAR = 183
_YEAR_FIRST = re.compile(
    r"(?<![\w./-])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\w-])"
)
_YEAR_LAST = re.compile(
    r"(?<![\w./-])(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\w-])"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.,/-])(?:the )?(?:(?P<day>{_NUMBER})(?: day)?(?: of)?|(?P<word>{_WORD}) of)"
    rf" (?P<month>{MONTH})(?![\w-])\.?(?:,? {_YEAR})?"
)
_MONTH_DAY = re.compile(
    rf"(?<![\w-])(?P<month>{MONTH})\.? (?:the (?P<word>{_WORD})|(?:the )?(?P<day>{_NUMBER}))"
    rf"(?![\w./-]*\w)(?:,? {_YEAR})?"
)
_END_OF_MONTH = re.compile(
    rf"(?<![\w-])(?:by |due |at )?(?P<end>(?:the )?end of (?P<month>{MONTH})(?![\w-])(?: {_YEAR})?)"
)


def calendar_days(
    normal: Normal, today: date | None = None, toward: Toward = Toward.UNKNOWN
) -> Iterator[Said]:
    """Find days by their date; without a value those that no calendar has, or people read two ways.

    A day without its year is the one within half a year, where it is known on which side it lies.
    The dotted form has its day first wherever it is used. With slashes or dashes half of the
    world reads 12/05/2026 as another day than the other half does.
    """
    for found in _YEAR_FIRST.finditer(normal.text):
        value = _valid(int(found["year"]), int(found["month"]), int(found["day"]))
        yield said_at(normal, found.start(), found.end(), value)
    for found in _YEAR_LAST.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), _year_last(found))
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        for found in pattern.finditer(normal.text):
            day = partial(_valid, month=_MONTH[found["month"]], day=_day(found))
            value = day(int(found["year"])) if found["year"] else _nearest(day, today, toward)
            yield said_at(normal, found.start(), found.end(), value)
    for found in _END_OF_MONTH.finditer(normal.text):
        last = partial(_last_of, month=_MONTH[found["month"]])
        value = last(int(found["year"])) if found["year"] else _nearest(last, today, toward)
        yield said_at(normal, found.start(), found.end(), value, core=found.start("end"))


def _nearest(
    of_year: Callable[[int], date | None], today: date | None, toward: Toward
) -> date | None:
    """Choose the year of a day that was said without one; None: it is too far off to tell."""
    if today is None:
        return None
    least = 0 if toward is Toward.AHEAD else -_HALF_A_YEAR
    most = 0 if toward is Toward.BEHIND else _HALF_A_YEAR
    years = (of_year(today.year + step) for step in (-1, 0, 1))
    near = [day for day in years if day is not None and least <= (day - today).days <= most]
    return near[0] if len(near) == 1 else None


def _year_last(found: re.Match[str]) -> date | None:
    year, one, two = int(found["year"]), int(found["one"]), int(found["two"])
    if found["mark"] == ".":
        return _valid(year, two, one)
    days = {_valid(year, two, one), _valid(year, one, two)} - {None}
    return days.pop() if len(days) == 1 else None


def _day(found: re.Match[str]) -> int:
    if found["word"] is not None:
        return ORDINALS[found["word"].replace("-", " ")]
    return int(re.sub(r"\D", "", found["day"]))


def _last_of(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
