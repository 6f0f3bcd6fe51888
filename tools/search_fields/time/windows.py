"""Windows that end today: recent, the last 3 years, the past decade, no older than 5 years."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from tools.search_fields.time.bounds import Bounds
from tools.search_fields.time.dates.units import LONGEST_YEARS, UNIT, day_back, years_of
from tools.search_fields.time.events_of_topics import is_age_of_topic, is_of_event
from tools.search_fields.words.amounts import AMOUNT, TENS, WHOLE_AND_HALF, amount_of
from tools.search_fields.words.papers import PAPERS, PRAISED
from tools.search_fields.words.pieces import any_of

_SIZE = rf"(?:(?!{any_of(*TENS)}-){AMOUNT} ?(?:-|to|or) ?)?({WHOLE_AND_HALF})"
"""Of a range its upper end: the past 3-5 years."""
_IN = "(?:(?:with)?in|over|during|from|for|of|across|since|published in) "
_LAST = "(?:most recent|last|past|previous|preceding|prior|recent|latest)"
_TOPIC = rf"(?! of (?!(?:the )?(?:{PAPERS}|research|work|literature|publishing)))(?!-)"
"""`the last two years of life` is what a paper is about."""

_WINDOW = re.compile(
    rf"\b(?:{_IN})?(?:the |these |our )?{_LAST}[ -](?:{_SIZE}|(?P<part>quarter|half))[ -]?"
    rf"(?:a )?(?:full |whole )?{UNIT}\b(?:'s?)?{_TOPIC}"
)
_ONE = re.compile(
    rf"\b(?:{_IN})?(?:(?:the|this) (?:last|past)|past|(?:the )?last(?= decade| century)) "
    rf"(year|month|week|quarter|decade|century|half decade)\b(?P<half> and a half\b)?{_TOPIC}"
)
_YOUNG = any_of(
    "(?:no|not|nothing|none) (?:more than|older than|over)", "at most", "up to", "less than",
    "max(?:imum)?(?: of)?", "under", "younger than", "newer than", "within",
)  # fmt: skip
_AGE = re.compile(
    rf"\b(?:(?:that )?are )?(?:{_YOUNG}|(?P<older>older than|(?P<long>more than|over))) "
    rf"{_SIZE} {UNIT}(?P<age> old| of age| ago)?\b{_TOPIC}"
)
_PAPERS_ARE = re.compile(rf"(?:\b{PAPERS}|\bones|^\W*|\b(?:are|is)|,) $|^$")
"""Behind these `over 10 years` is an age; behind a topic it is how long something goes on."""
_BEYOND = re.compile(
    r"\b(?:that are |(?:that |which )?(?:are )?from )?"
    r"(?:(?:older|earlier) than|before|prior to|preceding) $"
)
"""Before a window these mean what is older than all of it: `older than the last decade`."""
_THIS_YEAR = re.compile(r"\b(?:year[- ]to[- ]date|ytd|so far this year)\b")
_NEXT = re.compile(rf"\b(?:{_IN})?(?:the )?(?:next|coming|upcoming) (?:{WHOLE_AND_HALF} )?{UNIT}\b")
_RECENT = re.compile(
    r"\b"
    + any_of(
        "in (?:the )?(?:most )?recent (?:years|times|past)",
        "(?:most |more |very )?recently(?= publ| app| rel)",
        "(?:(?:the )?(?:very )?(?:most|more) |very )?(?:recent|(?<!at the )latest)",
        "newest(?! first| to oldest)",
        "up[- ]to[- ]date",
        "lately",
        r"(?:published )?recently(?=\s*(?:[.;!?]|$))",
        "what(?:'?s| is) new (?:in|on|with|about)",
    )
    + r"\b(?! (?:common|first|memory|immigra|migrant|graduate|onset|years of))"
)
_NEWS = any_of(PAPERS, "research", "work", "findings", "results", "literature")
_NEW = re.compile(rf"\b(?:something|anything) new\b|\bnew (?={PRAISED}{_NEWS}\b)")
_NOT_RECENT = re.compile(
    r"\b"
    + any_of(
        "not (?:just|only|necessarily)(?: the)?(?: most)? (?:recent|latest|new)"
        "(?: ones?| papers?)?",
        "recent or not",
        "(?:does|do|need)(?: not|n't)(?: have to| need to)? be (?:recent|new)",
        "(?:including|include|also) old(?:er)?(?: ones| papers| work)?",
        "old(?:er)? ones (?:too|as well|are fine)",
    )
    + r"\b"
)
_ANY_TIME = re.compile(
    r"\b"
    + any_of(
        "(?:published )?(?:(?:from|of|in) )?(?:any|all|every)(?: other)? "
        "(?:publication )?(?:years?|dates?|time periods?)",
        "of all time",
        "(?:regardless of|whatever|no matter) the (?:year|date)",
        "no (?:year|date|time) (?:limits?|filters?|restrictions?)",
    )
    + r"\b"
)


def windows_in(text: str, today: date, recent_years: int) -> Iterator[Bounds]:
    """Find the windows that a text names, `recent` among them as the weakest."""
    for pattern, rule in ((_NOT_RECENT, "not_recent"), (_ANY_TIME, "any_time"), (_NEXT, "future")):
        for match in pattern.finditer(text):
            yield Bounds.none(rule, match.span())
    yield from _counted(text, today)
    for pattern, rule, years in (
        (_THIS_YEAR, "year_to_date", 0),
        (_RECENT, "recent", recent_years),
        (_NEW, "new", recent_years),
    ):
        for match in pattern.finditer(text):
            first = date(today.year - years, 1, 1)
            is_weak = pattern is not _THIS_YEAR
            yield Bounds(rule, match.span(), first, _end_of(today), is_weak=is_weak)


def _counted(text: str, today: date) -> Iterator[Bounds]:
    """Find the windows of so many years, months, weeks or days."""
    for match in _WINDOW.finditer(text):
        if is_of_event(text, match.start()):
            continue
        part = {"quarter": 0.25, "half": 0.5}.get(match["part"])
        yield from _window(text, match, part or amount_of(match[1]), match[3], today, "last_n")
    for match in _ONE.finditer(text):
        if is_of_event(text, match.start()):
            continue
        size = (0.5 if match[1].startswith("half") else 1) + (0.5 if match["half"] else 0)
        yield from _window(text, match, size, match[1].split()[-1], today, "past")
    for match in _AGE.finditer(text):
        is_older, size = match["older"] is not None, amount_of(match[3])
        if match["long"] and not match["age"] and not _PAPERS_ARE.search(text[: match.start()]):
            continue
        if is_age_of_topic(text, match.start(), years_of(size, match[4])):
            continue
        yield from _aged(size, match[4], today, match.span(), is_older=is_older)


def _window(
    text: str, match: re.Match[str], size: float, unit: str, today: date, rule: str
) -> Iterator[Bounds]:
    beyond = _BEYOND.search(text[: match.start()])
    if beyond is None:
        return _back(size, unit, today, rule, match.span())
    return _aged(size, unit, today, (beyond.start(), match.end()), is_older=True)


def _aged(
    size: float, unit: str, today: date, span: tuple[int, int], *, is_older: bool
) -> Iterator[Bounds]:
    for bounds in _back(size, unit, today, "age", span):
        if not is_older:
            yield bounds
        elif bounds.first is not None:
            last = bounds.first - timedelta(days=1)
            if not bounds.is_fine:
                last = date(bounds.first.year, 12, 31)  # a part of that year is older
            yield Bounds("older", span, None, last, is_fine=bounds.is_fine)


def _back(
    size: float, unit: str, today: date, rule: str, span: tuple[int, int]
) -> Iterator[Bounds]:
    """Give the window of so many units that ends today; of whole years, each that it touches."""
    years = years_of(size, unit)
    if years > 1 and years == int(years):
        if years <= LONGEST_YEARS:
            first = date(today.year - int(years), 1, 1)
            yield Bounds(rule, span, first, _end_of(today))
        return
    first_day = day_back(size, unit, today)
    if first_day is not None:
        yield Bounds(rule, span, first_day, _end_of(today), is_fine=True, is_open=True)


def _end_of(today: date) -> date:
    return date(today.year, 12, 31)
