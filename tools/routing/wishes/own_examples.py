"""What a pack's own examples tell about what is said to it.

Those of a ship's assistant sound like wishes; those of one that chats ("my name is Jason", "are you
a robot") or takes reports ("a calf is missing") do not, and then it says little that a text does
not either. And the more examples an action has, the more it tells that a text is like none.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from tools.catalogue.catalogue import Catalogue
from tools.embedding.embedder import Embedder
from tools.keeping import keep
from tools.routing.learning.content import key_beside
from tools.routing.reading import Reader
from tools.routing.wishes.judge import WishJudge

_USUAL = 1.5
"""Log odds of the examples of most packs."""
_LEAST, _MOST = 0.3, 4.0
"""Log odds of the packs that `by_all` was learnt from, about: beyond, nothing is known. A made-up
museum's are -1; so far out 76 of 96 texts that want nothing were offered something, from here 56,
and of 25 wishes as many."""
_SAMPLE = 128
_USUAL_COUNTS = 10
"""As so many examples: a few of a small pack tell little."""


@dataclass(frozen=True)
class OwnExamples:
    """How those of one pack sound, and how many there are."""

    odds: float = _USUAL
    """Mean log odds that they want something, by themselves."""
    each: float = 0.0
    """Examples an action, in the mean."""


_KEPT = TypeAdapter(dict[str, OwnExamples])


@dataclass(frozen=True)
class OwnExamplesIn:
    """Those of every pack of a catalogue; to hear them takes a third of a second."""

    catalogue: Catalogue
    reader: Reader
    cache: Path | None
    """A folder that keeps what was heard for the next start."""

    def heard(self, judge: WishJudge, manner: Embedder) -> Mapping[str, OwnExamples]:
        """Listen to some examples of each pack, or find them heard: by its name.

        Args:
            manner: hears how a text is said, as `judge` learnt it.

        Raises:
            EncoderUnavailable: it does not answer.
        """
        if self.cache is None or not judge.version:
            return self._heard(judge, manner)
        key = key_beside(self.reader.content, f"{manner.name}, {judge.version}")
        file = self.cache / f"heard-{key}.json"
        found = _load(file)
        if found is None:
            found = self._heard(judge, manner)
            keep(file, _KEPT.dump_json(found))
        return found

    def _heard(self, judge: WishJudge, manner: Embedder) -> dict[str, OwnExamples]:
        actions = self.catalogue.actions.values()
        examples: dict[str, list[str]] = defaultdict(list)
        for action in actions:
            examples[action.pack] += action.examples
        count = Counter(action.pack for action in actions)
        return {
            pack: OwnExamples(_odds(texts, self.reader, judge, manner), len(texts) / count[pack])
            for pack, texts in examples.items()
        }


def _load(file: Path) -> dict[str, OwnExamples] | None:
    try:
        return _KEPT.validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None  # absent or damaged: it is only a cache


def _odds(texts: Sequence[str], reader: Reader, judge: WishJudge, manner: Embedder) -> float:
    if not texts:
        return _USUAL
    places = np.linspace(0, len(texts) - 1, min(_SAMPLE, len(texts)), dtype=int)
    readings = [reader.read(texts[place]) for place in places]
    vectors = manner.embed([reading.said for reading in readings])
    found = sum(
        judge.odds(reading.normal.text, reading.act, vector, manner.name)
        for reading, vector in zip(readings, vectors, strict=True)
    )
    mean = (found + _USUAL_COUNTS * _USUAL) / (len(readings) + _USUAL_COUNTS)
    # Rounded before it decides: the last bits are the machine's.
    return round(min(max(mean, _LEAST), _MOST), 3)
