"""Pieces of the calendar that a text names: a day, a month, a quarter, a year, a decade."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from tools.search_fields.calendar import Stretch, days, decade, half, month, quarter, year
from tools.search_fields.recent_points import (
    WEEKDAYS,
    bare_month,
    day_month,
    month_day,
    now,
    this_or_last,
    weekday,
    yesterday,
)
from tools.search_fields.words import MONTH, any_of, month_number

_HUNDREDS = "(?:1[89]|20)"
_YEAR = rf"{_HUNDREDS}\d\d"
_FAR_YEAR = r"(?:2[1-9]|[3-9]\d)\d\d"
"""One that no paper has; `since 3020` is no topic for all that."""
_BEFORE = r"(?:(?<![\w.:/@#$€£'-])|(?<=pre-)|(?<=post-)|(?<=mid-)|(?<=since-)|(?<=year:))"
_AFTER = r"(?!\w|[%°]|[-./:,]\d|-[a-z]|'\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}
_ORDINALS |= {"4th": 4, "last": 4}
_ORDINAL = f"(?:{'|'.join(_ORDINALS)})"
_NAMED_DECADES = {
    "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970,
    "eighties": 1980, "nineties": 1990, "noughties": 2000,
}  # fmt: skip
_SHORT = r"(?:'|the |(?<=early )|(?<=late )|(?<=mid )|(?<=[ey]-)|(?<=mid-))[3-9]0'?s"
_DECADE = any_of(rf"{_HUNDREDS}\d0'?s", _SHORT, *_NAMED_DECADES)

Builder = Callable[[re.Match[str], date], Stretch | None]


@dataclass(frozen=True)
class Point:
    """A stretch of the calendar, named at `start` to `end` of the text."""

    kind: str
    start: int
    end: int
    stretch: Stretch


MOST_POINTS = 20
"""A text that names more is a bibliography."""


def points_in(text: str, today: date) -> list[Point]:
    """Find what names a stretch of the calendar, in order; whether it is a filter is not said."""
    return list(islice(_points(text, today), MOST_POINTS))


def _points(text: str, today: date) -> Iterator[Point]:
    for match in _ANY.finditer(text):
        kind = str(match.lastgroup)
        pattern, build = _KINDS[kind]
        again = pattern.fullmatch(match[0])
        stretch = build(again, today) if again else None
        if stretch is not None:
            yield Point(kind, match.start(), match.end(), stretch)


def _iso_day(match: re.Match[str], today: date) -> Stretch | None:
    return days(int(match[1]), int(match[2]), int(match[3]))


def _dotted_day(match: re.Match[str], today: date) -> Stretch | None:
    return days(int(match[3]), int(match[2]), int(match[1]))


def _written_day(match: re.Match[str], today: date) -> Stretch | None:
    return days(int(match[3]), month_number(match[2]), int(re.sub(r"\D", "", match[1])))


def _american_day(match: re.Match[str], today: date) -> Stretch | None:
    return days(int(match[3]), month_number(match[1]), int(re.sub(r"\D", "", match[2])))


def _month_span(match: re.Match[str], today: date) -> Stretch | None:
    first, last = month_number(match[1]), month_number(match[2])
    ended = _year_of(match[3], today)
    began = ended - 1 if first > last else ended
    return month(began, first).to(month(ended, last))


def _month_year(match: re.Match[str], today: date) -> Stretch | None:
    return month(_year_of(match[2], today), month_number(match[1]))


def _iso_month(match: re.Match[str], today: date) -> Stretch | None:
    number = int(match[2])
    return month(int(match[1]), number) if 1 <= number <= 12 else None


def _american_month(match: re.Match[str], today: date) -> Stretch | None:
    number = int(match[1])
    return month(int(match[2]), number) if 1 <= number <= 12 else None


def _short_span(match: re.Match[str], today: date) -> Stretch | None:
    """Read 2015-18 and 2019/20; what could be a month, as in 2015-09, is read as one."""
    first, ending = int(match[1]), int(match[2])
    last = first - first % 100 + ending
    return year(first).to(year(last)) if last > first else None


def _span(match: re.Match[str], today: date) -> Stretch | None:
    first, last = sorted((int(match[1]), int(match[2])))
    return year(first).to(year(last))


def _span_to_now(match: re.Match[str], today: date) -> Stretch | None:
    first = int(match[1])
    return year(first).to(year(today.year)) if first <= today.year else None


def _quarter(match: re.Match[str], today: date) -> Stretch | None:
    return quarter(_year_of(match[2], today), int(match[1]))


def _quarters(match: re.Match[str], today: date) -> Stretch | None:
    of = _year_of(match[3], today)
    return quarter(of, int(match[1])).to(quarter(of, int(match[2])))


def _year_quarter(match: re.Match[str], today: date) -> Stretch | None:
    return quarter(int(match[1]), int(match[2]))


def _ordinal_quarter(match: re.Match[str], today: date) -> Stretch | None:
    return quarter(_year_of(match[2], today), _ORDINALS[match[1]])


def _half(match: re.Match[str], today: date) -> Stretch | None:
    return half(_year_of(match[2], today), int(match[1]))


def _ordinal_half(match: re.Match[str], today: date) -> Stretch | None:
    return half(_year_of(match[2], today), 1 if _ORDINALS[match[1]] == 1 else 2)


def _edge(match: re.Match[str], today: date) -> Stretch | None:
    named = today.year if match[2] == "the year" else int(match[2])
    if match[1] in ("middle", "course"):
        return year(named)
    at = date(named, 12, 31) if match[1] == "end" else date(named, 1, 1)
    return Stretch(at, at)


def _season(match: re.Match[str], today: date) -> Stretch | None:
    return year(int(match[1]))


def _decade(match: re.Match[str], today: date) -> Stretch | None:
    name = match[2].removeprefix("the ").strip("'").replace("'", "")
    first = _NAMED_DECADES.get(name)
    if first is None:
        digits = name.removesuffix("s")
        first = int(digits) if len(digits) == 4 else 1900 + int(digits)
    return decade(first, match[1])


def _century(match: re.Match[str], today: date) -> Stretch | None:
    number = int(match[1])
    return year((number - 1) * 100 + 1).to(year(number * 100)) if 18 <= number <= 21 else None


def _year(match: re.Match[str], today: date) -> Stretch | None:
    return year(int(match[1]))


def _year_of(said: str, today: date) -> int:
    """Say which year `2021`, `this year` and `the previous year` are."""
    if said.isdigit():
        return int(said)
    return today.year - (1 if said.removeprefix("the ").startswith(("last", "previous")) else 0)


_Y = f"({_YEAR})"
_Y_OR_THIS = f"({_YEAR}|(?:the )?(?:this|current|last|previous) year)"
_EARLY = r"(?:(early|mid|late)[- ](?:the )?)?"
_TABLE: tuple[tuple[str, str, Builder], ...] = (
    ("iso_day", rf"{_Y}-(\d{{1,2}})-(\d{{1,2}})", _iso_day),
    ("dotted_day", rf"(\d{{1,2}})\.(\d{{1,2}})\.{_Y}", _dotted_day),
    ("written_day", rf"({_DAY})(?: of)? ({MONTH}),? {_Y}", _written_day),
    ("american_day", rf"({MONTH}) ({_DAY})(?:,| of)? {_Y}", _american_day),
    ("month_span", (rf"({MONTH}) ?(?:-|to|until|till|through"
    rf"|and) ?({MONTH})(?: of)?,? {_Y_OR_THIS}"), _month_span),
    ("month_year", rf"({MONTH})(?: of|-)?,? ?{_Y_OR_THIS}", _month_year),
    ("quarters", rf"q([1-4]) ?(?:-|to|and|through) ?q([1-4])(?: of)?[ -/]?{_Y_OR_THIS}", _quarters),
    ("quarter", rf"q([1-4])(?: of)?[ -/]?{_Y_OR_THIS}", _quarter),
    ("count_quarter", rf"([1-4])q(?: of)?[ -/]?{_Y}", _quarter),
    ("year_quarter", rf"{_Y}[ -/]?q([1-4])", _year_quarter),
    ("ordinal_quarter", rf"(?:the )?({_ORDINAL}) quarter(?: of|,)? {_Y_OR_THIS}", _ordinal_quarter),
    ("half", rf"h([12])(?: of)?[ -/]?{_Y_OR_THIS}", _half),
    ("ordinal_half", rf"(?:the )?({_ORDINAL}) half(?: of|,)? {_Y_OR_THIS}", _ordinal_half),
    ("edge", rf"(?:the )?(start|beginning|end|middle|course) of ({_YEAR}|the year)", _edge),
    ("season", (rf"(?:(?:early|late|mid)[- ]|(?:spring|summer|autumn|fall"
    rf"|winter)(?: of)? ){_Y}"), _season),
    ("decade", rf"(?:the )?{_EARLY}({_DECADE})", _decade),
    ("century", r"(?:the )?(\d\d)(?:st|th) century", _century),
    ("span_to_now", rf"{_Y} ?- ?(?:the )?(?:present|now|today|current|date)", _span_to_now),
    ("span", rf"{_Y} ?(?:-|/|\.\.) ?{_Y}", _span),
    ("short_span", rf"{_Y}[-/](1[3-9]|[2-9]\d)", _short_span),
    ("iso_month", rf"{_Y}-(0[1-9]|1[0-2])", _iso_month),
    ("american_month", rf"(\d{{1,2}})/{_Y}", _american_month),
    ("relative", (r"(?:the )?(this|current|last|previous) (year|month|week|quarter|decade"
    r"|century)(?:'s)?"), this_or_last),
    ("now", r"(?:now|today|(?:the )?present(?: day)?|date)", now),
    ("yesterday", r"yesterday", yesterday),
    ("weekday", rf"(?:last )?({'|'.join(WEEKDAYS)})", weekday),
    ("month_day", rf"({MONTH}) (?:the )?({_DAY})", month_day),
    ("day_month", rf"(?:the )?({_DAY})(?: of)? ({MONTH})", day_month),
    ("bare_month", rf"(?:last )?({MONTH})", bare_month),
    ("year", _Y, _year),
    ("far_year", rf"({_FAR_YEAR})", _year),
)  # fmt: skip
_KINDS: Mapping[str, tuple[re.Pattern[str], Builder]] = {
    kind: (re.compile(pattern), build) for kind, pattern, build in _TABLE
}
_ANY = re.compile(
    _BEFORE
    + "(?:"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern, _ in _TABLE)
    + ")"
    + _AFTER
)
