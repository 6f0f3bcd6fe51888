import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.safety.benches import FILE, migrated_once
from tools.storage.database import Database


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return a folder whose tables are there already."""
    return shutil.copytree(migrated_once(), tmp_path / "data")


@pytest.fixture
def new_dir(tmp_path: Path) -> Path:
    """Return a folder that nobody opened yet."""
    folder = tmp_path / "new"
    folder.mkdir()
    return folder


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / FILE}")
    yield opened
    await opened.close()
