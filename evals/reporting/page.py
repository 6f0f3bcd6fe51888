"""A report as one page: no script, nothing loaded, legible by day and by night."""

from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evals.gates import Gate
from evals.measures import Measure
from evals.reporting import plots
from evals.reporting.document import Held, Report
from evals.reporting.table import interval_of, seen_of, value_of

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
    mark: plots.Mark | None


class Card(NamedTuple):
    """An experiment as the page shows it."""

    held: Held
    rates: list[Row]
    counts: list[Row]
    taken: list[Row]
    bars: plots.Bars | None
    kinds: tuple[plots.OfKind, ...]
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
        plots=plots,
    )


def _card(held: Held) -> Card:
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
        bars=plots.latency_bars(experiment.cases),
        kinds=plots.by_kind(experiment.cases, lead),
        harm=max(len(harmful), _count(experiment.measures, "hard_false_positives")),
    )


def _is_count(measure: Measure, row: Row) -> bool:
    told = measure.n > 0 or row.gate != ""
    return told and measure.name not in _TAKEN and (row.mark is None or measure.name in _HARM)


def _count(measures: tuple[Measure, ...], name: str) -> int:
    return int(sum(one.value or 0 for one in measures if one.name == name))


def _row(measure: Measure, gate: Gate | None) -> Row:
    return Row(
        name=measure.name.replace("_", " "),
        value=value_of(measure),
        interval=interval_of(measure),
        seen=seen_of(measure),
        n=measure.n,
        gate=str(gate or ""),
        holds=None if gate is None else gate.holds(measure),
        mark=plots.mark_of(measure, gate),
    )
