"""Figures of several systems as a table, or as JSON."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue
from rich.table import Table

from evals.gates import Gates
from evals.measures import Measure
from graph.cli.terminal.console import OUT, print_json

Figures = Mapping[str, Sequence[Measure]]
"""System to its figures, ours first."""


def tell(title: str, systems: Figures, bounds: Gates, *, as_json: bool) -> None:
    """Print one table: a line a figure, a column a system."""
    if as_json:
        dumped: dict[str, JsonValue] = {
            name: [measure.model_dump(mode="json") for measure in measures]
            for name, measures in systems.items()
        }
        print_json({"title": title, "figures": dumped})
        return
    table = Table(title=title, title_justify="left")
    table.add_column("figure")
    for name in systems:
        table.add_column(name, justify="right")
    for rows in zip(*systems.values(), strict=True):
        gate = f" (gate {bounds[rows[0].name]})" if rows[0].name in bounds else ""
        table.add_row(rows[0].name + gate, *(_cell(measure) for measure in rows))
    OUT.print(table)


def _cell(measure: Measure) -> str:
    if measure.value is None:
        return "–"
    digits = _digits(measure)
    is_known = measure.low is not None and measure.high is not None
    interval = f" [{measure.low:.{digits}f}, {measure.high:.{digits}f}]" if is_known else ""
    return f"{measure.value:.{digits}f}{interval} of {measure.n}"


def _digits(measure: Measure) -> int:
    """Show a rate of thousands of cases down to a single one."""
    return 5 if (measure.n or 0) >= 1_000 else 3
