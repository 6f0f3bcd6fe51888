"""Compare an event with example situations and estimate the probability that an utterance helps.

The examples are ours and those of the packs; the classifier is a ridge regression on sentence
vectors, calibrated by Platt scaling on left-out predictions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Self

import numpy as np
import numpy.typing as npt
import yaml

from state.errors import EncoderUnavailable
from state.salience import SalienceVector
from tools.adapters import Embedder
from tools.catalog.pack_schema import AttentionFile, SituationKinds

Floats = npt.NDArray[np.float64]
RIDGE = 2.0
"""Penalty on squared weights. With one of our own examples left out at a time, the areas under the
curve are .79, .80 and .80 at 1, 2 and 3."""
_STEPS = 50
_DAMPING = 1e-3


@dataclass(frozen=True)
class CalibratedClassifier:
    """A line through the space of sentences, with its calibration."""

    middle: Floats
    """(dimensions,)"""
    weights: Floats
    """(dimensions,)"""
    slope: float
    offset: float

    def probability(self, vector: Floats) -> float:
        """Tell how likely a word is wanted, if it were wanted as often as not."""
        score = float(np.einsum("d,d->", vector - self.middle, self.weights))
        return float(1 / (1 + np.exp(-(self.slope * score + self.offset))))


def fit_classifier(vectors: Floats, wanted: npt.NDArray[np.bool_]) -> CalibratedClassifier:
    """Fit a line, both sides counting the same, and calibrate it on left-out predictions.

    Args:
        vectors: (n, dimensions), unit length.
        wanted: (n,), both values among them.
    """
    count = len(wanted)
    share = np.where(wanted, count / (2 * wanted.sum()), count / (2 * (~wanted).sum()))
    target = np.where(wanted, 1.0, -1.0)
    middle = np.einsum("n,nd->d", share, vectors) / share.sum()
    centred = vectors - middle
    weighted = centred * share[:, None]
    inverse = np.linalg.inv(
        np.einsum("nd,ne->de", weighted, centred) + RIDGE * np.eye(centred.shape[1])
    )
    weights = np.einsum("de,e->d", inverse, np.einsum("nd,n->d", weighted, target))
    predicted = np.einsum("nd,d->n", centred, weights)
    # Each prediction as if that example had not been learnt: the ridge gives them in closed form.
    reach = share * np.einsum("nd,de,ne->n", centred, inverse, centred)
    left_out = target - (target - predicted) / (1 - reach)
    slope, offset = _platt(left_out, wanted, share)
    return CalibratedClassifier(middle, weights, slope, offset)


def _platt(scores: Floats, wanted: npt.NDArray[np.bool_], share: Floats) -> tuple[float, float]:
    """Fit a logistic curve by Newton's method, damped: deterministic."""
    inputs = np.stack([scores, np.ones_like(scores)], axis=1)
    found = np.array([1.0, 0.0])
    for _step in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.einsum("nk,k->n", inputs, found)))
        slopes = np.einsum("n,nk->k", share * (likely - wanted), inputs)
        bends = np.einsum("n,nk,nl->kl", share * likely * (1 - likely), inputs, inputs)
        found = found - np.linalg.solve(bends + _DAMPING * np.eye(2), slopes)
    slope, offset = float(found[0]), float(found[1])
    # Where there is nothing to learn, leaving one out leans each prediction away from its own label
    # and the curve falls: believed, it would turn noise into the opposite of what was said.
    return (slope, offset) if slope > 0 else (0.0, 0.0)


BUILTIN_SITUATIONS = Path(__file__).with_name("situations.yaml")


@dataclass(frozen=True)
class Example:
    """One situation in plain words."""

    text: str
    kind: str
    wanted: bool
    """A word from us would help."""
    is_own: bool = False
    """A pack says so of its domain."""


@dataclass(frozen=True)
class Examples:
    """Situations with their kinds, and what each kind that wants a word adds to an event."""

    rows: tuple[Example, ...]
    adds: Mapping[str, SalienceVector]


@cache
def builtin_kinds() -> SituationKinds:
    """Read the situations that come with the product."""
    return SituationKinds.model_validate(
        yaml.load(BUILTIN_SITUATIONS.read_text(encoding="utf-8"), yaml.CSafeLoader)
    )


def merge_examples(kinds: Sequence[SituationKinds]) -> Examples:
    """Put situations together: ours first, and then those of packs.

    Kinds of one name are one kind, with what the first of them adds.
    """
    rows: dict[str, Example] = {}
    adds: dict[str, SalienceVector] = {}
    for place, each in enumerate(kinds):
        is_own = place > 0
        for name, kind in each.wanted.items():
            adds.setdefault(name, kind.adds)
            for text in kind.examples:
                rows.setdefault(text, Example(text, name, wanted=True, is_own=is_own))
        for name, quiet in each.unwanted.items():
            for text in quiet.examples:
                rows.setdefault(text, Example(text, name, wanted=False, is_own=is_own))
    return Examples(tuple(rows.values()), adds)


