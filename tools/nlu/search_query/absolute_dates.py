"""Parse dates that a text writes out.

Days, months, years in words, quarters, seasons, holidays, fiscal years and odd formats. Each parser
returns a span of the calendar, or None if no date fits.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

from tools.nlu.lexicon.closed_classes import CARDINALS, TENS
from tools.nlu.search_query.calendar_spans import CalendarSpan, days, half, month, quarter, year
from tools.nlu.search_query.lexicon import (
    AMOUNT,
    END,
    MONTH,
    amount_of,
    any_of,
    month_number,
)

_DIGIT = any_of(*CARDINALS[:9])
_TENS = rf"{any_of(*TENS)}(?:[- ]{_DIGIT})?"
_TEEN = any_of(*CARDINALS[9:])
_HUNDREDS = {"eighteen": 18, "nineteen": 19, "twenty": 20}
SPOKEN_YEAR = any_of(
    rf"{any_of(*_HUNDREDS)}[- ](?:(?:oh|o)[- ]{_DIGIT}|hundred|{_TENS}|{_TEEN})",
    rf"two[- ]thousand(?:(?: and)?[- ](?:{_TENS}|{_TEEN}|{_DIGIT}))?",
)
SHORT_YEAR = r"'(\d\d)"


def spoken_year(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read a year that is written as it is spoken."""
    first, *rest = match[0].replace("-", " ").split()
    rest = [word for word in rest if word not in ("thousand", "and", "oh", "o", "hundred")]
    ending = int(amount_of(" ".join(rest))) if rest else 0
    return year(_HUNDREDS.get(first, 20) * 100 + ending)


