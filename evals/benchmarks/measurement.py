"""One line of the table, made of samples."""

from collections.abc import Sequence
from statistics import quantiles
from time import perf_counter_ns
from typing import Literal

from state.noun import Noun

Unit = Literal["ms", "/s", "×", ""]


class Measurement(Noun):
    """What was measured, how often, and the middle and the slow end of it."""

    name: str
    n: int
    p50: float
    p95: float | None = None
    unit: Unit
    goal: str = ""


def summed_up(
    name: str, samples: Sequence[float], unit: Unit = "ms", goal: str = ""
) -> Measurement:
    """Take the median and the 95th percentile; below 20 samples the latter means nothing."""
    cuts = quantiles(samples, n=100, method="inclusive") if len(samples) > 1 else [samples[0]] * 99
    return Measurement(
        name=name,
        n=len(samples),
        p50=round(cuts[49], 3),
        p95=round(cuts[94], 3) if len(samples) >= 20 else None,
        unit=unit,
        goal=goal,
    )


class Stopwatch:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self._started = perf_counter_ns()

    @property
    def ms(self) -> float:
        """Tell how long it has been."""
        return (perf_counter_ns() - self._started) / 1e6
