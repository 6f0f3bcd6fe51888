"""Windows that end today: recent, the last 3 years, the past decade, no older than 5 years."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from tools.search_fields.amounts import WHOLE_AND_HALF, amount_of
from tools.search_fields.bounds import Bounds
from tools.search_fields.calendar import months_back
from tools.search_fields.words import PAPERS, PRAISE

_LONGEST_YEARS = 150
_UNIT = r"(years?|yrs?|y|months?|mos?|weeks?|quarters?|decades?|centur(?:y|ies)|days?)"
_IN = r"(?:(?:with)?in|over|during|from|for|of|across|since|published in) "
_LAST = r"(?:most recent|last|past|previous|preceding|prior|recent|latest)"
_TOPIC = rf"(?! of (?!(?:the )?(?:{PAPERS}|research|work|literature|publishing)))(?!-)"
"""`the last two years of life` is what a paper is about."""

_WINDOW = re.compile(
    rf"\b(?:{_IN})?(?:the |these |our )?{_LAST}[ -]({WHOLE_AND_HALF}|quarter|half)[ -]?"
    rf"(?:a )?(?:full |whole )?{_UNIT}\b('s?)?{_TOPIC}"
)
_ONE = re.compile(
    rf"\b(?:{_IN})?(?:(?:the|this) (?:last|past)|past|(?:the )?last(?= decade| century)) "
    rf"(year|month|week|quarter|decade|century|half decade)\b{_TOPIC}"
)
_AGE = re.compile(
    rf"\b(?:(?:that are |are )?(no|not) (?:more than|older than|over)|(?:that are "
    rf"|are )?(?:at most|up to|"
    rf"less than|under|younger than|newer than|within)|(older than|more than|over)) "
    rf"({WHOLE_AND_HALF}) {_UNIT}(?: old| of age| ago)?\b{_TOPIC}"
)
_AGO = re.compile(
    rf"\b(?:(since)|published|from|in)? ?(?:about )?\b({WHOLE_AND_HALF}) {_UNIT} (?:ago|back)\b"
    r"( or (?:newer|later|less)| on(?:wards?)?\b)?"
)
_THIS_YEAR = re.compile(r"\b(?:year[- ]to[- ]date|ytd|so far this year)\b")
_NEXT = re.compile(
    rf"\b(?:{_IN})?(?:the )?(?:next|coming|upcoming) (?:{WHOLE_AND_HALF} )?{_UNIT}\b"
)
_RECENT = re.compile(
    r"\b(?:in (?:the )?(?:most )?recent (?:years|times|past)|(?:most |more "
    r"|very )?recently(?= publ| app| rel)"
    r"|(?:(?:the )?(?:very )?(?:most|more) |very )?(?:recent|latest)|newest(?! first| to oldest)"
    r"|up[- ]to[- ]date"
    r"|what(?:'s| is) new (?:in|on|with|about))\b"
    r"(?! common| first| memory| immigra| migrant| graduate| onset| years of)"
)
_NEW = re.compile(
    rf"\bnew (?=(?:{PRAISE} )*(?:{PAPERS}|research|work|findings|results|literature)\b)"
)
_NOT_RECENT = re.compile(
    r"\b(?:not (?:just|only|necessarily)(?: the)?(?: most)? (?:recent|latest|new)(?: ones?"
    r"| papers?)?|recent or not"
    r"|(?:does|do|need)(?: not|n't)(?: have to| need to)? be (?:recent|new)"
    r"|(?:including|include|also) old(?:er)?(?: ones| papers| work)?|old(?:er)? ones (?:too"
    r"|as well|are fine))\b"
)
_ANY_TIME = re.compile(
    r"\b(?:(?:from|of|in) )?(?:any|all) (?:publication )?(?:years?|dates?|time periods?)\b"
    r"|\bof all time\b"
    r"|\b(?:regardless of|whatever|no matter) the (?:year|date)\b|\bno (?:year|date"
    r"|time) (?:limits?|filters?|restrictions?)\b"
)


def windows_in(text: str, today: date, recent_years: int) -> Iterator[Bounds]:
    """Find the windows that a text names, `recent` among them as the weakest."""
    for pattern, rule in ((_NOT_RECENT, "not_recent"), (_ANY_TIME, "any_time"), (_NEXT, "future")):
        for match in pattern.finditer(text):
            yield Bounds.none(rule, match.span())
    yield from _counted(text, today)
    for pattern, rule, years in (
        (_THIS_YEAR, "year_to_date", 1),
        (_RECENT, "recent", recent_years),
        (_NEW, "new", recent_years),
    ):
        for match in pattern.finditer(text):
            first = date(today.year - years + 1, 1, 1)
            is_weak = pattern is not _THIS_YEAR
            yield Bounds(rule, match.span(), first, _end_of(today), is_weak=is_weak)


def _counted(text: str, today: date) -> Iterator[Bounds]:
    """Find the windows of so many years, months, weeks or days."""
    for match in _WINDOW.finditer(text):
        size = {"quarter": 0.25, "half": 0.5}.get(match[1]) or amount_of(match[1])
        yield from _back(size, match[2], today, "last_n", match.span())
    for match in _ONE.finditer(text):
        size = 0.5 if match[1].startswith("half") else 1
        yield from _back(size, match[1].split()[-1], today, "past", match.span())
    for match in _AGO.finditer(text):
        yield from _ago(match, today)
    for match in _AGE.finditer(text):
        is_older = bool(match[2])
        yield from _aged(amount_of(match[3]), match[4], today, match.span(), is_older=is_older)


def _ago(match: re.Match[str], today: date) -> Iterator[Bounds]:
    """Read `since 3 years ago` as a first day, `from 3 years ago` as that calendar year."""
    first_day = _first_day(amount_of(match[2]), match[3], today)
    if first_day is None:
        return
    if match[1] or match[4]:
        yield Bounds("ago", match.span(), first_day, None, is_fine=True)
    elif match[3].startswith("y"):
        year = first_day.year
        yield Bounds("ago", match.span(), date(year, 1, 1), date(year, 12, 31))


def _aged(
    size: float, unit: str, today: date, span: tuple[int, int], *, is_older: bool
) -> Iterator[Bounds]:
    for bounds in _back(size, unit, today, "age", span):
        if not is_older:
            yield bounds
        elif bounds.first is not None:
            last = bounds.first - timedelta(days=1)
            yield Bounds("older", span, None, last, is_fine=bounds.is_fine)


def _back(
    size: float, unit: str, today: date, rule: str, span: tuple[int, int]
) -> Iterator[Bounds]:
    """Give the window of so many units that ends today; whole years are calendar years."""
    years = _years(size, unit)
    if years > 1 and years == int(years):
        if years <= _LONGEST_YEARS:
            first = date(today.year - int(years) + 1, 1, 1)
            yield Bounds(rule, span, first, _end_of(today))
        return
    first_day = _first_day(size, unit, today)
    if first_day is not None:
        yield Bounds(rule, span, first_day, _end_of(today), is_fine=True, is_open=True)


def _years(size: float, unit: str) -> float:
    """Give the years of so many years, decades or centuries; 0 for any smaller unit."""
    return size * {"y": 1, "dec": 10, "cen": 100}.get(unit[:3] if unit[0] in "dc" else unit[0], 0)


def _first_day(size: float, unit: str, today: date) -> date | None:
    if unit[:3] == "day" or unit[0] == "w":
        count = round(size * (7 if unit[0] == "w" else 1))
        return today - timedelta(days=count) if count <= _LONGEST_YEARS * 365 else None
    months = {"m": size, "q": 3 * size}.get(unit[0], 12 * _years(size, unit))
    return months_back(today, round(months)) if 1 <= months <= _LONGEST_YEARS * 12 else None


def _end_of(today: date) -> date:
    return date(today.year, 12, 31)
