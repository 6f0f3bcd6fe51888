"""Figures over time and rates with their intervals, as numbers that an SVG is drawn of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from state.query import Rate

WIDTH, HEIGHT = 640, 110
"""Of a plot, in units of its view box."""
FEWEST_SPANS, MOST_SPANS = 12, 160


class Bucket(Protocol):
    """A span of time with turns in it."""

    @property
    def start(self) -> datetime:
        """When it begins."""

    @property
    def turns(self) -> int:
        """How many there were."""


Curve = tuple[str, str, Callable[[Any], Rate]]  # of whatever bucket it is drawn of
"""One rate: its name, the colour of its line, where it stands in a bucket."""

RATES: tuple[Curve, ...] = (
    ("searches called", "a", lambda one: one.direct_search_tool_call_rate),
    ("questions first (should be 0)", "b", lambda one: one.clarification_first_rate),
    ("dates kept", "c", lambda one: one.recency_filter_compliance_rate),
    ("stages made", "d", lambda one: one.stage_transition_success_rate),
)
"""The four rates of a pack."""

ANSWERS: tuple[Curve, ...] = (
    ("chips taken", "a", lambda one: one.chosen),
    ("the first chip", "c", lambda one: one.primary_chosen),
    ("said yes", "d", lambda one: one.accepted),
    ("undone", "b", lambda one: one.undone),
)
"""How people answer."""


@dataclass(frozen=True)
class Bar:
    """The turns of one span."""

    x: float
    y: float
    width: float
    height: float
    said: str


@dataclass(frozen=True)
class Line:
    """One rate over the spans in which it has a value."""

    name: str
    colour: str
    points: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plot:
    """How it went over time: a bar for the turns of each span, a line for each rate."""

    bars: tuple[Bar, ...]
    lines: tuple[Line, ...]
    most: int
    starts: datetime
    ends: datetime


def plot_of(
    history: Sequence[Bucket], curves: Sequence[Curve], now: datetime, *, minutes: int
) -> Plot | None:
    """Lay a history out to the present; None: there is nothing in it. Of many spans the newest.

    Args:
        history: spans in which something was, oldest first.
        curves: what is drawn of each.
        now: where it ends.
        minutes: how long a span is.
    """
    span = timedelta(minutes=minutes)
    earliest = now - MOST_SPANS * span
    buckets = [one for one in history if one.start.astimezone(UTC) >= earliest]
    if not buckets:
        return None
    spans = max(FEWEST_SPANS, int((now - buckets[0].start) / span) + 1)
    first = buckets[0].start - (spans - 1 - int((now - buckets[0].start) / span)) * span
    step = WIDTH / spans
    most = max(1, *(one.turns for one in buckets))

    def middle(one: Bucket) -> float:
        return round((int((one.start - first) / span) + 0.5) * step, 1)

    bars = tuple(
        Bar(
            x=round(middle(one) - step * 0.4, 1),
            y=round(HEIGHT * (1 - one.turns / most), 1),
            width=round(step * 0.8, 1),
            height=round(HEIGHT * one.turns / most, 1),
            said=f"{one.start:%Y-%m-%d %H:%M}: {one.turns} turns",
        )
        for one in buckets
    )
    return Plot(bars, _lines(buckets, curves, middle), most, first, first + spans * span)


def _lines(
    buckets: Sequence[Bucket], curves: Sequence[Curve], middle: Callable[[Bucket], float]
) -> tuple[Line, ...]:
    lines = []
    for name, colour, reads in curves:
        dots = tuple(
            (middle(one), round(HEIGHT * (1 - value), 1))
            for one in buckets
            if (value := reads(one).value) is not None
        )
        if dots:
            points = " ".join(f"{x},{y}" for x, y in dots)
            lines.append(Line(name, colour, points, dots))
    return tuple(lines)
