"""Figures that are no plain rate, with intervals from resampling the cases."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evals import roc
from evals.measures import Measure

ROUNDS = 500
Column = npt.NDArray[np.float64]


def resampled(name: str, figure: Callable[..., float], *columns: Column) -> Measure:
    """Take a figure of columns of equal length, and the middle 95 % of it over resampled cases."""
    n = len(columns[0])
    value = figure(*columns)
    if n == 0 or np.isnan(value):
        return Measure(name=name, n=n)
    draw = np.random.default_rng(1)
    found = np.array(
        [
            figure(*(column[rows] for column in columns))
            for rows in (draw.integers(0, n, n) for _ in range(ROUNDS))
        ]
    )
    found = found[~np.isnan(found)]
    low, high = np.quantile(found, [0.025, 0.975]) if len(found) else (value, value)
    return Measure(name=name, value=value, n=n, low=float(low), high=float(high))


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
