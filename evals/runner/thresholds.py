"""Thresholds of thresholds.toml.

The least or most that a measure may be, and the exit code past one.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import typer
from pydantic import ConfigDict, TypeAdapter, ValidationError, model_validator

from api.cli.terminal import OUT, print_error
from evals.runner.measures import Measure
from state.errors import BadInput
from state.noun import Noun

SHIPPED = Path(__file__).parents[1] / "thresholds.toml"
CASES = "cases"
"""The measure that every dataset has: a half of it would pass what the whole does not."""


class Threshold(Noun):
    """A bound on one measure."""

    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _bounds_something(self) -> "Threshold":
        if self.at_least is None and self.at_most is None:
            raise ValueError("a gate needs at_least or at_most")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError(f"nothing is at least {self.at_least:g} and at most {self.at_most:g}")
        return self

    def holds(self, measure: Measure) -> bool:
        """Tell whether a measure passes; one without a value passes nothing."""
        if measure.value is None:
            return False
        low_enough = self.at_most is None or measure.value <= self.at_most
        return low_enough and (self.at_least is None or measure.value >= self.at_least)

    def __str__(self) -> str:
        bounds = (("≥", self.at_least), ("≤", self.at_most))
        return " ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound is not None)


Thresholds = Mapping[str, Threshold]
"""Measure to gate."""


def case_count(n: int) -> Measure:
    """Tell how many cases were judged, as a measure that a gate may stand on."""
    return Measure(name=CASES, value=n, n=n, kind="count")


_FILE = TypeAdapter(dict[str, dict[str, Threshold]], config=ConfigDict(extra="forbid"))


def read_thresholds(dataset: str, measures: tuple[str, ...], path: Path = SHIPPED) -> Thresholds:
    """Read the gates of a dataset; one that has none passes whatever comes out.

    Raises:
        BadInput: the file cannot be read, or a gate is on a measure that nobody takes.
    """
    try:
        gates = _FILE.validate_python(tomllib.loads(path.read_text("utf-8"))).get(dataset, {})
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadInput(f"{path}: {error}") from error
    unknown = sorted(set(gates) - {CASES, *measures})
    if unknown:
        raise BadInput(f"{path}: [{dataset}] has gates on unknown measures: {', '.join(unknown)}")
    return gates


def print_measures(measured: Iterable[Measure], bounds: Thresholds) -> None:
    """Print one line a measure, with the gate that it has to pass."""
    for measure in measured:
        bound = f"  (gate {bounds[measure.name]})" if measure.name in bounds else ""
        interval = f"{measure.low:.4f} – {measure.high:.4f}" if measure.low is not None else ""
        value = "not measured" if measure.value is None else f"{measure.value:.4f}"
        OUT.print(f"{measure.name}: {value} of {measure.n}  [95 % {interval}]{bound}")


def exit_past_thresholds(bounds: Thresholds, measured: Iterable[Measure]) -> None:
    """Name each figure past its bound.

    Raises:
        typer.Exit: with 1, where there is one.
    """
    failed = [one for one in measured if one.name in bounds and not bounds[one.name].holds(one)]
    for measure in failed:
        print_error(f"{measure.name} is {measure.value}, must be {bounds[measure.name]}")
    if failed:
        raise typer.Exit(1)
