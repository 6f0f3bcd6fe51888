"""Print the figures of a run beside their bounds, and end with 1 past one of them."""

from collections.abc import Iterable

import typer

from evals.gates import Gates
from evals.measures import Measure
from graph.cli.terminal.console import OUT, complain


def print_measures(measured: Iterable[Measure], bounds: Gates) -> None:
    """Print one line a measure, with the gate that it has to pass."""
    for measure in measured:
        bound = f"  (gate {bounds[measure.name]})" if measure.name in bounds else ""
        interval = f"{measure.low:.4f} – {measure.high:.4f}" if measure.low is not None else ""
        value = "not measured" if measure.value is None else f"{measure.value:.4f}"
        OUT.print(f"{measure.name}: {value} of {measure.n}  [95 % {interval}]{bound}")


def exit_past(bounds: Gates, measured: Iterable[Measure]) -> None:
    """Name each figure past its bound.

    Raises:
        typer.Exit: with 1, where there is one.
    """
    failed = [one for one in measured if one.name in bounds and not bounds[one.name].holds(one)]
    for measure in failed:
        complain(f"{measure.name} is {measure.value}, must be {bounds[measure.name]}")
    if failed:
        raise typer.Exit(1)
