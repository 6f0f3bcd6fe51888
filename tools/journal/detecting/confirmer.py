"""The deterministic confirmer: named features, weights that can be read, a confidence."""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from state.noun import Noun
from tools.journal.detecting.features import Features

SHIPPED = Path(__file__).with_name("weights.toml")
_TOLD = 3


class Weights(Noun):
    """What each feature adds to the log odds of a decision."""

    bias: float
    words: Mapping[str, float] = Field(description="features of the message itself")
    setting: Mapping[str, float] = Field(description="features of the messages before it")

    def confidence(self, features: Features) -> float:
        """Weigh features; 0 to 1."""
        total = self.bias + sum(self._of(name) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def reasons(self, features: Features) -> tuple[str, ...]:
        """Name what told most, strongest first, with its sign."""
        told = {name: self._of(name) * value for name, value in features.items()}
        strongest = sorted(told, key=lambda name: (-abs(told[name]), name))[:_TOLD]
        return tuple(f"{name} {told[name]:+.1f}" for name in strongest if told[name])

    def _of(self, name: str) -> float:
        return self.words.get(name, self.setting.get(name, 0.0))


@cache
def shipped_weights() -> Weights:
    """Read the weights that ship, once."""
    return Weights.model_validate(tomllib.loads(SHIPPED.read_text("utf-8")))