READ_CHARACTERS = 600
"""What an encoder reads of a text; the rest would be cut off by it anyhow."""
NEAREST = 3
STRANGE, KNOWN = 0.22, 0.32
"""Cosines to the nearest example: below the first nothing is known of a text, from the second on
all that there is. Noise (`x`, `{}`, `hello`) has .17 to .27; of 600 described situations the lowest
has .31."""


@dataclass(frozen=True)
class Situation:
    """How much a word would help, what the situation is like, and by which example."""

    wanted: float
    """0 to 1: a probability, at the share of situations that want one at all"""
    kind: str
    like: str
    """the nearest example"""
    adds: SalienceVector
    """of the kind that wants a word and is nearest"""
    goal_match: float
    """cosine to the nearest goal, above what unrelated sentences have; 0 without goals"""
    is_own: bool = False
    """the nearest example is a pack's"""
    is_unwanted: bool = False
    """in the nearest example nobody wants a word"""


@dataclass(frozen=True)
class _Known:
    fitted: CalibratedClassifier
    vectors: Floats


_LEARNT: dict[tuple[str, tuple[Example, ...]], _Known] = {}
"""What was learnt of these examples by this encoder: the same in every Executive of a process."""


class Situations:
    """Learns its examples when it is first asked, and knows nothing while the encoder is away."""

    @classmethod
    def of_packs(cls, files: Sequence[AttentionFile], embedder: Embedder, usual: float) -> Self:
        """Build it from our own examples and those of packs."""
        kinds = [builtin_kinds(), *(file.situations for file in files)]
        return cls(embedder, merge_examples(kinds), usual=usual)

    def __init__(self, embedder: Embedder, examples: Examples, *, usual: float) -> None:
        """Learn nothing yet.

        Args:
            usual: share of situations in which a word is wanted, 0 to 1.
        """
        self._embedder = embedder
        self._examples = examples
        self._odds = usual / (1 - usual)
        self._lock = Lock()
        self._known: _Known | None = None

    @property
    def has_own(self) -> bool:
        """Tell whether a pack says something of its domain."""
        return any(row.is_own for row in self._examples.rows)

    def judge(self, text: str, goals: Sequence[str] = ()) -> Situation | None:
        """Judge a text; None: the encoder does not answer. It blocks for milliseconds."""
        try:
            known = self._learnt()
            found = self._embedder.embed([text[:READ_CHARACTERS], *goals]).astype(np.float64)
        except EncoderUnavailable:
            return None
        vector, aims = found[0], found[1:]
        cosines = np.einsum("nd,d->n", known.vectors, vector)
        nearest = int(np.round(cosines, 4).argmax())
        trust = min(1.0, max(0.0, (float(cosines[nearest]) - STRANGE) / (KNOWN - STRANGE)))
        likely = known.fitted.probability(vector)
        odds = likely / max(1e-9, 1 - likely) * self._odds
        best = max(
            self._examples.adds,
            key=lambda kind: (round(self._nearness(cosines, kind), 4), kind),
        )
        aimed = max((float(np.einsum("d,d->", aim, vector)) for aim in aims), default=0.0)
        return Situation(
            wanted=round(trust * odds / (1 + odds), 4),
            kind=self._examples.rows[nearest].kind,
            like=self._examples.rows[nearest].text,
            adds=self._examples.adds[best],
            is_own=self._examples.rows[nearest].is_own,
            is_unwanted=not self._examples.rows[nearest].wanted,
            goal_match=round(min(1.0, max(0.0, (aimed - KNOWN) / (1 - KNOWN))), 4),
        )

    def _learnt(self) -> _Known:
        with self._lock:
            if self._known is None:
                key = (self._embedder.name, self._examples.rows)
                known = _LEARNT.get(key) or self._learn()
                self._known = _LEARNT[key] = known
            return self._known

    def _learn(self) -> _Known:
        rows = self._examples.rows
        vectors = self._embedder.embed([row.text for row in rows]).astype(np.float64)
        return _Known(fit_classifier(vectors, np.array([row.wanted for row in rows])), vectors)

    def _nearness(self, cosines: Floats, kind: str) -> float:
        own = [
            float(cosine)
            for cosine, row in zip(cosines, self._examples.rows, strict=True)
            if row.kind == kind and row.wanted
        ]
        best = sorted(own, reverse=True)[:NEAREST]
        return sum(best) / len(best)
