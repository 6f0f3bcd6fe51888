"""One encoder for all tests of a worker, with its graph beside what is learnt of packs."""

from pathlib import Path

import pytest

from tools.adapters.embedding.minilm import AdaptedMiniLM, MiniLM


@pytest.fixture(scope="session")
def minilm(learnt_once: Path) -> MiniLM:
    return MiniLM(learnt_once / "encoder")


@pytest.fixture(scope="session")
def adapted(learnt_once: Path) -> AdaptedMiniLM:
    return AdaptedMiniLM(learnt_once / "encoder")
