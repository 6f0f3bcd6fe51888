"""Is an event that is worth a word ranked above one that is not, and how often is it wrong?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals import roc
from evals.evaluators.scoring import Score, counted, of_all
from evals.intervals import Interval, by_unit, of_mean
from evals.references import Outputs, Reference, units_of

_BY_RELEVANCE = {"relevant", "threat", "dull", "below_threshold", "familiar"}
"""Families of reasons that tell of the events themselves; the others are gates."""


def speaking_auc(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Rank by how far an event is above its bar; .5 is chance. Interval by streams.

    Of the events that this decides, by their label: a person who asks is answered, and who is in
    the quiet, busy or told already hears nothing, however relevant it is.
    """
    ranked = [set(label["reasons"]) <= _BY_RELEVANCE for label in reference_outputs]
    kept = [place for place, is_ranked in enumerate(ranked) if is_ranked]
    margins = np.array([float(outputs[place].get("margin", -1.0)) for place in kept])
    wanted = np.array([bool(reference_outputs[place]["speak"]) for place in kept])

    def auc(rows: "np.ndarray[Any, Any]") -> float:  # places in the columns
        return roc.auc(margins[rows][wanted[rows]], margins[rows][~wanted[rows]])

    value, units = auc(np.arange(len(kept))), units_of(reference_outputs)
    interval = by_unit(auc, [units[place] for place in kept])
    known = None if np.isnan(value) else value
    return of_all("speaking_auc", known, len(kept), interval)


def false_alarms_per_100(
    outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]
) -> Score:
    """Count what was said and should not have been, in 100 events. Interval by streams."""
    pairs = zip(outputs, reference_outputs, strict=True)
    false = np.array([given.get("spoke") is True and not label["speak"] for given, label in pairs])
    mean = of_mean(false.astype(float).tolist(), units_of(reference_outputs))
    within = mean and Interval(low=100 * mean.low, high=100 * mean.high)
    share = 100 * float(np.mean(false)) if len(false) else None
    return of_all("false_alarms_per_100", share, len(false), within, kind="number")


def told_twice(outputs: Sequence[Outputs], reference_outputs: Sequence[Reference]) -> Score:
    """Count events that were delivered again and told again: whoever sends twice is heard once."""
    judged = [
        (given.get("spoke") is True, label)
        for given, label in zip(outputs, reference_outputs, strict=True)
        if label["reasons"] == ["duplicate"]
    ]
    return counted("told_twice", [one for one, _label in judged], [label for _, label in judged])
