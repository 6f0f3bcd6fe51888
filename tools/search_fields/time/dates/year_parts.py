"""Parts of a year that a text names: a quarter, a half, a season, its first months."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from tools.search_fields.time.dates.stretches import Stretch, half, month, quarter, year
from tools.search_fields.words.amounts import AMOUNT, amount_of

Builder = Callable[[re.Match[str], date], Stretch | None]

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


def _quarter(match: re.Match[str], today: date) -> Stretch | None:
    return quarter(year_of(match[2], today), int(match[1]))


def _quarters(match: re.Match[str], today: date) -> Stretch | None:
    of = year_of(match[3], today)
    return quarter(of, int(match[1])).to(quarter(of, int(match[2])))


def _year_quarter(match: re.Match[str], today: date) -> Stretch | None:
    return quarter(year_of(match[1], today), int(match[2]))


def _half(match: re.Match[str], today: date) -> Stretch | None:
    return half(year_of(match[2], today), int(match[1]))


def _year_half(match: re.Match[str], today: date) -> Stretch | None:
    return half(year_of(match[1], today), int(match[2]))


def _ordinal(match: re.Match[str], today: date) -> Stretch | None:
    return _counted(match[1], match[2], year_of(match[3], today))


def _year_ordinal(match: re.Match[str], today: date) -> Stretch | None:
    return _counted(match[2], match[3], year_of(match[1], today))


def _ordinals(match: re.Match[str], today: date) -> Stretch | None:
    of = year_of(match[4], today)
    first, last = _counted(match[1], match[3], of), _counted(match[2], match[3], of)
    return first.to(last) if first and last else None


def _counted(ordinal: str, unit: str, of: int) -> Stretch | None:
    place = _ORDINALS[ordinal]
    if unit.startswith("quarter"):
        return quarter(of, place) if ordinal != "latter" else None
    return half(of, min(place, 2)) if place != 3 else None


def _some(match: re.Match[str], today: date) -> Stretch | None:
    """Read `the first two quarters of 2024` and `the last weeks of last year`."""
    count = int(amount_of(match[2] or ("few" if match[3].endswith("s") else "one")))
    whole = year(year_of(match[4], today))
    if match[3].startswith(("week", "day")):
        length = timedelta(days=count * (7 if match[3].startswith("week") else 1))
        if not timedelta() < length <= timedelta(days=365):
            return None
        if match[1] == "first":
            return Stretch(whole.first, whole.first + length - timedelta(days=1))
        return Stretch(whole.last - length + timedelta(days=1), whole.last)
    months = count * (3 if match[3].startswith("quarter") else 1)
    if not 1 <= months <= 12:
        return None
    if match[1] == "first":
        return month(whole.first.year, 1).to(month(whole.first.year, months))
    return month(whole.first.year, 13 - months).to(month(whole.first.year, 12))


def _year(match: re.Match[str], today: date) -> Stretch | None:
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
