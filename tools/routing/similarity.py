"""Which action's examples does a text resemble? Softmax regression, trained when a pack loads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.routing.features import Floats, Places, Rows

_BATCH = 256
_STEP = 3.0
"""Adagrad's step. Measured on 150 intents with two epochs: 1 → 90.9 %, 3 → 91.7 %, 5 → 90.6 %."""
_FIRST_SUM = 0.3
"""Adagrad's first sum of squares. Measured on 150 intents: 0.001 → 91.3 %, 0.3 → 91.9 %."""


@dataclass(frozen=True)
class Resemblance:
    """A trained model: `scores` are linear, one a class."""

    weights: Floats
    """(features, classes)"""

    def scores(self, rows: Rows) -> Floats:
        """Score rows: (rows, classes)."""
        scores = np.zeros((len(rows), self.weights.shape[1]), np.float32)
        for row in range(len(rows)):
            part = slice(int(rows.starts[row]), int(rows.starts[row + 1]))
            scores[row] = rows.values[part] @ self.weights[rows.places[part]]
        return scores


def train(rows: Rows, labels: Places, *, features: int, classes: int, batches: int) -> Resemblance:
    """Fit the model; the same rows in the same order give the same weights.

    Each batch is made dense over the features that occur in it: a matrix product of that size is
    several times as fast as gathering sparse rows, and needs nothing but numpy.
    """
    weights = np.zeros((features, classes), np.float32)
    squares = np.full((features, 1), _FIRST_SUM, np.float32)
    generator = np.random.default_rng(0)
    rounds = -(-batches * _BATCH // max(1, len(rows)))
    for _ in range(rounds):
        order = generator.permutation(len(rows))
        for start in range(0, len(rows), _BATCH):
            chosen = order[start : start + _BATCH]
            batch = rows.pick(chosen)
            used, column = np.unique(batch.places, return_inverse=True)
            dense = np.zeros((len(batch), len(used)), np.float32)
            row = np.repeat(np.arange(len(batch)), np.diff(batch.starts))
            dense[row, column] = batch.values
            local = weights[used]
            error = softmax(dense @ local)
            error[np.arange(len(batch)), labels[chosen]] -= 1
            slope = dense.T @ error
            squares[used] += (slope * slope).sum(axis=1, keepdims=True)
            weights[used] = local - _STEP * slope / np.sqrt(squares[used])
    return Resemblance(weights)


def softmax(scores: npt.NDArray[np.floating]) -> Floats:
    """Turn scores into shares along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares
