"""Days told by their place in the week or the month: `by Friday`, `the 19th`, `end of May`."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from tools.routing.slots.days.calendar_days import MONTH
from tools.routing.slots.days.said import Said, said_at
from tools.routing.slots.days.toward import Toward
from tools.routing.words.normalise import Normal

_WEEK = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
WEEKDAY = rf"(?:{'|'.join(_WEEK)})day"
"""Any day of the week, as a pattern."""
_DAY = rf"(?P<day>{'|'.join(_WEEK)})day(?![\w-])"
_NO_DATE = (
    rf"(?!,? (?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})(?!\w)|\d{{1,4}}[-./]\d{{1,2}}[-./]\d"
    rf"|the \d{{1,2}}(?:st|nd|rd|th)|(?:{MONTH}) (?:the )?\d))"
)
_TO_COME = re.compile(
    r"(?<![\w-])(?:(?:by|due(?: on| by)?|on or before|(?:no|not) later than)"
    r"(?: the| this)?(?: coming)?"
    rf"|this(?: coming)?|(?<!is )(?<!are )(?<!'s )(?<!'re )(?:the )?coming) {_DAY}{_NO_DATE}"
)
_GONE_BY = re.compile(rf"(?<![\w-])(?:since|last|this past)(?: last)? {_DAY}{_NO_DATE}")
_BARE = re.compile(rf"(?<![\w-])(?P<before>(?:to|until|till|but) (?:the )?)?{_DAY}{_NO_DATE}")
_OF_ANOTHER_WEEK = re.compile(
    r"(?<![\w-])(?:(?:the )?(?:next|every|each|following|first|second|third|other) )+"
    rf"{WEEKDAY}(?![\w-]){_NO_DATE}"
    rf"|(?<![\w-])(?:the )?{WEEKDAY}"
    r" (?:after (?:next|that)|but one|(?:of )?(?:this|next|the (?:following|coming)) week"
    r"|in (?:a|one|two|three) (?:weeks?|fortnight)|(?:after )?the week after"
    r"|\d{1,2}(?=$|[,;!?]|\.(?!\d)| (?:please|for|and|or)\b))(?![\w-])"
)
"""Two weeks to two people, or no single day."""
_SHORT = re.compile(
    r"(?<![\w-])(?P<before>on|by|due|for|to|until|till|since|last|next|this|or|and|but) "
    r"(?P<day>mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)(?![\w-])\.?"
    r"(?=$|[,;:!?)]|\.(?!\w)|\n| (?:please|pls|and|or|but|for|at|night|morning|evening|not)\b)"
)
_END = re.compile(
    r"(?<![\w-])(?:(?:by|due|at) )?(?:the )?end of (?:the |this )?(?P<next>next )?"
    r"(?P<unit>week|month|year)(?![\w-])"
)
_OF_MONTH = re.compile(
    r"(?<![\w-])(?P<before>(?:(?:on|by|until|till|to|due|since|from|for|of|but|or) )*)"
    r"(?P<the>the )?(?P<number>\d{1,2})(?:st|nd|rd|th)"
    r"(?: (?P<month>of (?:(?P<way>this|next|last) month|the month)))?(?=$|[^\w ]|\n"
    r"| (?:please|pls|thanks|for|at|in|with|and|or|but|to|as|was|is|not|instead|from)\b)"
)


def weekdays_in(normal: Normal, today: date, toward: Toward = Toward.UNKNOWN) -> Iterator[Said]:
    """Find the days of the week and the month, without a value where people mean two by them.

    `Next Friday` is none, as people mean either week by it; nor are `on Friday` and `Friday` alone,
    unless it is known on which side they lie and today is another day. A week ends on Sunday;
    said on a Friday, `by Friday` is today.
    """
    for found in _TO_COME.finditer(normal.text):
        start, end = found.span()
        value = _coming(today, _WEEK.index(found["day"]))
        yield said_at(normal, start, end, value, core=found.start("day"))
    for found in _GONE_BY.finditer(normal.text):
        start, end = found.span()
        value = _gone(today, _WEEK.index(found["day"]))
        yield said_at(normal, start, end, value, is_over=True)
    for found in _END.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), _end(today, found))
    for found in _OF_ANOTHER_WEEK.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _BARE.finditer(normal.text):
        told = _told_by(toward, today, found)
        yield said_at(normal, found.start("day"), found.end(), told, is_loose=True)
    for found in _SHORT.finditer(normal.text):
        yield said_at(
            normal, found.start("day"), found.end(), _short(toward, today, found), is_loose=True
        )
    for found in _OF_MONTH.finditer(normal.text):
        if found["before"] or found["the"] or found.end() == len(normal.text):
            told = _of_month(toward, today, found)
            yield said_at(normal, found.end("before"), found.end(), told, is_loose=True)


def _told_by(toward: Toward, today: date, found: re.Match[str]) -> date | None:
    weekday = _WEEK.index(found["day"])
    if weekday == today.weekday():
        return None
    if toward is Toward.BEHIND:
        return _gone(today, weekday)
    return _coming(today, weekday) if toward is Toward.AHEAD else None


def _short(toward: Toward, today: date, found: re.Match[str]) -> date | None:
    weekday, before = [day[:3] for day in _WEEK].index(found["day"][:3]), found["before"]
    if before in ("since", "last"):
        return _gone(today, weekday)
    if before in ("by", "due", "this"):
        return _coming(today, weekday)
    if before == "next" or weekday == today.weekday() or toward is Toward.UNKNOWN:
        return None
    return _gone(today, weekday) if toward is Toward.BEHIND else _coming(today, weekday)


def _coming(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _gone(today: date, weekday: int) -> date:
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def _of_month(toward: Toward, today: date, found: re.Match[str]) -> date | None:
    """Read `the 19th`: of what is to come the next one, of what was the last one."""
    number = int(found["number"])
    if found["way"] is not None:
        step = {"this": 0, "next": 1, "last": -1}[found["way"]]
        return _in_month(today, step, number)
    if toward is Toward.UNKNOWN:
        return None
    step = 1 if toward is Toward.AHEAD else -1
    for months in (0, step, 2 * step):
        day = _in_month(today, months, number)
        if day is not None and (day >= today if toward is Toward.AHEAD else day <= today):
            return day
    return None


def _in_month(today: date, months: int, number: int) -> date | None:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    is_day = 1 <= number <= monthrange(year, month + 1)[1]
    return date(year, month + 1, number) if is_day else None


def _end(today: date, found: re.Match[str]) -> date:
    is_next, unit = found["next"] is not None, found["unit"]
    if unit == "week":
        return today + timedelta(days=6 - today.weekday() + 7 * is_next)
    if unit == "year":
        return date(today.year + is_next, 12, 31)
    year, month = divmod(today.year * 12 + today.month - 1 + is_next, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])
