"""Find the date filters of a text as bounds.

Ranges of named dates, and windows that end today ("recent", "the last 3 years").
"""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.nlu.lexicon.closed_classes import TENS
from tools.nlu.search_query.date_expressions import (
    SEASONS,
    DateExpression,
    date_expressions_in,
    is_said_of_papers,
    operator_of,
)
from tools.nlu.search_query.field_matches import (
    LONGEST_YEARS,
    UNIT,
    CalendarSpan,
    DateBounds,
    day_back,
    month,
    year,
    years_of,
)
from tools.nlu.search_query.lexicon import (
    AMOUNT,
    END,
    PAPERS,
    PRAISED,
    WHOLE_AND_HALF,
    amount_of,
    any_of,
)
from tools.nlu.search_query.negation import denial_before, denied_around
from tools.nlu.search_query.topic_dates import (
    NEEDS_WORD,
    OF_YEARS,
    is_age_of_topic,
    is_far_number,
    is_no_year,
    is_of_event,
    is_topic,
    stands_alone,
)

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


def windows_in(text: str, today: date, recent_years: int) -> Iterator[DateBounds]:
    """Find the windows that a text names, `recent` among them as the weakest."""
    for pattern, rule in ((_NOT_RECENT, "not_recent"), (_ANY_TIME, "any_time"), (_NEXT, "future")):
        for match in pattern.finditer(text):
            yield DateBounds.none(rule, match.span())
    yield from _counted(text, today)
    for pattern, rule, years in (
        (_THIS_YEAR, "year_to_date", 0),
        (_RECENT, "recent", recent_years),
        (_NEW, "new", recent_years),
    ):
        for match in pattern.finditer(text):
            first = date(today.year - years, 1, 1)
            is_weak = pattern is not _THIS_YEAR
            yield DateBounds(rule, match.span(), first, _end_of(today), is_weak=is_weak)


def _counted(text: str, today: date) -> Iterator[DateBounds]:
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
) -> Iterator[DateBounds]:
    beyond = _BEYOND.search(text[: match.start()])
    if beyond is None:
        return _back(size, unit, today, rule, match.span())
    return _aged(size, unit, today, (beyond.start(), match.end()), is_older=True)


def _aged(
    size: float, unit: str, today: date, span: tuple[int, int], *, is_older: bool
) -> Iterator[DateBounds]:
    for bounds in _back(size, unit, today, "age", span):
        if not is_older:
            yield bounds
        elif bounds.first is not None:
            last = bounds.first - timedelta(days=1)
            if not bounds.is_fine:
                last = date(bounds.first.year, 12, 31)  # a part of that year is older
            yield DateBounds("older", span, None, last, is_fine=bounds.is_fine)


def _back(
    size: float, unit: str, today: date, rule: str, span: tuple[int, int]
) -> Iterator[DateBounds]:
    """Give the window of so many units that ends today; of whole years, each that it touches."""
    years = years_of(size, unit)
    if years > 1 and years == int(years):
        if years <= LONGEST_YEARS:
            first = date(today.year - int(years), 1, 1)
            yield DateBounds(rule, span, first, _end_of(today))
        return
    first_day = day_back(size, unit, today)
    if first_day is not None:
        yield DateBounds(rule, span, first_day, _end_of(today), is_fine=True, is_open=True)


def _end_of(today: date) -> date:
    return date(today.year, 12, 31)


