"""Figures that are no plain rate, with intervals from resampling the cases."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evals import roc
from evals.intervals import by_unit, wilson
from evals.measures import Measure

Column = npt.NDArray[np.float64]


def resampled(name: str, figure: Callable[..., float], *columns: Column) -> Measure:
    """Take a figure of columns of equal length, and the middle 95 % of it over resampled cases."""
    n = len(columns[0])
    value = figure(*columns)
    if n == 0 or np.isnan(value):
        return Measure(name=name, n=n)
    cases = [str(number) for number in range(n)]
    drawn = by_unit(lambda places: figure(*(one[places] for one in columns)), cases)
    if value == 1:  # no draw differs, but all right of few is not all right
        drawn = wilson(n, n)
    return Measure(
        name=name,
        value=value,
        n=n,
        low=drawn.low if drawn else None,
        high=drawn.high if drawn else None,
    )


def f1(said: Column, meant: Column) -> float:
    """Compute F1 of yes (1) and no (0); 0 when nothing was found."""
    hits = float(np.sum(said * meant))
    total = float(np.sum(said) + np.sum(meant))
    return 2 * hits / total if total else 0.0


def auc(scores: Column, meant: Column) -> float:
    """Compute the area under the ROC curve of columns; NaN without both. See evals/roc.py."""
    return roc.auc(scores[meant == 1], scores[meant == 0])


def mean(values: Column) -> float:
    """Average, NaN of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")
