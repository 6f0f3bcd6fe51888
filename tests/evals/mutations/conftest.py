"""The packs whose commands are mutated, read by words alone: ten times as fast as by meaning."""

from pathlib import Path

import pytest

from evals.robustness.mutations import RoutingBench
from tests.learning import learn

BANK = Path(__file__).parents[2] / "bank"


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> RoutingBench:
    folder = tmp_path_factory.mktemp("mutated-bank")
    return RoutingBench(str(BANK), folder, cache=learnt_once, words_only=True)


@pytest.fixture(scope="session")
def vessel(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> RoutingBench:
    folder = tmp_path_factory.mktemp("mutated-vessel")
    learn("vessel", folder, learnt_once)
    return RoutingBench("vessel", folder, cache=learnt_once, words_only=True)


@pytest.fixture(scope="session")
def research(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> RoutingBench:
    folder = tmp_path_factory.mktemp("mutated-research")
    learn("research", folder, learnt_once)
    return RoutingBench("research", folder, cache=learnt_once, words_only=True)
