"""Which action's examples does a sentence mean the same as? Softmax regression on its vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tools.routing.learning.features import Floats, Places
from tools.routing.learning.regression import Curve
from tools.routing.learning.sharing import SHARE, whole

_PULL = 20.0
"""Score of the cosine to the middle of an action's examples, which the regression starts from.
Cross-validated on ten examples an action: 0 → .874, 10 → .875, 20 → .880 with the words pooled."""
_ABSENT = -30.0
_SHRUNK = 5.0
"""Examples that the common cosine counts as, beside those of the class."""


@dataclass(frozen=True)
class Vectors:
    """The same texts twice, a row each, unit length."""

    said: Floats
    """A thing that is named stands for its kind."""
    plain: Floats
    """It stands there by its name."""

    def pick(self, rows: Places) -> "Vectors":
        """Take some rows, in the order given."""
        return Vectors(self.said[rows], self.plain[rows])


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


def fit_meaning(
    vectors: Vectors, labels: Places, *, classes: int, shared: Sequence[Places] = ()
) -> Meaning:
    """Fit the model: cosine to the middle of each class, corrected by a regression.

    Args:
        shared: groups of classes, see sharing.py: what is learnt of them counts for each member.
    """
    order = np.argsort(labels, kind="stable")
    x, plain, y = vectors.said[order], vectors.plain[order], labels[order]
    named = np.flatnonzero((x != plain).any(axis=1))
    curve = Curve.of(np.concatenate([x, plain[named]]))
    weights, bias = _weights(curve, x, plain[named], y, named, classes)
    for groups in shared:
        of_groups = _weights(curve, x, plain[named], groups[y], named, int(groups.max()) + 1)
        weights = weights + SHARE * of_groups[0][:, groups[:classes]]
        bias = bias + SHARE * of_groups[1][groups[:classes]]
    weights, bias = weights / whole(shared), bias / whole(shared)
    starts = np.searchsorted(y, np.arange(classes + 1)).astype(np.int64)
    counts = np.diff(starts)
    sums = _sums(x, y, classes)
    to_middle, to_nearest = _among_themselves(x, y, sums, starts)
    bias = np.where(counts > 0, bias, _ABSENT).astype(np.float32)
    return Meaning(
        weights=weights.astype(np.float32),
        bias=bias,
        middles=np.ascontiguousarray(_unit(sums).T),
        rows=x.astype(np.float16),
        starts=starts,
        places=order.astype(np.int64),
        usual_middles=_usual(to_middle, y, counts),
        usual_nearest=_usual(to_nearest, y, counts),
    )


def _weights(
    curve: Curve, x: Floats, plain: Floats, y: Places, named: Places, classes: int
) -> tuple[Floats, Floats]:
    """Fit the regression of some classes; what is named is seen by its kind and by its name."""
    sums, counts = _sums(x, y, classes), np.bincount(y, minlength=classes)
    middles, rest = _unit(sums), _unit(sums[y] - x)
    start = _starting_from(x, y, middles, counts, rest)
    by_name = _starting_from(plain, y[named], middles, counts, rest[named])
    labels = np.concatenate([y, y[named]])
    weights, bias = curve.regression(labels, np.concatenate([start, by_name]), classes)
    bias = np.where(counts > 0, bias, _ABSENT).astype(np.float32)
    return (weights + _PULL * middles.T).astype(np.float32), bias


def _sums(x: Floats, y: Places, classes: int) -> Floats:
    is_of = np.zeros((len(y), classes), np.float32)
    is_of[np.arange(len(y)), y] = 1
    sums: Floats = is_of.T @ x  # a product is some fifty times as fast as adding row by row
    return sums


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


def _starting_from(x: Floats, y: Places, middles: Floats, counts: Places, rest: Floats) -> Floats:
    """Score examples by the middles, the own one without themselves: it would be too near."""
    start: Floats = (x @ middles.T) * np.float32(_PULL)
    own = np.where(counts[y] > 1, np.einsum("ij,ij->i", x, rest), 0.5)
    start[np.arange(len(y)), y] = own * _PULL
    start[:, counts == 0] = _ABSENT
    return start


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.maximum(lengths, 1e-6)
    return unit
