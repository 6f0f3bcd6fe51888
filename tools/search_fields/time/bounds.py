"""A first and a last day that a piece of text sets, and how several pieces make one range."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from tools.search_fields.passage import Found


@dataclass(frozen=True)
class Bounds:
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
    def none(cls, rule: str, span: tuple[int, int]) -> "Bounds":
        """Set no bound, on purpose: `any year`, or for a reason that the rule names."""
        return cls(rule, span, None, None)


@dataclass(frozen=True)
class Range:
    """The years and days that all expressions of a text leave."""

    first: date | None = None
    last: date | None = None
    is_first_fine: bool = False
    is_last_fine: bool = False


LIFTS = frozenset({"any_time", "not_recent"})
"""Rules that say: no bound of time is wanted."""


def join(all_bounds: Sequence[Bounds], today: date) -> tuple[Range, list[Found]]:
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
        found.append(Found("year_from", _first_of(first).year, first.rule, first.span))
    if last:
        found.append(Found("year_to", _last_of(last).year, last.rule, last.span))
    joined = Range(
        first.first if first else None,
        last.last if last else None,
        bool(first and first.is_fine),
        bool(last and last.is_fine and not last.is_open),
    )
    named = {one.span for one in found}
    found += [Found("years", None, one.rule, one.span) for one in taken if one.span not in named]
    return joined, found


def _left_out(one: Bounds) -> Found:
    return Found("years", None, one.rule, one.span, is_taken=False)


def _first_of(one: Bounds) -> date:
    return one.first or date.min


def _last_of(one: Bounds) -> date:
    return one.last or date.max
