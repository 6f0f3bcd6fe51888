"""Which action's examples does a sentence mean the same as? Softmax regression on its vector."""

from dataclasses import dataclass
from itertools import pairwise

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
_SHRUNK = 5.0
"""Examples that the common cosine counts as, beside those of the class."""


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
    usual_middles: Floats
    """(classes,) Cosine of a class's own examples to the middle of the others of them."""
    usual_nearest: Floats
    """(classes,) Cosine of a class's own examples to the nearest other one of them."""

    def scores(self, vector: Floats) -> Floats:
        """Score one sentence: (classes,)."""
        scores: Floats = np.einsum("d,dk->k", vector, self.weights) + self.bias  # no thread of BLAS
        return scores

    def nearness(self, vector: Floats, best: int) -> "Nearness":
        """Tell how near a sentence is to the examples of one class."""
        own = slice(int(self.starts[best]), int(self.starts[best + 1]))
        if own.start == own.stop:
            return Nearness(0.0, 0.0, None, -1.0, -1.0)
        cosines = np.einsum("nd,d->n", self.rows[own].astype(np.float32), vector)
        nearest = int(np.round(cosines, 4).argmax())
        middle = float(np.einsum("d,d->", self.middles[:, best], vector))
        return Nearness(
            middle,
            float(cosines[nearest]),
            int(self.places[own.start + nearest]),
            middle - float(self.usual_middles[best]),
            float(cosines[nearest] - self.usual_nearest[best]),
        )


@dataclass(frozen=True)
class Nearness:
    """Cosines to the middle of a class and to its nearest example, and which one that is."""

    middle: float
    nearest: float
    place: int | None
    middle_beyond: float
    """Above the cosine that is usual among the examples of the class: some are said in one way,
    others in many."""
    nearest_beyond: float


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
    to_middle, to_nearest = _among_themselves(x, y, sums, starts)
    start = _starting_from(x, y, middles, counts, to_middle)
    weights, bias = _regression(x, y, start, classes)
    bias = np.where(counts > 0, bias, _ABSENT).astype(np.float32)
    return Meaning(
        weights=(weights + _PULL * middles.T).astype(np.float32),
        bias=bias,
        middles=np.ascontiguousarray(middles.T),
        rows=x.astype(np.float16),
        starts=starts,
        places=order.astype(np.int64),
        usual_middles=_usual(to_middle, y, counts),
        usual_nearest=_usual(to_nearest, y, counts),
    )


def _among_themselves(x: Floats, y: Places, sums: Floats, starts: Places) -> tuple[Floats, Floats]:
    """Give each example's cosines to the others of its class, their middle and the nearest.

    One that is alone has none: NaN.
    """
    is_alone = np.diff(starts)[y] == 1
    to_middle: Floats = np.einsum("ij,ij->i", x, _unit(sums[y] - x))
    to_nearest = np.zeros(len(y), np.float32)
    for start, end in pairwise(starts.tolist()):
        cosines = x[start:end] @ x[start:end].T
        np.fill_diagonal(cosines, -1.0)
        to_nearest[start:end] = cosines.max(axis=1, initial=-1.0)
    to_middle[is_alone] = to_nearest[is_alone] = np.nan
    return to_middle, to_nearest


def _usual(cosines: Floats, y: Places, counts: Places) -> Floats:
    """Average by class; few examples stay near what is usual for all."""
    is_known = ~np.isnan(cosines)
    common = float(cosines[is_known].mean()) if is_known.any() else 0.5
    known = np.bincount(y[is_known], minlength=len(counts))
    sums = np.bincount(y[is_known], cosines[is_known], minlength=len(counts))
    usual: Floats = ((sums + _SHRUNK * common) / (known + _SHRUNK)).astype(np.float32)
    return usual


def _starting_from(
    x: Floats, y: Places, middles: Floats, counts: Places, to_middle: Floats
) -> Floats:
    """Score each example by the middles, its own one without itself: it would be too near."""
    start: Floats = (x @ middles.T) * np.float32(_PULL)
    start[np.arange(len(y)), y] = np.where(np.isnan(to_middle), 0.5, to_middle) * _PULL
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
