"""Who takes part in the simulation: a model that is mostly right, a user who mostly says so."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from evals.loopback.script import Asked, Rule
from evals.simulation.world import Happening, World
from state.heuristic import Rating


@dataclass
class ScriptedModel:
    """What the model server says: what is right, or now and then the answer to something else."""

    world: World
    seed: int
    wrong: float
    """Share of its answers that are wrong, 0 to 1."""
    now: Happening | None = field(default=None)
    """What it is asked about; whoever plays the stream sets it."""

    @property
    def rule(self) -> Rule:
        """Give the rule that answers every request of the server."""
        return Rule(says=self._says)

    def _says(self, asked: Asked) -> Mapping[str, Any]:
        now = self.now
        if now is None or now.text not in asked.last:
            return {"need": 0.5, "accept": 0.5}
        return {
            "action": None,
            "arguments": [],
            "predicted_success": 0.7,
            "confidence": 0.8,
            "say": self._answer(now),
        }

    def _answer(self, now: Happening) -> str:
        chance = _chance(self.seed, "model", now)
        if chance.random() >= self.wrong:
            return now.wanted
        others = [one.answer for one in self.world.patterns if one.answer != now.wanted]
        return chance.choice(others)


@dataclass(frozen=True)
class SimulatedUser:
    """Says of most answers how they were, and now and then the opposite of what they mean."""

    seed: int
    rates: float
    """Share of answers they say something of, 0 to 1."""
    mistaken: float
    """Share of what they say that they mean the other way round, 0 to 1."""

    def rating(self, now: Happening, said: str) -> Rating | None:
        """Rate an answer; None: not a word."""
        chance = _chance(self.seed, "user", now)
        if chance.random() >= self.rates:
            return None
        is_right = (said == now.wanted) != (chance.random() < self.mistaken)
        return "good" if is_right else "bad"


def _chance(seed: int, who: str, now: Happening) -> Random:
    """Draw from the event alone: what was asked before changes nothing."""
    return Random(json.dumps([seed, who, now.number]))  # noqa: S311  # a simulation
