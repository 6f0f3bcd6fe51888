"""The household of the simulation: what comes back in it, what happens once, what is right."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

import yaml
from pydantic import Field

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


def read_world(path: Path = WORLD, *, patterns: int | None = None) -> World:
    """Read the household that ships; `patterns`: only so many, the most frequent ones."""
    world = World.model_validate(yaml.safe_load(path.read_text("utf-8")))
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
