"""Which action's examples does a sentence mean the same as? Softmax regression on its vector."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.routing.features import Floats, Places
from tools.routing.similarity import softmax

_PULL = 20.0
"""Score of the cosine to the middle of an action's examples, which the regression starts from.
Cross-validated on ten examples an action: 0 → .874, 10 → .875, 20 → .880 with the words pooled."""
_ALLOWED = 30.0
"""Inverse of the penalty on squared weights a text; 10 to 100 differ by less than .3 points."""
_STEPS = 25
_ABSENT = -30.0


@dataclass(frozen=True)
class Meaning:
    """A trained model on unit vectors; rows are the examples, sorted by class."""

    weights: Floats
    """(dimensions, classes)"""
    bias: Floats
    middles: Floats
    """(dimensions, classes), unit length: where the examples of a class lie"""
    rows: npt.NDArray[np.float16]
    """(examples, dimensions)"""
    starts: Places
    """(classes + 1,): rows of class c are starts[c] to starts[c + 1]"""
    places: Places
    """Row → its place among the texts that were learnt."""

    def scores(self, vector: Floats) -> Floats:
        """Score one sentence: (classes,)."""
        scores: Floats = np.einsum("d,dk->k", vector, self.weights) + self.bias  # no thread of BLAS
        return scores

    def nearness(self, vector: Floats, best: int) -> "Nearness":
        """Tell how near a sentence is to the examples of one class."""
        own = slice(int(self.starts[best]), int(self.starts[best + 1]))
        if own.start == own.stop:
            return Nearness(0.0, 0.0, None)
        cosines = np.einsum("nd,d->n", self.rows[own].astype(np.float32), vector)
        nearest = int(np.round(cosines, 4).argmax())
        return Nearness(
            float(np.einsum("d,d->", self.middles[:, best], vector)),
            float(cosines[nearest]),
            int(self.places[own.start + nearest]),
        )


@dataclass(frozen=True)
class Nearness:
    """Cosines to the middle of a class and to its nearest example, and which one that is."""

    middle: float
    nearest: float
    place: int | None


def fit_meaning(vectors: Floats, labels: Places, *, classes: int) -> Meaning:
    """Fit the model: cosine to the middle of each class, corrected by a regression.

    Newton's method with the fixed bound of the softmax's curvature (Böhning 1992), so that one
    inverse serves all steps, and with Nesterov's momentum: deterministic, and numpy alone.
    """
    order = np.argsort(labels, kind="stable")
    x, y = vectors[order], labels[order]
    starts = np.searchsorted(y, np.arange(classes + 1)).astype(np.int64)
    counts = np.diff(starts)
    sums = np.zeros((classes, x.shape[1]), np.float32)
    np.add.at(sums, y, x)
    middles = _unit(sums)
    weights, bias = _regression(x, y, _starting_from(x, y, sums, middles, counts), classes)
    bias = np.where(counts > 0, bias, _ABSENT).astype(np.float32)
    return Meaning(
        weights=(weights + _PULL * middles.T).astype(np.float32),
        bias=bias,
        middles=np.ascontiguousarray(middles.T),
        rows=x.astype(np.float16),
        starts=starts,
        places=order.astype(np.int64),
    )


def _starting_from(x: Floats, y: Places, sums: Floats, middles: Floats, counts: Places) -> Floats:
    """Score each example by the middles, its own one without itself: it would be too near."""
    start: Floats = (x @ middles.T) * np.float32(_PULL)
    others = _unit(sums[y] - x)
    is_alone = counts[y] == 1
    own = np.where(is_alone, 0.5, np.einsum("ij,ij->i", x, others)) * _PULL
    start[np.arange(len(y)), y] = own
    start[:, counts == 0] = _ABSENT
    return start


def _regression(x: Floats, y: Places, start: Floats, classes: int) -> tuple[Floats, Floats]:
    count, dimensions = x.shape
    centre = x.mean(axis=0)
    z = x - centre
    penalty = 1.0 / (_ALLOWED * count)
    bend = (z.T @ z) / np.float32(2 * count) + np.eye(dimensions, dtype=np.float32) * penalty
    inverse = np.linalg.inv(bend.astype(np.float64)).astype(np.float32)
    weights, ahead = np.zeros((2, dimensions, classes), np.float32)
    bias, bias_ahead = np.zeros((2, classes), np.float32)
    momentum = 1.0
    for _ in range(_STEPS):
        error = softmax(start + z @ ahead + bias_ahead)
        error[np.arange(count), y] -= 1
        slope = z.T @ error / np.float32(count) + np.float32(penalty) * ahead
        new = ahead - inverse @ slope
        new_bias = bias_ahead - 2 * error.mean(axis=0)
        following = (1 + (1 + 4 * momentum * momentum) ** 0.5) / 2
        share = np.float32((momentum - 1) / following)
        ahead = new + share * (new - weights)
        bias_ahead = new_bias + share * (new_bias - bias)
        weights, bias, momentum = new, new_bias, following
    return weights, bias - centre @ weights


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.maximum(lengths, 1e-6)
    return unit
