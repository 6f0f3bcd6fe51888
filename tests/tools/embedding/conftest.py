"""One encoder for all tests of a worker, with its graph beside what is learnt of packs."""

from pathlib import Path

import pytest

from tools.embedding.minilm import MiniLM


@pytest.fixture(scope="session")
def minilm(learnt_once: Path) -> MiniLM:
    return MiniLM(learnt_once / "encoder")
