"""How well a score ranks: the area under the ROC curve."""

import numpy as np
from numpy.typing import ArrayLike


def auc(yes: ArrayLike, no: ArrayLike) -> float:
    """Compute how often a yes scores above a no, a tie being half of it; NaN without both."""
    above, below = np.asarray(yes, float), np.sort(np.asarray(no, float))
    if not len(above) or not len(below):
        return float("nan")
    under = np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")
    return float(np.mean(under / 2) / len(below))
