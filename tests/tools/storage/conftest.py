from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.safety.benches import FILE
from tools.storage.database import Database


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / FILE}")
    yield opened
    await opened.close()
