"""Confidence on a catalogue that nobody has seen: what is stated is how often it is so."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from evals.robustness.external_labels import pack_from_labels
from state.policy import Routing
from tools.adapters.embedding.embedder import Vectors
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

ACTIONS, FOREIGN, EXAMPLES, ASKED = 24, 8, 8, 12
LETTERS = np.array(list("bcdfghklmnprstvz"))


@dataclass
class World:
    """Messages of words that say nothing, each with a vector near what it means."""

    name = "world"
    manner = None
    dimensions = 384
    vectors: dict[str, Vectors] = field(default_factory=dict)
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(11))

    def message(self, middle: Vectors, spread: float) -> str:
        words = ("".join(self.chance.choice(LETTERS, 9)) for _word in range(4))
        text = f"show me {' '.join(words)}"
        vector = middle + spread * self.chance.normal(size=self.dimensions)
        self.vectors[text] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return text

    def embed(self, texts: Sequence[str]) -> Vectors:
        far = np.zeros(self.dimensions, np.float32)
        return np.stack([self.vectors.get(text, far) for text in texts])


@dataclass(frozen=True)
class Asked:
    wanted: str | None
    routing: Routing

    @property
    def is_right(self) -> bool:
        return self.wanted is not None and self.routing.action == self.wanted


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    world = World()
    # Domains of four meanings each, which are nearer to each other than to the rest.
    domains = world.chance.normal(size=((ACTIONS + FOREIGN) // 4, world.dimensions))
    middles = [
        domains[place // 4] + 0.55 * world.chance.normal(size=world.dimensions)
        for place in range(ACTIONS + FOREIGN)
    ]
    spreads = world.chance.uniform(1.8, 2.4, size=ACTIONS + FOREIGN)
    # Foreign meanings are of domains that have actions, and of domains that have none.
    order = world.chance.permutation(ACTIONS + FOREIGN)
    known, foreign = order[:ACTIONS], order[ACTIONS:]
    rows = [
        {"text": world.message(middles[place], spreads[place]), "intent": f"action{place}"}
        for place in known
        for _example in range(EXAMPLES)
    ]
    folder = tmp_path_factory.mktemp("packs") / "world"
    pack_from_labels(rows, folder, split=None)
    router = Router(Catalogue.of([load_pack(folder)]), embedder=world)
    wanted = [f"action{place}" for place in known] + [None] * FOREIGN
    return [
        Asked(name, router.route(world.message(middles[place], spreads[place])))
        for name, place in zip(wanted, (*known, *foreign), strict=True)
        for _message in range(ASKED)
    ]


def test_the_right_one_is_found_and_not_always(asked: list[Asked]) -> None:
    right = np.mean([one.is_right for one in asked if one.wanted is not None])
    assert 0.7 < right < 0.99


def test_stated_confidence_is_how_often_it_is_right(asked: list[Asked]) -> None:
    covered = [one for one in asked if one.wanted is not None]
    stated = np.array([one.routing.confidence for one in covered])
    right = np.array([one.is_right for one in covered], float)
    assert abs(stated.mean() - right.mean()) < 0.1
    sure = stated >= 0.9
    assert sure.mean() > 0.3
    assert right[sure].mean() > 0.93


def test_what_no_action_covers_is_not_done(asked: list[Asked]) -> None:
    def runs(one: Asked) -> bool:
        return one.routing.held is None and one.routing.confidence >= 0.8

    foreign = [runs(one) for one in asked if one.wanted is None]
    wrong = [runs(one) and not one.is_right for one in asked if one.wanted is not None]
    assert np.mean(foreign) < 0.15
    assert np.mean(wrong) < 0.03
