"""Is an event that is worth a word ranked above one that is not, and how often is it wrong?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals import roc
from evals.evaluators.scoring import Score
from evals.intervals import by_unit
from evals.references import Outputs, Reference


def speaking_auc(
    inputs: Sequence[Mapping[str, Any]],  # JSON of the cases
    outputs: Sequence[Outputs],
    reference_outputs: Sequence[Reference],
) -> Score:
    """Rank by how far relevance is above its threshold; .5 is chance. Interval by streams."""
    margins = np.array([float(given.get("margin", -1.0)) for given in outputs])
    wanted = np.array([bool(reference["speak"]) for reference in reference_outputs])

    def auc(rows: "np.ndarray[Any, Any]") -> float:  # places in the columns
        return roc.auc(margins[rows][wanted[rows]], margins[rows][~wanted[rows]])

    return _told("speaking_auc", auc, inputs)


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
