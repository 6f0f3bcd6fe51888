"""Classify the dialogue act of a sentence: one classifier an act, fitted on embedded examples.

The acts take back, ask what waits, ask for quiet and end it; examples: dialogue_acts.yaml.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import yaml

from state.errors import EncoderUnavailable
from tools.adapters import Embedder
from tools.attention.situations import CalibratedClassifier, fit_classifier

Act = Literal["takes_back", "asks_pending", "hush", "speak_again"]
ACTS: tuple[Act, ...] = ("takes_back", "asks_pending", "hush", "speak_again")
EXAMPLES = Path(__file__).with_name("dialogue_acts.yaml")
MOST_ACT_CHARACTERS = 160
"""A longer message is about something of its own."""
LEAST = 0.5
"""Probability from which an act counts as heard, both sides being as frequent."""
PLAINLY = 0.25
"""By so much the end of a quiet has to be likelier than a wish for one."""
_DRAWN_OUT = re.compile(r"(\w)\1{2,}")
"""`shhhh` and `noooo`: an encoder knows them with two letters at most."""


@dataclass(frozen=True)
class DialogueActMatch:
    """The likeliest act of a sentence; `likely` is a probability, at even odds."""

    act: Act
    likely: float


@dataclass(frozen=True)
class DialogueActs:
    """Compares sentences with the examples in dialogue_acts.yaml, act by act."""

    embedder: Embedder | None = None
    """None: no act is ever heard, and fixed phrases alone count."""

    def of(self, text: str) -> DialogueActMatch | None:
        """Name the likeliest act; None: none is likely, or the encoder does not answer.

        It blocks for milliseconds; the first call of a process learns the examples.
        """
        return likeliest(self.likely(text))

    def likely(self, text: str) -> Mapping[Act, float]:
        """Give the probability of each act by itself; empty where nothing can be told. See of()."""
        said = _DRAWN_OUT.sub(r"\1\1", " ".join(text.split()))
        if self.embedder is None or not said or len(said) > MOST_ACT_CHARACTERS:
            return {}
        try:
            fitted = _learnt(self.embedder)
            vector = self.embedder.embed([said])[0].astype(np.float64)
        except EncoderUnavailable:
            return {}
        likely = {act: fitted[act].probability(vector) for act in ACTS}
        # A wish for quiet and the end of one share their words; in doubt it is a wish.
        if likely["speak_again"] < likely["hush"] + PLAINLY:
            likely["speak_again"] = 0.0
        return likely


def likeliest(odds: Mapping[Act, float]) -> DialogueActMatch | None:
    """Name the likeliest act; None: none is likely."""
    best = max(odds, key=odds.__getitem__, default=None)
    return DialogueActMatch(best, odds[best]) if best and odds[best] >= LEAST else None


_KNOWN: dict[str, Mapping[Act, CalibratedClassifier]] = {}
"""By the name of an encoder: the same for every Executive of a process."""


def _learnt(embedder: Embedder) -> Mapping[Act, CalibratedClassifier]:
    if embedder.name not in _KNOWN:
        texts, acts = zip(*_examples(), strict=True)
        vectors = embedder.embed(texts).astype(np.float64)
        _KNOWN[embedder.name] = {
            act: fit_classifier(vectors, np.array([one == act for one in acts])) for act in ACTS
        }
    return _KNOWN[embedder.name]


@cache
def _examples() -> tuple[tuple[str, str], ...]:
    read = yaml.load(EXAMPLES.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return tuple((text, act) for act, texts in read.items() for text in texts)