def short_year(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `'19` as the last year that ends so."""
    return year(last_ending(int(match[1]), today))


def last_ending(digits: int, today: date) -> int:
    """Give the last year with these two digits."""
    number = digits + today.year - today.year % 100
    return number if number <= today.year else number - 100


Builder = Callable[[re.Match[str], date], CalendarSpan | None]

HUNDREDS = "(?:1[89]|20)"
YEAR = rf"{HUNDREDS}\d\d"
NEAR_YEAR = r"(?:the )?(?:this|current|last|previous|past) year"
"""`The last year` by itself is a window that ends today; of what has parts it is the one before."""
THE_YEAR = r"(?<=of )the year(?! (?:\d|of|when|that|before|after))"
Y_OR_THIS = f"(?:(?<=of )the year )?({YEAR}|{NEAR_YEAR}|{THE_YEAR})"
_OF_YEAR = f"(?: of|,)? {Y_OR_THIS}"
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}
_ORDINALS |= {"4th": 4, "last": 4, "final": 4, "latter": 4}
_ORDINAL = f"({'|'.join(_ORDINALS)})"
_TO = "(?:-| ?/ ?| to | and | or | through | until )"
_SEASON = "(?:spring|summer|autumn|fall|winter)"
_SEASONS = rf"(?:{_SEASON}{_TO}(?:the )?)?{_SEASON}"


def year_of(said: str, today: date) -> int:
    """Say which year `2021`, `this year`, `the year` and `the previous year` are."""
    if said.isdigit():
        return int(said)
    is_before = said.removeprefix("the ").startswith(("last", "previous", "past"))
    return today.year - 1 if is_before else today.year


def _quarter(match: re.Match[str], today: date) -> CalendarSpan | None:
    return quarter(year_of(match[2], today), int(match[1]))


def _quarters(match: re.Match[str], today: date) -> CalendarSpan | None:
    of = year_of(match[3], today)
    return quarter(of, int(match[1])).to(quarter(of, int(match[2])))


def _year_quarter(match: re.Match[str], today: date) -> CalendarSpan | None:
    return quarter(year_of(match[1], today), int(match[2]))


def _half(match: re.Match[str], today: date) -> CalendarSpan | None:
    return half(year_of(match[2], today), int(match[1]))


def _year_half(match: re.Match[str], today: date) -> CalendarSpan | None:
    return half(year_of(match[1], today), int(match[2]))


def _ordinal(match: re.Match[str], today: date) -> CalendarSpan | None:
    return _counted(match[1], match[2], year_of(match[3], today))


def _year_ordinal(match: re.Match[str], today: date) -> CalendarSpan | None:
    return _counted(match[2], match[3], year_of(match[1], today))


def _ordinals(match: re.Match[str], today: date) -> CalendarSpan | None:
    of = year_of(match[4], today)
    first, last = _counted(match[1], match[3], of), _counted(match[2], match[3], of)
    return first.to(last) if first and last else None


def _counted(ordinal: str, unit: str, of: int) -> CalendarSpan | None:
    place = _ORDINALS[ordinal]
    if unit.startswith("quarter"):
        return quarter(of, place) if ordinal != "latter" else None
    return half(of, min(place, 2)) if place != 3 else None


def _some(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `the first two quarters of 2024` and `the last weeks of last year`."""
    count = int(amount_of(match[2] or ("few" if match[3].endswith("s") else "one")))
    whole = year(year_of(match[4], today))
    if match[3].startswith(("week", "day")):
        length = timedelta(days=count * (7 if match[3].startswith("week") else 1))
        if not timedelta() < length <= timedelta(days=365):
            return None
        if match[1] == "first":
            return CalendarSpan(whole.first, whole.first + length - timedelta(days=1))
        return CalendarSpan(whole.last - length + timedelta(days=1), whole.last)
    months = count * (3 if match[3].startswith("quarter") else 1)
    if not 1 <= months <= 12:
        return None
    if match[1] == "first":
        return month(whole.first.year, 1).to(month(whole.first.year, months))
    return month(whole.first.year, 13 - months).to(month(whole.first.year, 12))


def _year(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Take the whole year: when it is summer depends on where, and few papers tell a month."""
    return year(year_of(match[1], today))


PARTS: tuple[tuple[str, str, Builder], ...] = (
    ("quarters", rf"q([1-4]) ?(?:-|to|and|through) ?q([1-4])(?: of)?[ -/]?{Y_OR_THIS}", _quarters),
    ("quarter", rf"q([1-4])(?: of)?[ -/]?{Y_OR_THIS}", _quarter),
    ("count_quarter", rf"([1-4])q(?: of)?[ -/]?{Y_OR_THIS}", _quarter),
    ("year_quarter", rf"{Y_OR_THIS}(?:'s)?[ -/]?q([1-4])", _year_quarter),
    ("halves", rf"h1{_TO}h2(?: of)?[ -/]?{Y_OR_THIS}", _year),
    ("half", rf"h([12])(?: of)?[ -/]?{Y_OR_THIS}", _half),
    ("count_half", rf"([12])h(?: of)?[ -/]?{Y_OR_THIS}", _half),
    ("year_half", rf"({NEAR_YEAR})(?:'s)? h([12])", _year_half),
    ("ordinals", rf"(?:the )?{_ORDINAL}{_TO}(?:the )?{_ORDINAL} (quarter|hal(?:f|ve))s?{_OF_YEAR}",
     _ordinals),
    ("ordinal", rf"(?:the )?{_ORDINAL} (quarter|half)(?:[- ]year)?{_OF_YEAR}", _ordinal),
    ("year_ordinal", rf"{Y_OR_THIS}'s {_ORDINAL} (quarter|half)", _year_ordinal),
    ("some", (rf"(?:the )?(first|last|final) (?:({AMOUNT}) )?(quarters|months?|weeks?|days?)"
    rf"{_OF_YEAR}"), _some),
    ("seasons", rf"{_SEASON}{_TO}(?:the )?{_SEASON}(?: of|,)? {Y_OR_THIS}", _year),
    ("season", rf"(?:(?:early|late|mid)[- ]|{_SEASON}(?: of|,)? ){Y_OR_THIS}", _year),
    ("later", rf"(?:earl(?:y|ier)|later?) in {Y_OR_THIS}", _year),
    ("sooner", rf"(?:earlier|later) ({NEAR_YEAR})", _year),
    ("year_season", rf"{Y_OR_THIS}'s {_SEASONS}", _year),
)  # fmt: skip
"""By kind, before points that are a part of them; the first that fits counts."""
PART_KINDS = frozenset(kind for kind, _pattern, _build in PARTS)
SEASONS = frozenset({"seasons", "season", "year_season", "later", "sooner"})
"""Kinds that are given as the whole year."""


MONTH_SHORT_YEAR = rf"({MONTH}) ?{SHORT_YEAR}"


def iso_day(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `2020-05-06`."""
    return days(int(match[1]), int(match[2]), int(match[3]))


def dotted_day(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `6.5.2020`."""
    return days(int(match[3]), int(match[2]), int(match[1]))


def written_day(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `6 May 2020`."""
    return days(int(match[3]), month_number(match[2]), int(re.sub(r"\D", "", match[1])))


def american_day(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `May 6, 2020`."""
    return days(int(match[3]), month_number(match[1]), int(re.sub(r"\D", "", match[2])))


def month_span(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `March to May 2020`; of March and January the first is of the year before."""
    first, last = month_number(match[1]), month_number(match[2])
    ended = year_of(match[3], today)
    began = ended - 1 if first > last else ended
    return month(began, first).to(month(ended, last))


def month_year(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `May 2020`."""
    return month(year_of(match[2], today), month_number(match[1]))


def iso_month(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `2020-05`."""
    number = int(match[2])
    return month(int(match[1]), number) if 1 <= number <= 12 else None


def american_month(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `5/2020`."""
    number = int(match[1])
    return month(int(match[2]), number) if 1 <= number <= 12 else None


def month_short_year(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read `Nov '25`."""
    return month(last_ending(int(match[2]), today), month_number(match[1]))


ODD_DATE = any_of(
    rf"({YEAR})/(\d{{1,2}})/(\d{{1,2}})",
    rf"(\d{{1,2}})[-/.](\d{{1,2}})[-/.]({YEAR})",
    rf"({YEAR})[-/](\d{{1,2}})",
    rf"({YEAR})-(\d{{1,2}})-(\d{{1,2}})",
)
_AS_NAMED = frozenset({"unread_time", "unread_season", "unread_days"})
_DATES = frozenset({
    "iso_day", "dotted_day", "written_day", "american_day", "iso_month", "american_month",
    "short_span", "odd_date", "fiscal",
})  # fmt: skip


def unread_kind(kind: str) -> str | None:
    """Name the kind of what could not be read and is a time all the same; None: it is none."""
    return kind if kind in _AS_NAMED else "unread" if kind in _DATES else None


def odd_date(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read a day that can be but one: 15/06/2021, and neither 01/06/2021 nor 2024-13."""
    if match[1]:
        return days(int(match[1]), int(match[2]), int(match[3]))
    if match[6]:
        first, second, of = int(match[4]), int(match[5]), int(match[6])
        if first > 12 or first == second:
            return days(of, second, first)
        return days(of, first, second) if second > 12 else None
    if match[7]:
        which = int(match[8])
        return month(int(match[7]), which) if len(match[8]) == 1 and which else None
    return None


_FIXED = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14),
}  # fmt: skip
_NAME = f"({'|'.join(_FIXED)})"
HOLIDAY = any_of(rf"last {_NAME}", rf"{_NAME},? (?:of )?((?:19|20)\d\d)")
BARE_HOLIDAY = _NAME
_MOVING = any_of(
    "easter", "thanksgiving", "ramadan", "eid", "diwali", "hanukkah", "passover", "lent",
    "pentecost", "carnival",
)  # fmt: skip
UNREAD_TIME = any_of(
    rf"last {_MOVING}",
    rf"{_MOVING} (?:19|20)\d\d",
    r"(?:(?:our|my|your) )?last [a-z]+"
    r"(?=\s*(?:[,.;:!?)]|$)|\s+(?:on|about|by|in|at|please|only|from|with)\b)",
)
"""Times that stand nowhere in a calendar of ours: last Easter, last semester, last time."""


def holiday(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Give the day in its year, or the last one that has been."""
    name = match[1] or match[2]
    if match[3]:
        return days(int(match[3]), *_FIXED[name])
    return _last(name, today)


def bare_holiday(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Give the last such day that has been."""
    return _last(match[1], today)


def _last(name: str, today: date) -> CalendarSpan | None:
    this_year = days(today.year, *_FIXED[name])
    has_been = this_year is not None and this_year.first <= today
    return this_year if has_been else days(today.year - 1, *_FIXED[name])


_UNTIL = any_of(
    "(?:up )?to", "up until", "until", "through", "end(?:ing|ed)(?: in| on| with)?",
    "leading (?:up )?to",
)  # fmt: skip
_MOST_MONTHS = 12 * 200
MONTHS_TO = (
    rf"(?:the |these )?(?:({AMOUNT}) )?(years?|months?|quarters?) {_UNTIL} (?:the end of )?"
    rf"(?:({MONTH}) (?:of )?)?({YEAR})"
)
FISCAL = (
    r"(?:the )?(?:fy|(?:fiscal|financial|academic|school|tax)(?: year)?) ?'?\d\d(?:\d\d)?"
    r"(?:[-/]\d\d(?:\d\d)?)?"
)
_BEHIND = rf"(?:{END}|(?= (?:on|about|by|please|only|with|and|or)\b))"
UNREAD_SEASON = (
    rf"(?:last|this|this past|the last|the past) (?:spring|summer|autumn|fall|winter){_BEHIND}"
)
UNREAD_DAYS = rf"(?:(?:the|last|this|this past) weekend|the other day){_BEHIND}"
_ON = re.compile(r"\b(?:on|about|of|regarding|than|and|or|to) $")
_OF_DAYS = frozenset({"since", "until", "from", "after", "before"})


def months_to(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read so many months or years that end with a month or a year."""
    size = {"y": 12, "m": 1, "q": 3}[match[2][0]]
    count = int(amount_of(match[1] or "one") * size)
    if not 1 <= count <= _MOST_MONTHS or (match[1] is None and match[2].endswith("s")):
        return None
    if match[3] is None and count % 12 == 0:
        return year(int(match[4]) - count // 12 + 1).to(year(int(match[4])))
    end = month(int(match[4]), month_number(match[3]) if match[3] else 12)
    first = end.first.year * 12 + end.first.month - count
    return month(first // 12, first % 12 + 1).to(end)


def is_said_of_papers(text: str, kind: str, name: str | None, start: int) -> bool:
    """Tell whether a time that cannot be read is one of the papers, by the word it hangs on."""
    if kind == "unread_days":
        return name in _OF_DAYS
    if kind == "unread_season" and name is None:
        return _ON.search(text, max(0, start - 20), start) is None
    if kind == "unread_time":
        return name in ("since", "until")
    return name is not None
