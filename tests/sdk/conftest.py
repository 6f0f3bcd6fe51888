"""A real service on loopback with the small pack."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from tests.safety.benches import CAPTAIN, ENGINEER, migrated_once, pack_once
from tests.threaded import Running, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data_dir: Path = shutil.copytree(migrated_once(), tmp_path_factory.mktemp("s") / "data")
    settings = Settings(data_dir=data_dir, packs=(str(pack_once()),))
    with running(open_executive(settings), CAPTAIN, ENGINEER) as one:
        yield one