_ONWARD = re.compile(
    r"\s*,?\s*"
    + any_of(
        r"\+", r"(?:(?:and|or) )?onwards?\b",
        r"(?:and|or) (?:later|after|newer|up|beyond|since|more recent)\b", f"on{END}",
        r"forward\b", r"at the (?:very )?earliest\b", f"up{END}", r"-(?=\s*(?:[,.;)]|$))",
    )
)  # fmt: skip
_BACKWARD = re.compile(
    r"\s*,?\s*(?:(?:and|or) (?:earlier|before|older|prior)|at the (?:very )?latest)\b"
)
_TO = re.compile(r"\s*(?:-|to|until|till|through|thru|up to|up until|\.\.+)\s*(?:the )?")
_OPENS_ASIDE = re.compile(r"\s*[,(-]?\s*(?:(?:but|and)\s+)?")
_AND = re.compile(r"\s*(?:,|and|&|or|nor|, and)\s*(?:in |from )?(?:the )?")
_TILL = re.compile(r"\b(?:un)?till?\b")
"""`Not until 2020` is from 2020 on, though it says `until`."""
_LAST_YEAR = 2100
"""An end that is later bounds nothing, and no slot takes it."""
_SPANS = frozenset({
    "span", "short_span", "month_span", "quarters", "ordinals", "some", "halves", "seasons",
    "edges", "ago_span",
})  # fmt: skip
_UNREAD = {
    "unread": "unread", "unread_time": "unread", "unread_season": "unread",
    "unread_days": "unread", "early_year": "too_early",
}  # fmt: skip
"""Kinds that are times and set no bound, and the rules that say why."""


def periods_in(
    text: str, today: date, taken: Sequence[tuple[int, int]], name_ends: Collection[int] = ()
) -> Iterator[DateBounds]:
    """Find the bounds of time in a text, but in the spans that are taken already.

    Args:
        name_ends: where venues and authors end; a year right behind one is a filter.
    """
    points = [
        point
        for point in date_expressions_in(text, today)
        if not any(point.start < end and start < point.end for start, end in taken)
        and not is_no_year(text, point)
        and not is_far_number(text, point)
    ]
    place = 0
    while place < len(points):
        if _has_aside(text, points[place : place + 3]):
            yield from _around_aside(text, points[place : place + 3], today, name_ends)
            place += 3
            continue
        last = _linked_to(text, points, place)
        yield from _bounds(text, points[place : last + 1], today, name_ends)
        place = last + 1


def _has_aside(text: str, points: Sequence[DateExpression]) -> bool:
    """Tell whether something is left out inside a range: `from 2019, 2020 excluded, to 2022`."""
    if len(points) < 3 or operator_of(text, points[0])[0] != "from":
        return False
    first, left_out, last = points
    start, end = left_out.start, left_out.end
    around, before = denied_around(text, start, end), denial_before(text, start)
    if around is not None:
        start, end = around
    elif before is not None and before.kind == "denied":
        start = before.start
    else:
        return False
    gap = text[first.end : start], text[end : last.start]
    return (
        _OPENS_ASIDE.fullmatch(gap[0]) is not None
        and _TO.fullmatch(gap[1].lstrip(" ,)")) is not None
    )


def _around_aside(
    text: str, points: Sequence[DateExpression], today: date, name_ends: Collection[int]
) -> Iterator[DateBounds]:
    first, left_out, last = points
    span = (operator_of(text, first)[1], last.end)
    yield _several(text, (first, last), "between", span, today)
    yield from _bounds(text, (left_out,), today, name_ends)


def _linked_to(text: str, points: Sequence[DateExpression], place: int) -> int:
    """Give the last point that makes one expression with this one."""
    name, _start = operator_of(text, points[place])
    last = place
    while last + 1 < len(points):
        gap = text[points[last].end : points[last + 1].start]
        is_range = (
            last == place
            and name in (None, "between", "from", "in")
            and (_TO.fullmatch(gap) or (name == "between" and _AND.fullmatch(gap)))
        )
        is_left_out = denied_around(text, *_place(points[last + 1])) is not None
        is_list = not is_left_out and name in ("in", "from", None) and _AND.fullmatch(gap)
        if not is_range and not is_list:
            break
        last += 1
        if is_range:
            break
    return last


def _place(point: DateExpression) -> tuple[int, int]:
    return point.start, point.end


def _bounds(
    text: str, points: Sequence[DateExpression], today: date, name_ends: Collection[int]
) -> Iterator[DateBounds]:
    name, start = operator_of(text, points[0])
    span = (start, points[-1].end)
    if is_of_event(text, start):
        return
    unread = next((_UNREAD[one.kind] for one in points if one.kind in _UNREAD), None)
    if unread is not None:
        if is_said_of_papers(text, points[0].kind, name, start):
            yield DateBounds.none(unread, span)
    elif len(points) > 1:
        yield _several(text, points, name, span, today)
    elif points[0].kind == "to_year":
        yield _one("until", points[0].stretch, span, today)
    else:
        yield from _single(text, points[0], today, name_ends)


