"""Softmax regression over words and over sentence vectors, with weights shared between actions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from state.action import Action
from tools.nlu.intent_classifier.features import Floats, Places, Row, Rows
from tools.nlu.lexicon.verbs import family_of

_BATCH = 256
_AT_ONCE = 768
"""Up to this many rows fit into one batch."""
_STEP = 3.0
"""Adagrad's step. Measured on 150 intents with two epochs: 1 → 90.9 %, 3 → 91.7 %, 5 → 90.6 %."""
_FIRST_SUM = 0.3
"""Adagrad's first sum of squares. Measured on 150 intents: 0.001 → 91.3 %, 0.3 → 91.9 %."""


@dataclass(frozen=True)
class WordModel:
    """A trained model: `scores` are linear, one a class."""

    weights: Floats
    """(features, classes)"""

    @cached_property
    def means(self) -> Floats:
        """What a feature says for a class on average: (features,)."""
        means: Floats = self.weights.mean(axis=1)
        return means

    def scores(self, rows: Rows) -> Floats:
        """Score rows: (rows, classes)."""
        scores = np.zeros((len(rows), self.weights.shape[1]), np.float32)
        for place in range(len(rows)):
            scores[place] = self.scores_of(rows.row(place))
        return scores

    def scores_of(self, row: Row) -> Floats:
        """Score one row: (classes,)."""
        # Not by BLAS, whose last bits depend on the number of its threads.
        scores: Floats = np.einsum("f,fk->k", row.values, self.weights.take(row.places, axis=0))
        return scores


@dataclass(frozen=True)
class Labels:
    """The class of each row, of so many."""

    of_rows: Places
    classes: int


def train(
    rows: Rows, labelled: Sequence[Labels], *, features: int, batches: int
) -> list[WordModel]:
    """Fit a model of each labelling; the same rows in the same order give the same weights.

    Each batch is made dense over the features that occur in it: a matrix product of that size is
    several times as fast as gathering sparse rows, and needs nothing but numpy.
    """
    models = [_Model.empty(features, labels) for labels in labelled]
    for batch in _batches(rows, batches):
        for model in models:
            model.learn(batch)
    return [WordModel(model.weights) for model in models]


@dataclass(frozen=True)
class _Batch:
    """Some rows, dense over the features they use."""

    used: Places
    dense: Floats
    rows: Places


@dataclass(frozen=True)
class _Model:
    labels: Labels
    weights: Floats
    squares: Floats

    @classmethod
    def empty(cls, features: int, labels: Labels) -> "_Model":
        weights = np.zeros((features, labels.classes), np.float32)
        return cls(labels, weights, np.full(features, _FIRST_SUM, np.float32))

    def learn(self, batch: _Batch) -> None:
        """Take one step of Adagrad."""
        local = self.weights[batch.used]
        error = softmax(batch.dense @ local)
        error[np.arange(len(batch.rows)), self.labels.of_rows[batch.rows]] -= 1
        slope = batch.dense.T @ error
        self.squares[batch.used] += np.einsum("ij,ij->i", slope, slope)
        slope *= (_STEP / np.sqrt(self.squares[batch.used]))[:, None]
        local -= slope
        self.weights[batch.used] = local


