"""Similarity of an event to the one a heuristic was learned from.

Near in meaning, equal in facts, no antonyms.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock

import numpy as np
from rapidfuzz.fuzz import token_sort_ratio

from state.errors import EncoderUnavailable
from state.strategy_tuning import LearningTuning
from tools.adapters import Embedder, Vectors
from tools.nlu.lexicon.antonyms import has_antonyms
from tools.platform.text_comparison import changed_facts

_LONGEST = 500
_MEANWHILE = 16
"""Texts that a comparison embeds on its way; the others are compared by words until `learn`."""
_AT_ONCE = 64
_NONE: Vectors = np.zeros(0, np.float32)
_KEPT = 100_000
"""Vectors in memory, 1.5 KB each: every condition and every answer of a deployment.

What is beyond makes room by the oldest; conditions beyond are compared by their words.
"""


Recall = Callable[[Sequence[str]], Mapping[str, Vectors]]
"""Looks up what was embedded before, without embedding anything."""


@dataclass
class TextMatrix:
    """Texts that are compared with again and again: their vectors stay laid out as one matrix."""

    texts: tuple[str, ...]
    laid: "_Laid | None" = None


@dataclass(frozen=True)
class _Laid:
    rows: Vectors
    without: tuple[int, ...]
    """Places of texts that have no vector yet: their rows are zeros."""


@dataclass
class TextSimilarity:
    """Compares texts by an encoder, and by their words where there is none."""

    tuning: LearningTuning
    embedder: Embedder | None = None
    recall: Recall | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _sought: set[str] = field(default_factory=set)
    """Texts that nothing was kept of."""
    _lock: Lock = field(default_factory=Lock)

    def of(self, text: str, others: Sequence[str] | TextMatrix) -> tuple[float, ...]:
        """Tell how alike texts are to one, 0 to 1, on the scale of cosines.

        It may ask an encoder, and block: for the text, and for few of the others.
        """
        known = others if isinstance(others, TextMatrix) else TextMatrix(tuple(others))
        if not known.texts:
            return ()
        asked = self._asked(text[:_LONGEST])
        laid = None if asked is None else self._laid_out(known, len(asked))
        if asked is None or laid is None:
            return tuple(self._by_words(text, other) for other in known.texts)
        found = np.clip(laid.rows @ asked, 0, 1).tolist()
        for place in laid.without:
            found[place] = self._by_words(text, known.texts[place])
        return tuple(found)

    def is_alike(self, text: str, other: str) -> bool:
        """Tell whether two texts say nearly the same, with the same facts."""
        return (
            not state_different_facts(text, other)
            and self.of(text, [other])[0] >= self.tuning.alike
        )

    def is_same(self, text: str, other: str) -> bool:
        """Tell whether two texts are the same but for a letter or the order of words."""
        return self._by_words(text, other) >= self.tuning.alike and not state_different_facts(
            text, other
        )

    def learn(self, texts: Iterable[str]) -> int:
        """Embed some of the texts that have no vector yet, and tell how many; it blocks.

        Called again and again until it answers 0 it embeds them all, a few at a time, so that
        whoever compares meanwhile does not wait for the rest.
        """
        shorts = dict.fromkeys(text[:_LONGEST] for text in texts)
        # No more than are kept: of what pushes each other out some would be missing for ever.
        missing = [text for text in islice(shorts, _KEPT) if text not in self._vectors]
        return self._embed(missing[:_AT_ONCE])

    def _asked(self, text: str) -> Vectors | None:
        """Embed a text that comes once; the encoder keeps what it was asked for on disk."""
        if self.embedder is None:
            return None
        try:
            asked: Vectors = self.embedder.embed([text])[0]
        except EncoderUnavailable:
            return None
        return asked

    def _laid_out(self, known: TextMatrix, size: int) -> _Laid:
        """Lay the vectors of texts out as far as there are any, and embed a few that have none.

        Args:
            size: of a vector; those of another size are of a model that is there no more.
        """
        laid = known.laid
        if laid is not None and not laid.without and laid.rows.shape[1] == size:
            return laid
        shorts = [text[:_LONGEST] for text in known.texts]
        missing = list(dict.fromkeys(text for text in shorts if len(self._known(text)) != size))
        missing = self._recalled(missing, size)
        self._embed(missing[:_MEANWHILE])
        rows, without = np.zeros((len(shorts), size), np.float32), []
        for place, vector in enumerate(map(self._known, shorts)):
            if len(vector) == size:
                rows[place] = vector
            else:
                without.append(place)
        laid = known.laid = _Laid(rows, tuple(without))
        return laid

    def _recalled(self, texts: list[str], size: int) -> list[str]:
        """Take over what is kept of texts, as many as there is room for; give the others."""
        new = [text for text in texts if text not in self._sought]
        new = new[: max(0, _KEPT - len(self._vectors))]
        if self.recall is None or not new:
            return texts
        kept = self.recall(new)
        found = {text: vector for text, vector in kept.items() if len(vector) == size}
        with self._lock:
            self._vectors |= found
            if len(self._sought) > _KEPT:
                self._sought.clear()
            self._sought.update(text for text in new if text not in found)
        return [text for text in texts if text not in found]

    def _known(self, text: str) -> Vectors:
        return self._vectors.get(text, _NONE)

    def _embed(self, texts: Sequence[str]) -> int:
        if not texts or self.embedder is None:
            return 0
        try:
            found = self.embedder.embed(texts)
        except EncoderUnavailable:
            return 0
        with self._lock:
            self._vectors |= dict(zip(texts, found, strict=True))
            surplus = max(0, len(self._vectors) - _KEPT)
            for oldest in list(islice(self._vectors, surplus)):
                del self._vectors[oldest]
        return len(texts)

    def _by_words(self, text: str, other: str) -> float:
        """Bring what words share to the scale of cosines: letters alone make half a likeness."""
        short, rest = text[:_LONGEST].lower(), other[:_LONGEST].lower()
        shared = token_sort_ratio(short, rest) / 100
        return max(0.0, 1 - (1 - shared) * (1 - self.tuning.alike) / (1 - self.tuning.alike_words))


def state_different_facts(text: str, other: str, names: Sequence[str] = ()) -> bool:
    """Tell whether two texts state other facts or opposites, however alike they sound.

    Args:
        names: what may be named in them without a capital letter.
    """
    return bool(changed_facts(text, other, names)) or has_antonyms(text, other)
