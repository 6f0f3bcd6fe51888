"""What is a situation like, and would a word from us help in it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from state.errors import EncoderUnavailable
from state.salience import SalienceVector
from tools.embedding.embedder import Embedder
from tools.situations.examples import Example, Examples
from tools.situations.fitting import Fitted, Floats, fit

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


@dataclass(frozen=True)
class _Known:
    fitted: Fitted
    vectors: Floats


_LEARNT: dict[tuple[str, tuple[Example, ...]], _Known] = {}
"""What was learnt of these examples by this encoder: the same in every Executive of a process."""


class Situations:
    """Learns its examples when it is first asked, and knows nothing while the encoder is away."""

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
        return _Known(fit(vectors, np.array([row.wanted for row in rows])), vectors)

    def _nearness(self, cosines: Floats, kind: str) -> float:
        own = [
            float(cosine)
            for cosine, row in zip(cosines, self._examples.rows, strict=True)
            if row.kind == kind and row.wanted
        ]
        best = sorted(own, reverse=True)[:NEAREST]
        return sum(best) / len(best)
