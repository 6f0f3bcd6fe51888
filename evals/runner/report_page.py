"""`prefrontal evals page`: render reports as one self-contained HTML page without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log10
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.cli.terminal import print_note
from evals.measures import HARM, CaseResult, Measure
from evals.options import app
from evals.runner.report import (
    CheckedExperiment,
    Report,
    Threshold,
    interval_of,
    merged,
    read_report,
    seen_of,
    value_of,
)

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


def mark_of(measure: Measure, gate: Threshold | None) -> Mark | None:
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


_MOST_MISSES = 60
_HARM = ("hard_false_positives", "wrongful_auto_execute", "kept_waiting")
_LEADING = ("action_accuracy", "f1")
"""What a reader asks for first, whatever the order of the table."""
_TAKEN = ("latency_median_ms", "latency_p95_ms", "model_calls", "model_cost")


class Row(NamedTuple):
    """A figure as the page shows it."""

    name: str
    value: str
    interval: str
    seen: str
    n: int
    gate: str
    holds: bool | None
    mark: Mark | None


class Card(NamedTuple):
    """An experiment as the page shows it."""

    held: CheckedExperiment
    rates: list[Row]
    counts: list[Row]
    taken: list[Row]
    bars: Bars | None
    kinds: tuple[OfKind, ...]
    harm: int

    @property
    def lead(self) -> Row | None:
        """Return the figure that stands for it in the overview: the first of the rates."""
        return self.rates[0] if self.rates else None


def write_page(report: Report, path: Path) -> None:
    """Draw a report; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(drawn(report), "utf-8")


def drawn(report: Report) -> str:
    """Return the page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    cards = [_card(held) for held in report.held]
    return environment.get_template("page.html.jinja").render(
        report=report,
        cards=cards,
        cases=sum(card.held.experiment.n for card in cards),
        gates=sum(len(card.held.gates) for card in cards),
        failed=[(card, failure) for card in cards for failure in card.held.failures],
        harm=sum(card.harm for card in cards),
        seconds=sum(card.held.experiment.seconds for card in cards),
        most_misses=_MOST_MISSES,
        plots={
            "WIDTH": WIDTH,
            "HEIGHT": HEIGHT,
            "BARS_WIDTH": BARS_WIDTH,
            "BARS_HEIGHT": BARS_HEIGHT,
        },
    )


def _card(held: CheckedExperiment) -> Card:
    experiment = held.experiment
    rows = [(one, _row(one, held.gates.get(one.name))) for one in experiment.measures]
    # Rates of harm are told among the counts: their goal is nothing, not a place on an axis.
    rated = [(one, row) for one, row in rows if row.mark is not None and one.name not in _HARM]
    rated.sort(key=lambda pair: pair[0].name not in _LEADING)
    lead = rated[0][0].name if rated else ""
    harmful = {case.case for case in experiment.cases if case.scores.get("wrongful_auto_execute")}
    return Card(
        held=held,
        rates=[row for _one, row in rated],
        counts=[row for one, row in rows if _is_count(one, row)],
        taken=[row for one, row in rows if one.name in _TAKEN and one.n],
        bars=latency_bars(experiment.cases),
        kinds=by_kind(experiment.cases, lead),
        harm=max(len(harmful), _count(experiment.measures, "hard_false_positives")),
    )


def _is_count(measure: Measure, row: Row) -> bool:
    told = measure.n > 0 or row.gate != ""
    return told and measure.name not in _TAKEN and (row.mark is None or measure.name in _HARM)


def _count(measures: tuple[Measure, ...], name: str) -> int:
    return int(sum(one.value or 0 for one in measures if one.name == name))


def _row(measure: Measure, gate: Threshold | None) -> Row:
    return Row(
        name=measure.name.replace("_", " "),
        value=value_of(measure),
        interval=interval_of(measure),
        seen=seen_of(measure),
        n=measure.n,
        gate=str(gate or ""),
        holds=None if gate is None else gate.holds(measure),
        mark=mark_of(measure, gate),
    )


@app.command(epilog="Example: prefrontal evals page reports/*.json --out reports/evals.html")
def page(
    reports: Annotated[
        list[Path], typer.Argument(metavar="REPORT.json...", help="Of `evals run --report`.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.html")] = Path("evals.html"),
) -> None:
    """Lay reports of one run together and draw them; the page loads nothing from anywhere."""
    write_page(merged(read_report(path) for path in reports), out)
    print_note(f"drawn: {out}")
