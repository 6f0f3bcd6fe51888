import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.safety.benches import FILE, migrated_once
from tests.stages import TUNING
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.observability.query_log import SqlQueryLog
from tools.observability.query_row import QueryRowBuilder
from tools.storage.database import Database

HARBOUR = Path(__file__).parents[3] / "harbour"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return a folder whose tables are there already."""
    return shutil.copytree(migrated_once(), tmp_path / "data")


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / FILE}")
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.of([load_pack(HARBOUR)])


@pytest.fixture
def reading(catalogue: Catalogue) -> QueryRowBuilder:
    return QueryRowBuilder(catalogue, TUNING.execution, TUNING.policy.observed_seconds)


@pytest.fixture
def queries(database: Database, catalogue: Catalogue, reading: QueryRowBuilder) -> SqlQueryLog:
    return SqlQueryLog(database, catalogue, reading)
