import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.safety.benches import migrated_once, opened_ledger
from tests.safety.valves import write_valves
from tools.ledger.ledger import Ledger


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return shutil.copytree(migrated_once(), tmp_path / "data")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_valves(tmp_path)


@pytest.fixture
async def ledger(data_dir: Path, pack: Path) -> AsyncIterator[Ledger]:
    async with opened_ledger(data_dir, pack) as opened:
        yield opened
