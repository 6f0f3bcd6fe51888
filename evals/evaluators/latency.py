"""How long did a decision take, by the wall clock, one case after the other?"""

from collections.abc import Sequence

import numpy as np

from evals.evaluators.scoring import Score, of_all
from evals.intervals import by_unit
from evals.references import Outputs, Reference, units_of


def latency_median_ms(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Take the middle of all cases, in milliseconds."""
    return _quantile("latency_median_ms", 0.5, outputs, reference_outputs)


def latency_p95_ms(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Take what 95 of 100 cases stay below, in milliseconds."""
    return _quantile("latency_p95_ms", 0.95, outputs, reference_outputs)


def _quantile(
    key: str, share: float, outputs: Sequence[Outputs], references: Sequence[Reference]
) -> Score:
    timed = [
        (1_000 * given["seconds"], unit)
        for given, unit in zip(outputs, units_of(references), strict=True)
        if given.get("seconds") is not None
    ]
    if not timed:
        return of_all(key, None, 0, None, kind="milliseconds")
    taken = np.array([one for one, _unit in timed])
    interval = by_unit(
        lambda places: float(np.quantile(taken[places], share)), [unit for _one, unit in timed]
    )
    value = float(np.quantile(taken, share))
    return of_all(key, value, len(timed), interval, kind="milliseconds")
