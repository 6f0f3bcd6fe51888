"""What did a model have to do with it: how often was it called, and what did that cost?"""

from collections.abc import Sequence

import numpy as np

from evals.evaluators.scoring import Score, counted, of_all
from evals.intervals import by_unit
from evals.references import Outputs, Reference, units_of


def model_calls(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count the calls; a model that rests after failures is not called."""
    calls = [sum(use["end"] != "resting" for use in given.get("models") or ()) for given in outputs]
    return counted("model_calls", calls, reference_outputs)


def model_cost(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Add up what the calls cost, by `prices` in policy.toml."""
    costs = np.array([sum(use["cost"] for use in given.get("models") or ()) for given in outputs])
    interval = by_unit(
        lambda places: float(costs[places].mean()) * len(costs), units_of(reference_outputs)
    )
    return of_all("model_cost", float(costs.sum()), len(costs), interval, kind="cost")
