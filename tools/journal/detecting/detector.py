"""Does a message, said after those before it, take a decision?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from state.journal import Detection
from tools.journal.detecting.confirmer import Weights, shipped_weights
from tools.journal.detecting.features import features_of
from tools.journal.detecting.window import CONTEXT_MESSAGES, Said, read_window


class Confirmer(Protocol):
    """Tells how likely it is that a message takes a decision; rules here, a model elsewhere."""

    def confirm(self, said: Said, context: Sequence[Said]) -> Detection:
        """Judge a message in the light of those before it, oldest first."""
        ...


@dataclass(frozen=True)
class Detector:
    """The confirmer that needs no model: the same words mean the same, every time."""

    threshold: float
    weights: Weights = field(default_factory=shipped_weights)

    def confirm(self, said: Said, context: Sequence[Said]) -> Detection:
        """Judge a message; see Confirmer."""
        window = read_window([one.short for one in context[-CONTEXT_MESSAGES:]])
        features = features_of(said.short.text, said.speaker, window)
        confidence = self.weights.confidence(features)
        return Detection(
            is_decision=confidence >= self.threshold,
            confidence=round(confidence, 4),
            reasons=self.weights.reasons(features),
        )
