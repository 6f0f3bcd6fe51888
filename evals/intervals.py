"""How far a rate, or a mean, from few cases can be trusted."""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

from state.noun import Noun

Z_95 = 1.959964
_FLIPS = 6
"""2 * .5 ** 6 is .031; five flips of a coin fall on one side in 62 of 1,000."""


class Interval(Noun):
    """A range that holds the true rate in 95 of 100 such samples."""

    low: float
    high: float


def wilson(hits: float, n: int) -> Interval:
    """Compute the Wilson interval of a rate; it stays inside 0 to 1 and is honest at both ends.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).
    """
    if n == 0:
        return Interval(low=0.0, high=1.0)
    rate, z2 = hits / n, Z_95 * Z_95
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Interval(low=max(0.0, middle - half), high=min(1.0, middle + half))


def seen_from(n: int) -> float | None:
    """Tell the smallest change of a rate that two runs on the same cases show; None: none is.

    So many cases have to flip one way that McNemar's exact test gives a chance below .05: six.
    Where some flip the other way it takes more; 300 cases show two points.
    """
    return _FLIPS / n if n >= _FLIPS else None


def of_mean(values: Sequence[float], units: Sequence[str]) -> Interval | None:
    """Compute the interval of a mean of values from 0 to 1; None: there are no values.

    Wilson's where each case stands for itself, else by units. Where all are equal no draw differs,
    and what is known is as much as so many units tell: Wilson's again.
    """
    if not len(values):
        return None
    column = np.array(values, np.float64)
    distinct = len(set(units))
    if distinct < len(units) and column.min() < column.max():
        return by_unit(lambda places: float(column[places].mean()), units) or Interval(
            low=0.0, high=1.0
        )
    return wilson(float(column.mean()) * distinct, distinct)


def bootstrap(
    units: Sequence[Sequence[float]], *, seed: int = 6, rounds: int = 2_000
) -> Interval | None:
    """Compute the percentile bootstrap interval of the mean; None: there are fewer than two units.

    Source: B. Efron, Bootstrap methods: another look at the jackknife, Ann. Statist. 7 (1979).

    Args:
        units: what is drawn again, whole: values that depend on each other belong into one unit. To
            compare two ways on the same cases, give the differences: that is a paired interval.
    """
    if len(units) < 2:
        return None
    sums, sizes = np.array([sum(unit) for unit in units]), np.array([len(unit) for unit in units])
    drawn = np.random.default_rng(seed).integers(0, len(units), (rounds, len(units)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(low=float(low), high=float(high))


def by_unit(
    figure: Callable[[npt.NDArray[np.intp]], float],
    units: Sequence[str],
    *,
    seed: int = 6,
    rounds: int = 1_000,
) -> Interval | None:
    """Compute the percentile bootstrap interval of any figure, drawing whole units again.

    Args:
        figure: of the cases at some places; a draw for which it is NaN says nothing.
        units: the unit of each case; None comes back for fewer than two of them.
    """
    names, numbers = np.unique(np.array(units), return_inverse=True)
    if len(names) < 2:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(names), (rounds, len(names)))
    if len(names) == len(units):
        found = np.array([figure(places) for places in drawn])
    else:
        whole = [np.flatnonzero(numbers == number) for number in range(len(names))]
        found = np.array([figure(np.concatenate([whole[one] for one in some])) for some in drawn])
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return Interval(low=float(low), high=float(high))
