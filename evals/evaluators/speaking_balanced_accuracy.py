"""Does it speak when it should and hold its tongue when it should not, both counting the same?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals.evaluators.scoring import Score, of_all
from evals.intervals import Interval, by_unit, wilson
from evals.references import Outputs, Reference, units_of


def speaking_balanced_accuracy(
    outputs: Sequence[Outputs],
    reference_outputs: Sequence[Reference],
) -> Score:
    """Average the share of speech that was due and was heard and that of silence that was kept.

    The events of a stream hang together, so the interval draws whole streams again; it is never
    narrower than the mean of Wilson's two, which know that all right of few is not all right.
    """
    pairs = list(zip(outputs, reference_outputs, strict=True))
    right = np.array([given.get("spoke") is label["speak"] for given, label in pairs], bool)
    wanted = np.array([bool(label["speak"]) for _given, label in pairs], bool)

    def balanced(rows: "np.ndarray[Any, Any]") -> float:  # places in the columns
        sides = (right[rows][wanted[rows]], right[rows][~wanted[rows]])
        return sum(float(np.mean(side)) if len(side) else 0.0 for side in sides) / 2

    spoken, silent = right[wanted], right[~wanted]
    sides = [wilson(int(side.sum()), len(side)) for side in (spoken, silent)]
    low, high = sum(one.low for one in sides) / 2, sum(one.high for one in sides) / 2
    drawn = by_unit(balanced, units_of(reference_outputs))
    within = Interval(
        low=min(low, drawn.low) if drawn else low, high=max(high, drawn.high) if drawn else high
    )
    return of_all(
        "speaking_balanced_accuracy",
        balanced(np.arange(len(pairs))),
        len(pairs),
        within,
        comment=f"spoke {spoken.sum()} of {len(spoken)}, silent {silent.sum()} of {len(silent)}",
    )