def _single(
    text: str, point: DateExpression, today: date, name_ends: Collection[int]
) -> Iterator[DateBounds]:
    name, start = operator_of(text, point)
    span = (start, point.end)
    onward, backward = _ONWARD.match(text, point.end), _BACKWARD.match(text, point.end)
    if onward and point.kind != "now" and name in (None, "from", "in", "since"):
        yield _one("since", point.stretch, (start, onward.end()), today)
    elif backward and name in (None, "from", "in", "until"):
        yield _one("until", point.stretch, (start, backward.end()), today)
    elif point.kind == "now":
        return
    elif name == "between" and point.kind not in _SPANS:
        yield DateBounds.none("half_a_range", span)
    elif name is not None:
        if not is_topic(text, name, start, point, today):
            stretch = point.stretch_for(is_bound=name in OF_YEARS)
            bounds = _one(_widened(name, point), stretch, span, today)
            is_whole = point.kind in SEASONS | {"ago"} or point.whole is not None
            is_wider = is_whole or _TILL.search(text, start, point.start) is not None
            yield replace(bounds, is_wider=is_wider)
    elif point.kind not in NEEDS_WORD and (
        point.start - 1 in name_ends or stands_alone(text, point)
    ):
        stretch = point.stretch_for(is_bound=False)
        yield _one(point.kind, stretch, _with_brackets(text, span), today)


def _widened(name: str, point: DateExpression) -> str:
    """Keep the year of a season that is given as a year: `after summer 2024` may be in 2024."""
    if point.kind not in SEASONS | {"ago"} and not (point.whole and point.whole == point.stretch):
        return name
    return {"after": "since", "before": "until"}.get(name, name)


def _several(
    text: str,
    points: Sequence[DateExpression],
    name: str | None,
    span: tuple[int, int],
    today: date,
) -> DateBounds:
    """Join a range, or a list of years without a gap between them."""
    first, last = points[0], points[-1]
    gap = text[points[0].end : points[1].start]
    stretches = [point.stretch_for(is_bound=point.kind != "ago") for point in points]
    if first.kind == "bare_month" and last.kind == "month_year":
        began = last.stretch.first.year
        own = first.stretch.first.month
        stretches[0] = month(began if own <= last.stretch.first.month else began - 1, own)
    whole = stretches[0].to(stretches[-1])
    if name == "between" or _TO.fullmatch(gap):
        return _one("between", whole, span, today, is_open=last.kind == "now")
    ordered = sorted(stretches, key=lambda stretch: stretch.first)
    if all(one.touches(after) for one, after in itertools.pairwise(ordered)):
        return _one("in", whole, span, today)
    return DateBounds.none("years_apart", span)


def _one(
    name: str, stretch: CalendarSpan, span: tuple[int, int], today: date, *, is_open: bool = False
) -> DateBounds:
    if name in ("before", "until") and stretch.first.year > _LAST_YEAR:
        return DateBounds.none(f"{name}_in_future", span)
    day = timedelta(days=1)
    first: date | None = stretch.first
    last: date | None = stretch.last
    match name:
        case "since":
            last = None
        case "after":
            first, last = min(stretch.last, date.max - day) + day, None
        case "before":
            first, last = None, stretch.first - day
        case "until":
            first, last = None, _no_later(stretch, today)
        case "around":
            around = year(stretch.first.year - 1).to(year(stretch.last.year + 1))
            first = around.first
            is_said = stretch.first.year > today.year
            last = around.last if is_said else _no_later(around, today)
        case _:
            is_open = is_open or stretch.first <= today < stretch.last
            last = _no_later(stretch, today)
    return DateBounds(name, span, first, last, is_fine=stretch.is_fine, is_open=is_open)


def _no_later(stretch: CalendarSpan, today: date) -> date:
    """End a stretch that is still going on with this year: nobody said the years to come."""
    this_year = date(today.year, 12, 31)
    return min(stretch.last, this_year) if stretch.first <= today else stretch.last


def _with_brackets(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    if text[:start].endswith("(") and text.startswith(")", end):
        return start - 1, end + 1
    return span
