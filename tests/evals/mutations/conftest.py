"""The packs whose commands are mutated."""

from pathlib import Path

import pytest

from evals.mutations.judging import Bench

BANK = Path(__file__).parents[2] / "bank"


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> Bench:
    return Bench(str(BANK), tmp_path_factory.mktemp("mutated-bank"), cache=learnt_once)


@pytest.fixture(scope="session")
def vessel(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> Bench:
    return Bench("vessel", tmp_path_factory.mktemp("mutated-vessel"), cache=learnt_once)
