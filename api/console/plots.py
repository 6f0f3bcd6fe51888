"""Figures over time and rates with their intervals, as numbers that an SVG is drawn of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from state.quality import QualityBucket, QualityHistory
from state.query import Rate

WIDTH, HEIGHT = 640, 110
"""Of a plot, in units of its view box."""
FEWEST_SPANS, MOST_SPANS = 12, 160

Reads = Callable[[QualityBucket], Rate]

RATES: tuple[tuple[str, str, Reads], ...] = (
    ("searches called", "a", lambda one: one.direct_search_tool_call_rate),
    ("questions first (should be 0)", "b", lambda one: one.clarification_first_rate),
    ("dates kept", "c", lambda one: one.recency_filter_compliance_rate),
    ("stages made", "d", lambda one: one.stage_transition_success_rate),
)
"""The four rates of a pack: their name, the colour of their line, where they stand."""


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
    """How a pack went over time: a bar for the turns of each span, a line for each rate."""

    bars: tuple[Bar, ...]
    lines: tuple[Line, ...]
    most: int
    starts: datetime
    ends: datetime


def plot_of(history: QualityHistory, now: datetime) -> Plot | None:
    """Lay a history out to the present; None: there is nothing in it. Of many spans the newest."""
    span = timedelta(minutes=history.aggregate_minutes)
    earliest = now - MOST_SPANS * span
    buckets = [one for one in history.buckets if one.start.astimezone(UTC) >= earliest]
    if not buckets:
        return None
    spans = max(FEWEST_SPANS, int((now - buckets[0].start) / span) + 1)
    first = buckets[0].start - (spans - 1 - int((now - buckets[0].start) / span)) * span
    step = WIDTH / spans
    most = max(one.turns for one in buckets)

    def middle(one: QualityBucket) -> float:
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
    return Plot(bars, _lines(buckets, middle), most, first, first + spans * span)


def _lines(
    buckets: Sequence[QualityBucket], middle: Callable[[QualityBucket], float]
) -> tuple[Line, ...]:
    lines = []
    for name, colour, reads in RATES:
        dots = tuple(
            (middle(one), round(HEIGHT * (1 - value), 1))
            for one in buckets
            if (value := reads(one).value) is not None
        )
        if dots:
            points = " ".join(f"{x},{y}" for x, y in dots)
            lines.append(Line(name, colour, points, dots))
    return tuple(lines)
