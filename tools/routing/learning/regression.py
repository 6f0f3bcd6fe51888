"""Softmax regression on dense rows: one curve for all labels that the same rows are given."""

from dataclasses import dataclass

import numpy as np

from tools.routing.learning.features import Floats, Places
from tools.routing.learning.similarity import softmax

_ALLOWED = 30.0
"""Inverse of the penalty on squared weights a text; 10 to 100 differ by less than .3 points."""
_STEPS = 25


@dataclass(frozen=True)
class Curve:
    """Rows, centred, and the inverse of the bound on the curvature of their softmax loss.

    Newton's method with a fixed bound (Böhning 1992), so that one inverse serves all steps and all
    labels, and with Nesterov's momentum: deterministic, and numpy alone.
    """

    centre: Floats
    rows: Floats
    penalty: float
    inverse: Floats

    @classmethod
    def of(cls, x: Floats) -> "Curve":
        """Invert the bound for some rows."""
        count, dimensions = x.shape
        centre = x.mean(axis=0)
        z = x - centre
        penalty = 1.0 / (_ALLOWED * count)
        bend = (z.T @ z) / np.float32(2 * count) + np.eye(dimensions, dtype=np.float32) * penalty
        return cls(centre, z, penalty, np.linalg.inv(bend.astype(np.float64)).astype(np.float32))

    def regression(self, y: Places, start: Floats, classes: int) -> tuple[Floats, Floats]:
        """Fit weights and bias that correct the scores in `start`: (rows, classes)."""
        z, count = self.rows, len(self.rows)
        weights, ahead = np.zeros((2, z.shape[1], classes), np.float32)
        bias, bias_ahead = np.zeros((2, classes), np.float32)
        momentum = 1.0
        for _ in range(_STEPS):
            error = softmax(start + z @ ahead + bias_ahead)
            error[np.arange(count), y] -= 1
            slope = z.T @ error / np.float32(count) + np.float32(self.penalty) * ahead
            new = ahead - self.inverse @ slope
            new_bias = bias_ahead - 2 * error.mean(axis=0)
            following = (1 + (1 + 4 * momentum * momentum) ** 0.5) / 2
            share = np.float32((momentum - 1) / following)
            ahead = new + share * (new - weights)
            bias_ahead = new_bias + share * (new_bias - bias)
            weights, bias, momentum = new, new_bias, following
        return weights, bias - self.centre @ weights
