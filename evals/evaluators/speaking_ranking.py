"""Is an event that is worth a word ranked above one that is not, and how often is it wrong?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals import roc
from evals.evaluators.scoring import Score
from evals.intervals import by_unit
from evals.references import Outputs, Reference

_BY_RELEVANCE = {"relevant", "threat", "dull", "below_threshold", "familiar"}
"""Families of reasons that tell of the events themselves; the others are gates."""


def speaking_auc(
    inputs: Sequence[Mapping[str, Any]],  # JSON of the cases
    outputs: Sequence[Outputs],
    reference_outputs: Sequence[Reference],
) -> Score:
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

    return _told("speaking_auc", auc, [inputs[place] for place in kept])


def false_alarms_per_100(
    inputs: Sequence[Mapping[str, Any]],  # as above
    outputs: Sequence[Outputs],
    reference_outputs: Sequence[Reference],
) -> Score:
    """Count what was said and should not have been, in 100 events. Interval by streams."""
    pairs = zip(outputs, reference_outputs, strict=True)
    false = np.array([given.get("spoke") is True and not label["speak"] for given, label in pairs])
    return _told("false_alarms_per_100", lambda rows: 100 * float(np.mean(false[rows])), inputs)


def _told(key: str, figure: Any, inputs: Sequence[Mapping[str, Any]]) -> Score:
    value = figure(np.arange(len(inputs)))
    interval = by_unit(figure, [str(one["stream"]) for one in inputs])
    return {
        "key": key,
        "score": None if np.isnan(value) else value,
        "metadata": {
            "n": len(inputs),
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "kind": "number" if key == "false_alarms_per_100" else "rate",
        },
    }