def _batches(rows: Rows, count: int) -> Iterator[_Batch]:
    """Give about `count` batches; few rows come all at once, and half as often."""
    if len(rows) <= _AT_ONCE:
        whole = _dense(rows, np.arange(len(rows)))
        yield from (whole for _ in range(-(-count // 2)))
        return
    generator = np.random.default_rng(0)
    for _ in range(-(-count * _BATCH // len(rows))):
        order = generator.permutation(len(rows))
        for start in range(0, len(rows), _BATCH):
            chosen = order[start : start + _BATCH]
            yield _dense(rows.pick(chosen), chosen)


def _dense(rows: Rows, places: Places) -> _Batch:
    used = np.flatnonzero(np.bincount(rows.places))
    column = np.zeros(int(used[-1]) + 1 if len(used) else 0, np.int64)
    column[used] = np.arange(len(used))
    dense = np.zeros((len(rows), len(used)), np.float32)
    dense[np.repeat(np.arange(len(rows)), np.diff(rows.starts)), column[rows.places]] = rows.values
    return _Batch(used, dense, places)


def softmax(scores: npt.NDArray[np.floating]) -> Floats:
    """Turn scores into shares along the last axis."""
    shares: Floats = (scores - scores.max(axis=-1, keepdims=True)).astype(np.float32)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


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


SHARE = np.float32(0.4)
"""Weight of the scores of an action's verb family, and of its object, beside its own. Learnt from
one author's examples and asked with another's, .25 to .5 found 1 to 2 in 100 more; on 150 intents,
which share no verb, nothing changes."""


def shared_by(actions: Sequence[Action]) -> tuple[Places, ...]:
    """Group the actions by family and by object; each gives (actions + 1,) group numbers.

    The last is `none of these`, a group of its own. What all share, or none, tells nothing apart.
    """
    found = []
    for names in (
        [family_of(action.verb) for action in actions],
        [action.object for action in actions],
    ):
        known = sorted(set(names))
        if 1 < len(known) < len(names):
            groups = [known.index(name) for name in names]
            found.append(np.array([*groups, len(known)], np.int64))
    return tuple(found)


def train_shared(
    rows: Rows,
    labels: Places,
    shared: Sequence[Places],
    *,
    features: int,
    classes: int,
    batches: int,
) -> WordModel:
    """Train on words, and add to each class what its groups have learnt."""
    of_groups = [Labels(groups[labels], int(groups.max()) + 1) for groups in shared]
    own, *others = train(
        rows, [Labels(labels, classes), *of_groups], features=features, batches=batches
    )
    weights = own.weights
    for groups, learnt in zip(shared, others, strict=True):
        weights += SHARE * learnt.weights[:, groups]
    return WordModel(weights / whole(shared))


def whole(shared: Sequence[Places]) -> np.float32:
    """Give what all the weights sum to, by which scores are divided: they stay as large."""
    return np.float32(1) + SHARE * np.float32(len(shared))


_PULL = 20.0
"""Score of the cosine to the middle of an action's examples, which the regression starts from.
Cross-validated on ten examples an action: 0 → .874, 10 → .875, 20 → .880 with the words pooled."""
_ABSENT = -30.0
_SHRUNK = 5.0
"""Examples that the common cosine counts as, beside those of the class."""


@dataclass(frozen=True)
class SentenceVectors:
    """The same texts twice, a row each, unit length."""

    said: Floats
    """A thing that is named stands for its kind."""
    plain: Floats
    """It stands there by its name."""

    def pick(self, rows: Places) -> "SentenceVectors":
        """Take some rows, in the order given."""
        return SentenceVectors(self.said[rows], self.plain[rows])


@dataclass(frozen=True)
class SentenceModel:
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

    def nearness(self, vector: Floats, best: int) -> "ClassProximity":
        """Tell how near a sentence is to the examples of one class."""
        own = slice(int(self.starts[best]), int(self.starts[best + 1]))
        if own.start == own.stop:
            return ClassProximity(0.0, 0.0, None, -1.0, -1.0)
        cosines = np.einsum("nd,d->n", self.rows[own].astype(np.float32), vector)
        nearest = int(np.round(cosines, 4).argmax())
        middle = float(np.einsum("d,d->", self.middles[:, best], vector))
        return ClassProximity(
            middle,
            float(cosines[nearest]),
            int(self.places[own.start + nearest]),
            middle - float(self.usual_middles[best]),
            float(cosines[nearest] - self.usual_nearest[best]),
        )


@dataclass(frozen=True)
class ClassProximity:
    """Cosines to the middle of a class and to its nearest example, and which one that is."""

    middle: float
    nearest: float
    place: int | None
    middle_beyond: float
    """Above the cosine that is usual among the examples of the class: some are said in one way,
    others in many."""
    nearest_beyond: float


def fit_meaning(
    vectors: SentenceVectors, labels: Places, *, classes: int, shared: Sequence[Places] = ()
) -> SentenceModel:
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
    return SentenceModel(
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
