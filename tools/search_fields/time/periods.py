"""From named pieces of the calendar to bounds: since, before, between, in, and ranges."""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.search_fields.denial.denials import denial_before, denied_around
from tools.search_fields.time.bounds import Bounds
from tools.search_fields.time.dates.hanging_times import is_said_of_papers
from tools.search_fields.time.dates.points import Point, points_in
from tools.search_fields.time.dates.stretches import Stretch, month, year
from tools.search_fields.time.dates.year_parts import SEASONS
from tools.search_fields.time.events_of_topics import is_of_event
from tools.search_fields.time.operators import operator_of
from tools.search_fields.time.year_look_alikes import is_no_year
from tools.search_fields.time.years_of_topics import (
    NEEDS_WORD,
    OF_YEARS,
    is_far_number,
    is_topic,
    stands_alone,
)
from tools.search_fields.words.pieces import END, any_of

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
) -> Iterator[Bounds]:
    """Find the bounds of time in a text, but in the spans that are taken already.

    Args:
        name_ends: where venues and authors end; a year right behind one is a filter.
    """
    points = [
        point
        for point in points_in(text, today)
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


def _has_aside(text: str, points: Sequence[Point]) -> bool:
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
    text: str, points: Sequence[Point], today: date, name_ends: Collection[int]
) -> Iterator[Bounds]:
    first, left_out, last = points
    span = (operator_of(text, first)[1], last.end)
    yield _several(text, (first, last), "between", span, today)
    yield from _bounds(text, (left_out,), today, name_ends)


def _linked_to(text: str, points: Sequence[Point], place: int) -> int:
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


def _place(point: Point) -> tuple[int, int]:
    return point.start, point.end


def _bounds(
    text: str, points: Sequence[Point], today: date, name_ends: Collection[int]
) -> Iterator[Bounds]:
    name, start = operator_of(text, points[0])
    span = (start, points[-1].end)
    if is_of_event(text, start):
        return
    unread = next((_UNREAD[one.kind] for one in points if one.kind in _UNREAD), None)
    if unread is not None:
        if is_said_of_papers(text, points[0].kind, name, start):
            yield Bounds.none(unread, span)
    elif len(points) > 1:
        yield _several(text, points, name, span, today)
    elif points[0].kind == "to_year":
        yield _one("until", points[0].stretch, span, today)
    else:
        yield from _single(text, points[0], today, name_ends)


def _single(text: str, point: Point, today: date, name_ends: Collection[int]) -> Iterator[Bounds]:
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
        yield Bounds.none("half_a_range", span)
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


def _widened(name: str, point: Point) -> str:
    """Keep the year of a season that is given as a year: `after summer 2024` may be in 2024."""
    if point.kind not in SEASONS | {"ago"} and not (point.whole and point.whole == point.stretch):
        return name
    return {"after": "since", "before": "until"}.get(name, name)


def _several(
    text: str, points: Sequence[Point], name: str | None, span: tuple[int, int], today: date
) -> Bounds:
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
    return Bounds.none("years_apart", span)


def _one(
    name: str, stretch: Stretch, span: tuple[int, int], today: date, *, is_open: bool = False
) -> Bounds:
    if name in ("before", "until") and stretch.first.year > _LAST_YEAR:
        return Bounds.none(f"{name}_in_future", span)
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
    return Bounds(name, span, first, last, is_fine=stretch.is_fine, is_open=is_open)


def _no_later(stretch: Stretch, today: date) -> date:
    """End a stretch that is still going on with this year: nobody said the years to come."""
    this_year = date(today.year, 12, 31)
    return min(stretch.last, this_year) if stretch.first <= today else stretch.last


def _with_brackets(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    if text[:start].endswith("(") and text.startswith(")", end):
        return start - 1, end + 1
    return span
