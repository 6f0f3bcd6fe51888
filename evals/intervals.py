"""How far a rate from few cases can be trusted."""

from math import sqrt

from state.noun import Noun

Z_95 = 1.959964


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
