"""Lay out time series and rates with their intervals for SVG charts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log
from typing import Any, Protocol

from api.console.rendering import duration
from tools.platform.texts import t

WIDTH, HEIGHT = 640, 110
"""Of a plot, in units of its view box."""
FEWEST_SPANS, MOST_SPANS = 12, 160


class Bucket(Protocol):
    """A span of time in which something was."""

    @property
    def start(self) -> datetime:
        """When it begins."""


@dataclass(frozen=True)
class Curve:
    """What a line is drawn of, one value a span."""

    name: str
    colour: str
    reads: Callable[[Any], float | None]  # of whatever span it is drawn of
    """The value; None: there is none in that span."""
    said: Callable[[float], str]


@dataclass(frozen=True)
class Columns:
    """What bars are drawn of, one count a span."""

    name: str
    reads: Callable[[Any], int]  # of whatever span it is drawn of


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def curve_name(field: str) -> str:
    """Return what people are told a figure is called."""
    return t(f"console.metrics.curve.{field}")


def _rate(colour: str, field: str) -> Curve:
    return Curve(curve_name(field), colour, lambda one: getattr(one, field).value, _percent)


TURNS = Columns(t("console.metrics.curve.turns"), lambda one: one.turns)
STARTED = Columns(t("console.metrics.curve.started"), lambda one: one.started)

KEPT_WORDS: tuple[tuple[str, str], ...] = (
    ("a", "direct_search_tool_call_rate"),
    ("b", "clarification_first_rate"),
    ("c", "recency_filter_compliance_rate"),
    ("d", "stage_transition_success_rate"),
)
"""The four rates of a pack: colour, field."""
RATES: tuple[Curve, ...] = tuple(_rate(*one) for one in KEPT_WORDS)

ANSWERS: tuple[Curve, ...] = (
    _rate("a", "chosen"),
    _rate("c", "primary_chosen"),
    _rate("d", "accepted"),
    _rate("b", "undone"),
)
"""How people answer."""

HARM: tuple[Curve, ...] = (_rate("b", "harmful"),)
"""Hard false positives."""

TIMES: tuple[Curve, ...] = (
    Curve(curve_name("median_ms"), "a", lambda one: one.median_ms, duration),
    Curve(curve_name("p95_ms"), "c", lambda one: one.p95_ms, duration),
)
"""From a query to the start of its action."""

TICKS = (100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000, 864_000_000)
"""Milliseconds at which a scale of times may begin, end and have a line."""


@dataclass(frozen=True)
class Bar:
    """The count of one span."""

    x: float
    y: float
    width: float
    height: float
    said: str


@dataclass(frozen=True)
class Dot:
    """The value of one span."""

    x: float
    y: float
    said: str


@dataclass(frozen=True)
class Line:
    """One curve over the spans in which it has a value."""

    name: str
    colour: str
    dots: tuple[Dot, ...]

    @property
    def points(self) -> str:
        """Its way, as SVG has it."""
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True)
class Grid:
    """A line at a value; of a scale by magnitude the value is told."""

    y: float
    said: str


@dataclass(frozen=True)
class Plot:
    """How it went over time: a bar for the count of each span, a line for each curve."""

    columns: str
    bars: tuple[Bar, ...]
    lines: tuple[Line, ...]
    grid: tuple[Grid, ...]
    most: int
    starts: datetime
    ends: datetime


@dataclass(frozen=True)
class _Scale:
    """Where values stand: even ones from 0 to 1, times by their magnitude."""

    ticks: tuple[float, ...] = (0.0, 0.5, 1.0)
    is_even: bool = True

    def y(self, value: float) -> float:
        """Place a value, from the top."""
        low, high = self.ticks[0], self.ticks[-1]
        if not self.is_even:
            value, low, high = log(max(value, low)), log(low), log(high)
        return round(HEIGHT * (1 - (value - low) / (high - low)), 1)


def plot_of(
    history: Sequence[Bucket],
    curves: Sequence[Curve],
    now: datetime,
    *,
    minutes: int,
    columns: Columns = TURNS,
    magnitudes: Sequence[float] = (),
) -> Plot | None:
    """Lay a history out to the present; None: there is nothing in it. Of many spans the newest.

    Args:
        history: spans in which something was, oldest first.
        curves: what lines are drawn of.
        now: where it ends.
        minutes: how long a span is.
        columns: what bars are drawn of.
        magnitudes: where a scale by magnitude may begin, end and have lines; none: from 0 to 1.
    """
    span = timedelta(minutes=minutes)
    earliest = now - MOST_SPANS * span
    buckets = [one for one in history if one.start.astimezone(UTC) >= earliest]
    most = max(map(columns.reads, buckets), default=0)
    if not most:
        return None
    spans = max(FEWEST_SPANS, int((now - buckets[0].start) / span) + 1)
    first = buckets[0].start - (spans - 1 - int((now - buckets[0].start) / span)) * span
    step = WIDTH / spans

    def middle(one: Bucket) -> float:
        return round((int((one.start - first) / span) + 0.5) * step, 1)

    bars = tuple(
        Bar(
            x=round(middle(one) - step * 0.4, 1),
            y=round(HEIGHT * (1 - count / most), 1),
            width=round(step * 0.8, 1),
            height=round(HEIGHT * count / most, 1),
            said=f"{one.start:%Y-%m-%d %H:%M}: {count} {columns.name}",
        )
        for one in buckets
        if (count := columns.reads(one))
    )
    values = (value for one in buckets for curve in curves if (value := curve.reads(one)))
    scale = _scale_of(list(values), magnitudes)
    grid = tuple(
        Grid(scale.y(tick), "" if scale.is_even else curves[0].said(tick)) for tick in scale.ticks
    )
    lines = _lines(buckets, curves, middle, scale)
    return Plot(columns.name, bars, lines, grid, most, first, first + spans * span)


def _scale_of(values: Sequence[float], magnitudes: Sequence[float]) -> _Scale:
    """Take of the magnitudes those around the values."""
    if not magnitudes:
        return _Scale()
    below = max((one for one in magnitudes[:-1] if one <= min(values, default=0)), default=0)
    above = min((one for one in magnitudes[1:] if one > max(values, default=0)), default=1e99)
    ticks = tuple(one for one in magnitudes if below <= one <= above)
    return _Scale(ticks, is_even=False)


def _lines(
    buckets: Sequence[Bucket],
    curves: Sequence[Curve],
    middle: Callable[[Bucket], float],
    scale: _Scale,
) -> tuple[Line, ...]:
    lines = []
    for curve in curves:
        dots = tuple(
            Dot(middle(one), max(0.0, scale.y(value)), f"{curve.name} {curve.said(value)}")
            for one in buckets
            if (value := curve.reads(one)) is not None
        )
        if dots:
            lines.append(Line(curve.name, curve.colour, dots))
    return tuple(lines)
