"""Parse periods named in a question into ranges of days, such as "Q2 2024"."""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tools.nlu.lexicon.closed_classes import WEEKDAYS

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(
    f"{name[:3]}(?:{name[3:]}|{'t' if name == 'september' else ''}\\.?)" if name != "may" else name
    for name in _MONTHS
)
_YEAR = r"(?:19|20)\d\d"
_SEASONS = {"spring": (3, 3), "summer": (6, 3), "autumn": (9, 3), "fall": (9, 3), "winter": (12, 3)}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_OF = r"(?: of|,)? "
_SURE = (
    r"\d{4}-\d{2}-\d{2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH}),? {_YEAR}"
    rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}"
    rf"|(?:{_MONTH})(?: of)?[ ,]+{_YEAR}"
    rf"|q[1-4][ ,/-]+{_YEAR}|h[12][ ,/-]+{_YEAR}"
    rf"|(?:first|second|third|fourth|last) quarter{_OF}{_YEAR}"
    rf"|(?:first|second) half{_OF}{_YEAR}"
    rf"|(?:spring|summer|autumn|fall|winter)(?: of)? {_YEAR}"
)
"""Names a time wherever it stands; a year alone may be a port, and takes a preposition."""
_ANY = rf"(?:(?:the )?(?:{_SURE})|(?:the )?(?:year )?{_YEAR})"
_END = r"(?![\w-])"
_TWO = re.compile(
    rf"\b(?:between (?P<start>{_ANY}|(?:{_MONTH})) and (?P<end>{_ANY})"
    rf"|from (?P<start2>{_ANY}|(?:{_MONTH})) (?:to|until|till|through) (?P<end2>{_ANY})"
    rf"|(?:in |during )?(?P<start3>{_SURE}) and (?P<end3>{_SURE})){_END}",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"\b(?:(?:(?P<before>before|until|prior to|up to)|(?P<after>since|after|from)"
    rf"|in|during|of|on|throughout) (?P<any>{_ANY})|(?P<sure>{_SURE})){_END}",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\b(?:early|late|mid|middle|end|beginning|start)[ -]$", re.IGNORECASE)
"""Before a time, it means a part of it that has no dates."""


class Period(NamedTuple):
    """A span of whole days; None: open on that side."""

    since: datetime | None
    until: datetime | None


class NamedPeriod(NamedTuple):
    """A period, and where it is named in the text."""

    period: Period
    start: int
    end: int


def named_period(text: str) -> NamedPeriod | None:
    """Find the first time that a text names outright; dates there are none of are no times."""
    for found in _TWO.finditer(text):
        pair = [found[name] for name in found.groupdict() if found[name]]
        if period := _from_to(*pair):
            return NamedPeriod(period, *found.span())
    for found in _ONE.finditer(text):
        written = found["any"] or found["sure"]
        whole = None if _VAGUE.search(text[: found.start()]) else _of(written)
        if whole is None:
            continue
        side = found["before"] or found["after"] or ""
        return NamedPeriod(on_side(side, whole), *found.span())
    return None


def on_side(word: str, whole: Period) -> Period:
    """Give what a word before a time leaves: before it, since it began, after it is over."""
    match word.lower():
        case "":
            return whole
        case "since" | "from":
            return Period(whole.since, None)
        case "after":
            return Period(whole.until, None)
    return Period(None, whole.since)


def months(year: int, first: int, count: int) -> Period:
    """Span months; months below 1 or beyond 12 are those of the years beside."""

    def start(month: int) -> datetime:
        return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=UTC)

    return Period(start(first), start(first + count))


def season(year: int, name: str) -> Period:
    """Span a season; a winter is named by the year in which it begins."""
    return months(year, *_SEASONS[name.lower()])


def is_calendar(word: str) -> bool:
    """Tell whether a word is a day of the week, a month or a season."""
    return word.lower().rstrip("s") in (*_MONTHS, *WEEKDAYS, *_SEASONS)


def _from_to(start: str, end: str) -> Period | None:
    if not re.search(_YEAR, start):  # "between March and May 2024"
        year = re.search(_YEAR, end)
        start = f"{start} {year.group()}" if year else start
    first, last = _of(start), _of(end)
    if first is None or last is None or first.since is None or last.until is None:
        return None
    return Period(first.since, last.until) if first.since < last.until else None


def _of(written: str) -> Period | None:
    words = re.findall(r"[a-z]+|\d+", written.lower())
    try:
        return _day(written, words) or _part(words)
    except (ValueError, OverflowError):  # the 31st of February, the day after the last there is
        return None


def _day(written: str, words: list[str]) -> Period | None:
    if re.search(r"\d{4}-\d{2}-\d{2}", written):
        year, month, day = (int(one) for one in words[-3:])
    else:
        numbers = [int(one) for one in words if one.isdigit()]
        if len(numbers) < 2 or numbers[0] > 31 or (month := _month(words)) == 0:
            return None
        day, year = numbers[0], numbers[-1]
    start = datetime(year, month, day, tzinfo=UTC)
    return Period(start, start + timedelta(days=1))


def _part(words: list[str]) -> Period | None:
    year = int(words[-1])
    if month := _month(words):
        return months(year, month, 1)
    for word in words:
        if word in _SEASONS:
            return season(year, word)
    number = next((int(one) for one in words[:-1] if one in {"1", "2", "3", "4"}), 0)
    number = number or next((_ORDINALS[one] for one in words if one in _ORDINALS), 0)
    if "quarter" in words or "q" in words:
        return months(year, 3 * number - 2, 3)
    if "half" in words or "h" in words:
        return months(year, 6 * number - 5, 6)
    return months(year, 1, 12)


def _month(words: list[str]) -> int:
    short = [name[:3] for name in _MONTHS]
    return next((short.index(one[:3]) + 1 for one in words if one[:3] in short and len(one) > 2), 0)
