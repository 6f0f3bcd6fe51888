"""Find what is written with digits: numbers, dates, times of day, years and decades."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, time
from typing import Any

from tools.nlu.values.calendar import day_stretch, decade, month
from tools.nlu.values.model import Num, Stretch, Time

Literal = tuple[str, int, int, Any]
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}


def _absolute(stretch: Stretch | None, grain: str = "day") -> Time:
    return Time((stretch,) if stretch else (), grain, is_absolute=True)


def _iso(found: re.Match[str], today: date) -> Any:
    return _absolute(day_stretch(int(found[1]), int(found[2]), int(found[3])))


def _year_last(found: re.Match[str], today: date) -> Any:
    """Read 15.6.2021 day first; with slashes and dashes half of the world reads the month first."""
    one, two, of = int(found[1]), int(found[3]), int(found[4])
    ways = [(two, one)] if found[2] == "." else [(two, one), (one, two)]
    days = dict.fromkeys(day_stretch(of, *way) for way in ways)
    return Time(tuple(sorted(day for day in days if day)), is_absolute=True)


def _short(found: re.Match[str], today: date) -> Any:
    """Read 5/12 or 5.12.: a day and a month, whichever is which, of no year."""
    one, two = int(found[1]), int(found[2])
    ways = {(two, one), (one, two)} if found[0][1:2] == "/" or "/" in found[0] else {(two, one)}
    days = {day for way in ways for of in (0, 1) if (day := day_stretch(today.year + of, *way))}
    return Time(tuple(sorted(days)))


def _iso_month(found: re.Match[str], today: date) -> Any:
    which = int(found[2])
    return _absolute(month(int(found[1]), which) if 1 <= which <= 12 else None, "month")


def _month_year(found: re.Match[str], today: date) -> Any:
    which = int(found[1])
    return _absolute(month(int(found[2]), which) if 1 <= which <= 12 else None, "month")


def _quarter(found: re.Match[str], today: date) -> Any:
    return int(found[1] or found[2])


def _decade(found: re.Match[str], today: date) -> Any:
    digits = int(found[1])
    return _absolute(decade(digits if digits > 100 else 1900 + digits), "decade")


def _clock(found: re.Match[str], today: date) -> Any:
    hour, minute = int(found[1]), int(found[2])
    return Time((), "clock", clocks=(time(0 if hour == 24 and minute == 0 else hour, minute),))


def _fraction(found: re.Match[str], today: date) -> tuple[int, int]:
    return int(found[1]), int(found[2])


def _number(found: re.Match[str], today: date) -> Any:
    return Num(float(found[0].replace(",", "")), "digits")


def _comma(found: re.Match[str], today: date) -> Any:
    return Num(float(found[0].replace(".", "").replace(",", ".")), "digits")


_Y = r"((?:1[0-9]|2[01])\d\d)"
_LITERALS: tuple[tuple[str, str, Callable[[re.Match[str], date], Any]], ...] = (
    ("date", rf"{_Y}[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?![-/.]?\d)", _iso),
    ("date", rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2{_Y}(?!\d)", _year_last),
    ("shortdate", r"(\d{1,2})/(\d{1,2})(?:/\d\d)?(?![\d/])", _short),
    ("shortdate", r"(\d{1,2})\.(\d{1,2})\.(?:\d\d)?(?![\d/])", _short),
    ("stretch", rf"{_Y}-(\d{{1,2}})(?![-/\d])", _iso_month),
    ("stretch", rf"(\d{{1,2}})/{_Y}(?![-\d/])", _month_year),
    ("quarternumber", r"q([1-4])|([1-4])q", _quarter),
    ("halfnumber", r"h([12])|([12])h", _quarter),
    ("stretch", r"(?:the )?(\d{3}0|(?<=')[2-9]0|[3-9]0)'?s(?!\w)", _decade),
    ("clock", r"([01]?\d|2[0-4]):([0-5]\d)(?![:.]?\d)", _clock),
    ("dotclock", r"([01]?\d|2[0-4])\.([0-5]\d)(?![:.]?\d)", _clock),
    ("clock", r"([01]?\d|2[0-3])h([0-5]\d)(?!\d)", _clock),
    ("year", r"((?:1[0-9]|2[01])\d\d)(?!\d)", lambda found, _today: int(found[1])),
    ("faryear", r"((?:2[2-9]|[3-9]\d)\d\d)(?!\d)", lambda found, _today: int(found[1])),
    ("year", r"'(\d\d)(?!\d)", lambda found, today: _recent(int(found[1]), today)),
    ("number", r"\d{1,3}(?:,\d{3})+(?![,\d])(?:\.\d+)?|\d{1,12}(?:\.\d{1,6})?(?!\.?\d)", _number),
    ("part", f"[{''.join(_VULGAR)}]", lambda found, _today: Num(_VULGAR[found[0]])),
    (
        "fraction",
        r"(\d{1,4})[/⁄]([1-9]\d{0,3})(?![/\d])",
        lambda found, _today: (int(found[1]), int(found[2])),
    ),
    ("nth", r"(\d{1,3})(?:st|nd|rd|th)(?!\w)", lambda found, _today: int(found[1])),
)
_FREE = r"(?:(?<!\d)|(?=\D))"
_COMMA = (
    "number", r"\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![.,]?\d)|\d{1,12}(?:,\d{1,6})?(?![.,]?\d)", _comma
)  # fmt: skip
_NTH = ("nth", r"(\d{1,3})\.(?!\d)", lambda found, _today: int(found[1]))
_PATTERNS = {
    "en": [(kind, re.compile(rf"{_FREE}(?:{pattern})"), make) for kind, pattern, make in _LITERALS],
    "de": [
        (kind, re.compile(rf"{_FREE}(?:{pattern})"), make)
        for kind, pattern, make in (*_LITERALS, _COMMA, _NTH)
        if make is not _number
    ],
}  # fmt: skip


def _recent(digits: int, today: date) -> int:
    """Give the last year that ends with two digits."""
    number = digits + today.year - today.year % 100
    return number if number <= today.year else number - 100


def literals_in(text: str, today: date, language: str) -> Iterator[Literal]:
    """Find the literals of a text, several readings of the same digits among them."""
    if not any(map(str.isnumeric, text)):
        return
    for kind, pattern, make in _PATTERNS.get(language, _PATTERNS["en"]):
        for found in pattern.finditer(text):
            with suppress(ValueError, OverflowError):
                yield kind, *found.span(), make(found, today)
