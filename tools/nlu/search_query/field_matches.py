"""The text as rules read it (Passage), and what a rule finds in it.

A field match, or date bounds that join into one range.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tools.nlu.lexicon.normalization import Normal, normalise
from tools.nlu.lexicon.politeness import without_report
from tools.nlu.values import model as calendar
from tools.nlu.values.model import Stretch


@dataclass(frozen=True)
class CalendarSpan:
    """The days from `first` to `last`, both of them in it."""

    first: date
    last: date
    is_fine: bool = True
    """It was said more finely than by whole years."""

    @classmethod
    def of(cls, days: Stretch, *, is_fine: bool = True) -> "CalendarSpan":
        """Take a stretch that is open on no side."""
        return cls(days.first or date.min, days.last or date.max, is_fine)

    def to(self, other: "CalendarSpan") -> "CalendarSpan":
        """Reach from the earlier of two stretches to the end of the later."""
        fine = self.is_fine or other.is_fine
        return CalendarSpan(min(self.first, other.first), max(self.last, other.last), fine)

    def touches(self, other: "CalendarSpan") -> bool:
        """Tell whether no day lies between two stretches."""
        gap = timedelta(days=1)
        return self.first <= other.last + gap and other.first <= self.last + gap


def year(number: int) -> CalendarSpan:
    """Give a year."""
    return CalendarSpan(date(number, 1, 1), date(number, 12, 31), is_fine=False)


def month(number: int, which: int) -> CalendarSpan:
    """Give a month of a year."""
    return CalendarSpan.of(calendar.month(number, which))


LONGEST_YEARS = 150
"""No journal is much older; beyond, a number of years is a slip."""
UNIT = "(years?|yrs?|y|months?|mos?|weeks?|quarters?|decades?|centur(?:y|ies)|days?)"


def years_of(size: float, unit: str) -> float:
    """Give the years of so many years, decades or centuries; 0 for any smaller unit."""
    return size * {"y": 1, "dec": 10, "cen": 100}.get(unit[:3] if unit[0] in "dc" else unit[0], 0)


def day_back(size: float, unit: str, today: date) -> date | None:
    """Go back from today by so many units; None: that is further than papers go."""
    if unit[:3] == "day" or unit[0] == "w":
        count = round(size * (7 if unit[0] == "w" else 1))
        return today - timedelta(days=count) if count <= LONGEST_YEARS * 365 else None
    months = {"m": size, "q": 3 * size}.get(unit[0], 12 * years_of(size, unit))
    is_near = 1 <= months <= LONGEST_YEARS * 12
    return calendar.moved(today, -round(months), "month") if is_near else None


MOST_READ = 1_000
"""Characters that are read; what is longer is a document, and no request for one."""

HIDDEN = "\ue000"
"""Stands for a character that no rule may read; it is no letter, no digit and no space."""

_QUOTED = re.compile(r'"([^"\n]{1,300})"|(?<![\w])\'(?!\d0s)([^\'\n]{2,300})\'(?!\w)')


@dataclass(frozen=True)
class Passage:
    """A text with its quotations set apart."""

    normal: Normal
    text: str
    """The normal text, what is quoted in it hidden; places are the same."""
    quoted: tuple[tuple[int, int], ...]
    """Where the insides of the quotations stand in the normal text."""

    @classmethod
    def of(cls, text: str) -> "Passage":
        """Prepare a text."""
        normal, _report = without_report(normalise(text[:MOST_READ]))
        quoted = tuple(
            match.span(1 if match[1] is not None else 2) for match in _QUOTED.finditer(normal.text)
        )
        seen = normal.text
        for first, end in quoted:
            seen = seen[:first] + HIDDEN * (end - first) + seen[end:]
        return cls(normal, seen, quoted)

    def written(self, span: tuple[int, int]) -> str:
        """Give a piece as the person wrote it, without space around it."""
        return self.normal.written(*span).strip()


@dataclass(frozen=True)
class FieldMatch:
    """A piece of the text that says something of one field, and the rule that read it."""

    field: str
    value: object
    rule: str
    span: tuple[int, int]
    """In the normal text."""
    is_taken: bool = True
    """False: said, but no value can be taken from it."""


@dataclass(frozen=True)
class DateBounds:
    """What one expression says of the time: from `first`, until `last`, or one of the two."""

    rule: str
    span: tuple[int, int]
    first: date | None
    last: date | None
    is_fine: bool = False
    """Said more finely than by whole years."""
    is_open: bool = False
    """A window that ends today: its end is known by the year, however finely it begins."""
    is_weak: bool = False
    """`recent` gives way to any time that is said outright."""
    is_wider: bool = False
    """More than was said: `since summer 2024` is since that year, and has no known complement."""

    @classmethod
    def none(cls, rule: str, span: tuple[int, int]) -> "DateBounds":
        """Set no bound, on purpose: `any year`, or for a reason that the rule names."""
        return cls(rule, span, None, None)


@dataclass(frozen=True)
class DateRange:
    """The years and days that all expressions of a text leave."""

    first: date | None = None
    last: date | None = None
    is_first_fine: bool = False
    is_last_fine: bool = False


LIFTS = frozenset({"any_time", "not_recent"})
"""Rules that say: no bound of time is wanted."""


def join_bounds(
    all_bounds: Sequence[DateBounds], today: date
) -> tuple[DateRange, list[FieldMatch]]:
    """Put the bounds of a text together; what contradicts itself bounds nothing.

    Returns the range, and what was found, field for field.
    """
    explicit = [one for one in all_bounds if not one.is_weak]
    lifted = any(one.rule in LIFTS for one in explicit)
    saying = [one for one in explicit if one.first or one.last] or all_bounds
    taken, dropped = [], []
    for one in all_bounds:
        if one.first is not None and one.first > today:
            dropped.append(replace(one, rule=f"{one.rule}_in_future"))
        elif (one.first or one.last) and one in saying and not (lifted and one.is_weak):
            taken.append(one)
        else:
            dropped.append(one)
    first = max((one for one in taken if one.first), key=_first_of, default=None)
    last = min((one for one in taken if one.last), key=_last_of, default=None)
    if first and last and _first_of(first) > _last_of(last):
        dropped += [replace(one, rule=f"{one.rule}_contradicts") for one in taken]
        first = last = None
    found = [_left_out(one) for one in dropped]
    if first:
        found.append(FieldMatch("year_from", _first_of(first).year, first.rule, first.span))
    if last:
        found.append(FieldMatch("year_to", _last_of(last).year, last.rule, last.span))
    joined = DateRange(
        first.first if first else None,
        last.last if last else None,
        bool(first and first.is_fine),
        bool(last and last.is_fine and not last.is_open),
    )
    named = {one.span for one in found}
    found += [
        FieldMatch("years", None, one.rule, one.span) for one in taken if one.span not in named
    ]
    return joined, found


def _left_out(one: DateBounds) -> FieldMatch:
    return FieldMatch("years", None, one.rule, one.span, is_taken=False)


def _first_of(one: DateBounds) -> date:
    return one.first or date.min


def _last_of(one: DateBounds) -> date:
    return one.last or date.max
