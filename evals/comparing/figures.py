"""What a strategy came to on each case, and on all of them, beside another strategy."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from pydantic import Field

from evals.intervals import Interval, bootstrap
from state.model_use import ModelUse
from state.noun import Noun
from state.strategy import StrategyName


class Scored(Noun):
    """One case under one strategy."""

    case: str
    unit: str = Field(description="cases of one unit depend on each other")
    right: bool
    calls: int
    seconds: float
    tokens: int
    cost: float


class Figure(Noun):
    """A mean over the cases, and what it differs by from the first strategy's on the same cases."""

    mean: float
    interval: Interval | None
    differs: float | None = Field(default=None, description="null: this is the first strategy")
    differs_interval: Interval | None = None


class Compared(Noun):
    """One strategy summed up."""

    strategy: StrategyName
    cases: int
    figures: Mapping[str, Figure]


MEASURES: Mapping[str, Callable[[Scored], float]] = {
    "right": lambda one: float(one.right),
    "calls": lambda one: float(one.calls),
    "milliseconds": lambda one: one.seconds * 1_000,
    "tokens": lambda one: float(one.tokens),
    "cost": lambda one: one.cost,
}
"""By name; each is a mean of a case."""


def scored(
    case: str, unit: str, models: Sequence[ModelUse], *, right: bool, seconds: float
) -> Scored:
    """Sum one case up; a model that rests after failures was not called."""
    return Scored(
        case=case,
        unit=unit,
        right=right,
        calls=sum(use.end != "resting" for use in models),
        seconds=seconds,
        tokens=sum(use.input_tokens + use.output_tokens for use in models),
        cost=sum(use.cost for use in models),
    )


def compared(found: Mapping[StrategyName, Sequence[Scored]]) -> tuple[Compared, ...]:
    """Put strategies side by side; each answered the same cases in the same order."""
    first = next(iter(found))
    return tuple(
        Compared(
            strategy=strategy,
            cases=len(cases),
            figures={
                name: _figure(cases, None if strategy == first else found[first], of)
                for name, of in MEASURES.items()
            },
        )
        for strategy, cases in found.items()
    )


def _figure(
    cases: Sequence[Scored], others: Sequence[Scored] | None, of: Callable[[Scored], float]
) -> Figure:
    values = [of(one) for one in cases]
    units = [one.unit for one in cases]
    figure = Figure(mean=sum(values) / len(values), interval=bootstrap(_grouped(units, values)))
    if others is None:
        return figure
    differences = [value - of(other) for value, other in zip(values, others, strict=True)]
    update = {
        "differs": sum(differences) / len(differences),
        "differs_interval": bootstrap(_grouped(units, differences)),
    }
    return figure.model_copy(update=update)


def _grouped(units: Sequence[str], values: Sequence[float]) -> list[list[float]]:
    pairs = zip(units, values, strict=True)
    return [
        [value for _unit, value in group] for _unit, group in groupby(pairs, lambda one: one[0])
    ]
