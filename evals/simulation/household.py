"""The simulated household of world.yaml.

Recurring and single events, a scripted model and a user who rates.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import yaml
from pydantic import Field

from evals.loopback.openai_server import ModelRequest, Rule
from state.heuristic import Rating
from state.noun import Noun

WORLD = Path(__file__).with_name("world.yaml")
_FALLOFF = 0.7
"""The n-th most frequent pattern comes n ** -0.7 as often as the first, as words and errors do."""


class Pattern(Noun):
    """Something that comes back, in other words each time."""

    id: str
    source: str
    matters: bool = Field(default=False, description="so much hangs on it that hybrid asks")
    says: tuple[str, ...] = Field(min_length=1)
    answer: str
    changed: str = Field(description="what is right once the user has changed their mind")


class Once(Noun):
    """Something of which no two are alike: figures and names are filled in."""

    source: str
    text: str
    answer: str


class World(Noun):
    """What may happen."""

    patterns: tuple[Pattern, ...] = Field(min_length=1)
    once: tuple[Once, ...] = Field(min_length=1)
    names: tuple[str, ...] = Field(min_length=1)


@dataclass(frozen=True)
class Happening:
    """One event of the stream, and the answer the user wants to it."""

    number: int
    pattern: str | None
    """None: it happens once."""
    source: str
    text: str
    wanted: str
    matters: bool = False


def read_world(*, patterns: int | None = None) -> World:
    """Read the household that ships; `patterns`: only so many, the most frequent ones."""
    world = World.model_validate(yaml.safe_load(WORLD.read_text("utf-8")))
    return world.model_copy(update={"patterns": world.patterns[:patterns]})


def stream(
    world: World, count: int, *, seed: int, once: float, changed: frozenset[str], turns_at: int
) -> Iterator[Happening]:
    """Yield what happens, the same for the same seed.

    Args:
        once: share of events that happen once, 0 to 1.
        changed: patterns the user changes their mind about.
        turns_at: number of the first event after that; events are counted from 1.
    """
    chance = Random(seed)  # noqa: S311  # a simulation
    ranks = list(accumulate((rank + 1) ** -_FALLOFF for rank in range(len(world.patterns))))
    for number in range(1, count + 1):
        if chance.random() < once:
            yield _once(world, number, chance)
            continue
        pattern = chance.choices(world.patterns, cum_weights=ranks)[0]
        is_changed = number >= turns_at and pattern.id in changed
        yield Happening(
            number=number,
            pattern=pattern.id,
            source=pattern.source,
            text=chance.choice(pattern.says),
            wanted=pattern.changed if is_changed else pattern.answer,
            matters=pattern.matters,
        )


def _once(world: World, number: int, chance: Random) -> Happening:
    kind = chance.choice(world.once)
    filled = {"number": str(100 + number), "name": chance.choice(world.names)}
    text, wanted = kind.text.format(**filled), kind.answer.format(**filled)
    return Happening(number=number, pattern=None, source=kind.source, text=text, wanted=wanted)


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

    def _says(self, asked: ModelRequest) -> Mapping[str, Any]:
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
