"""When an event is one of the kind a heuristic was learned from: near in words, alike in facts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from rapidfuzz.fuzz import token_sort_ratio

from state.errors import EncoderUnavailable
from state.strategy_tuning import LearningTuning
from tools.embedding.embedder import Embedder, Vectors
from tools.heuristics.opposites import opposed
from tools.skills.facts import changed_facts

_LONGEST = 500
_KEPT = 5_000


@dataclass
class Likeness:
    """Compares texts by an encoder, and by their words where there is none."""

    tuning: LearningTuning
    embedder: Embedder | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        """Tell how alike texts are to one, 0 to 1, on the scale of cosines.

        It may ask an encoder, and block.
        """
        if not others:
            return ()
        short, rest = text[:_LONGEST], [other[:_LONGEST] for other in others]
        vectors = self._embedded([short, *rest]) if self.embedder else None
        if vectors is None:
            return tuple(self._by_words(short, other) for other in rest)
        cosines = np.stack(vectors[1:]) @ vectors[0]
        return tuple(np.clip(cosines, 0, 1).tolist())

    def is_alike(self, text: str, other: str) -> bool:
        """Tell whether two texts say nearly the same, with the same facts."""
        return not differ(text, other) and self.of(text, [other])[0] >= self.tuning.alike

    def _by_words(self, text: str, other: str) -> float:
        """Bring what words share to the scale of cosines: letters alone make half a likeness."""
        shared = token_sort_ratio(text.lower(), other.lower()) / 100
        return max(0.0, 1 - (1 - shared) * (1 - self.tuning.alike) / (1 - self.tuning.alike_words))

    def _embedded(self, texts: Sequence[str]) -> list[Vectors] | None:
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing and self.embedder is not None:
            try:
                found = self.embedder.embed(missing)
            except EncoderUnavailable:
                return None
            known |= dict(zip(missing, found, strict=True))
            with self._lock:
                if len(self._vectors) > _KEPT:
                    self._vectors.clear()
                self._vectors |= known
        return [known[text] for text in texts]


def differ(text: str, other: str, names: Sequence[str] = ()) -> bool:
    """Tell whether two texts state other facts or opposites, however alike they sound.

    Args:
        names: what may be named in them without a capital letter.
    """
    return bool(changed_facts(text, other, names)) or opposed(text, other)
