"""How far a rate from few cases can be trusted."""

from collections.abc import Sequence
from math import sqrt

from state.query import Rate

Z_95 = 1.959964


def rate_of(hits: int, n: int) -> Rate:
    """Give a share with its Wilson interval, which is honest at both ends; of nothing: unknown.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).
    """
    if n == 0:
        return Rate(value=None, n=0, low=0.0, high=1.0)
    rate, z2 = hits / n, Z_95 * Z_95
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At 0 and 1 the bound is the rate itself, which rounding misses by a hair.
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Rate(value=rate, n=n, low=min(low, rate), high=max(high, rate))


def quantile(ascending: Sequence[float], share: float) -> float | None:
    """Give the smallest value that at least `share` of all do not exceed; of nothing: none."""
    if not ascending:
        return None
    place = -(-len(ascending) * share // 1)  # rounded up
    return ascending[max(0, int(place) - 1)]
