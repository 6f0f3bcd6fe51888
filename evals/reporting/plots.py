"""Where the marks of a plot stand: rates on an axis from 0 to 1, latencies in bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log10

from evals.gates import Gate
from evals.measures import HARM, CaseResult, Measure

WIDTH, HEIGHT = 240, 22
"""Of the axis of one rate, in units of its view box."""
BARS_WIDTH, BARS_HEIGHT = 420, 70
_BARS = 28
_FEWEST_OF_A_KIND = 3


@dataclass(frozen=True)
class Mark:
    """One rate on its axis: places from the left."""

    at: float
    low: float | None
    high: float | None
    gate: float | None
    passes_above: bool
    """The side of the gate on which it holds."""


@dataclass(frozen=True)
class Bar:
    """How many decisions took about so long."""

    x: float
    y: float
    width: float
    height: float
    said: str


@dataclass(frozen=True)
class Bars:
    """A histogram on a logarithmic axis, and its ticks: place and word."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class OfKind:
    """How many cases of one kind were right."""

    kind: str
    right: int
    n: int

    @property
    def width(self) -> float:
        """Return the length of its bar, of 100."""
        return round(100 * self.right / self.n, 1)


def mark_of(measure: Measure, gate: Gate | None) -> Mark | None:
    """Place a rate; None: it is none, or has no value."""
    if measure.kind != "rate" or measure.value is None:
        return None
    bound = None
    if gate is not None:
        bound = gate.at_least if gate.at_least is not None else gate.at_most
    return Mark(
        at=_place(measure.value),
        low=None if measure.low is None else _place(measure.low),
        high=None if measure.high is None else _place(measure.high),
        gate=None if bound is None else _place(bound),
        passes_above=gate is not None and gate.at_least is not None,
    )


def latency_bars(cases: Sequence[CaseResult]) -> Bars | None:
    """Draw how long decisions took; None: nobody measured."""
    taken = [1_000 * one.seconds for one in cases if one.seconds]
    if not taken:
        return None
    low, high = log10(min(taken)), log10(max(taken))
    span = max(high - low, 0.3)
    step = BARS_WIDTH / _BARS
    numbers = [min(_BARS - 1, int((log10(one) - low) / span * _BARS)) for one in taken]
    counts = [numbers.count(number) for number in range(_BARS)]
    most = max(counts)
    edges = [10 ** (low + span * number / _BARS) for number in range(_BARS + 1)]
    bars = tuple(
        Bar(
            x=round(number * step + 0.5, 1),
            y=round(BARS_HEIGHT * (1 - count / most), 1),
            width=round(step - 1, 1),
            height=round(BARS_HEIGHT * count / most, 1),
            said=f"{edges[number]:.1f} to {edges[number + 1]:.1f} ms: {count}",
        )
        for number, count in enumerate(counts)
        if count
    )
    powers = [value * 10**exponent for exponent in range(-2, 5) for value in (1, 2, 5)]
    ticks = tuple(
        (round((log10(one) - low) / span * BARS_WIDTH, 1), f"{one:g}")
        for one in powers
        if low <= log10(one) <= low + span
    )
    return Bars(bars, ticks)


def by_kind(cases: Sequence[CaseResult], measure: str) -> tuple[OfKind, ...]:
    """Count what was right of each kind, the worst first; nothing where there is but one."""
    if measure in HARM:
        return ()
    judged = sorted(
        (one for one in cases if one.kind and measure in one.scores), key=lambda one: one.kind
    )
    found = [
        OfKind(kind, sum(one.scores[measure] == 1 for one in group), len(group))
        for kind, members in groupby(judged, lambda one: one.kind)
        if len(group := list(members)) >= _FEWEST_OF_A_KIND
    ]
    return tuple(sorted(found, key=lambda one: (one.width, one.kind))) if len(found) > 1 else ()


def _place(rate: float) -> float:
    return round(WIDTH * min(1.0, max(0.0, rate)), 1)
