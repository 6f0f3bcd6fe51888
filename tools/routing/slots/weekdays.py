"""Days that are told by their place in the week or the month: `by Friday`, `end of next month`."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from tools.routing.slots.shifts import Span
from tools.routing.words.normalise import Normal

_WEEK = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_DAY = rf"(?P<day>{'|'.join(_WEEK)})day(?![\w-])"
_NO_DATE = r"(?! \d| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
_TO_COME = re.compile(
    r"(?<![\w-])(?:(?:by|due(?: on| by)?|(?:no|not) later than)(?: the| this)?(?: coming)?"
    rf"|this(?: coming)?|(?:the )?coming) {_DAY}{_NO_DATE}"
)
_GONE_BY = re.compile(rf"(?<![\w-])(?:since|last|this past)(?: last)? {_DAY}{_NO_DATE}")
_END = re.compile(
    r"(?<![\w-])(?:(?:by|due|at) )?(?:the )?end of (?:the |this )?(?P<next>next )?"
    r"(?P<unit>week|month|year)(?![\w-])"
)


def weekdays_in(normal: Normal, today: date) -> Iterator[Span]:
    """Read the days that are said with a direction: to come, or gone by.

    `On Friday`, `next Friday` and `Friday` alone are none: people mean either week, or either
    direction, by them. A week ends on Sunday; said on a Friday, `by Friday` is today. Gone by are
    those before `today`.
    """
    for found in _TO_COME.finditer(normal.text):
        ahead = (_WEEK.index(found["day"]) - today.weekday()) % 7
        yield _span(normal, found, today + timedelta(days=ahead))
    for found in _GONE_BY.finditer(normal.text):
        behind = (today.weekday() - _WEEK.index(found["day"]) - 1) % 7 + 1
        yield _span(normal, found, today - timedelta(days=behind))
    for found in _END.finditer(normal.text):
        yield _span(normal, found, _end(today, found["unit"], is_next=found["next"] is not None))


def _end(today: date, unit: str, *, is_next: bool) -> date:
    if unit == "week":
        return today + timedelta(days=6 - today.weekday() + 7 * is_next)
    if unit == "year":
        return date(today.year + is_next, 12, 31)
    year, month = divmod(today.year * 12 + today.month - 1 + is_next, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def _span(normal: Normal, found: re.Match[str], day: date) -> Span:
    inside = [
        place
        for place, token in enumerate(normal.tokens)
        if found.start() <= token.start < found.end()
    ]
    return Span(day.isoformat(), inside[0], inside[-1] + 1)
