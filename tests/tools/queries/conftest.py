import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.safety.benches import FILE, migrated_once
from tests.stages import TUNING
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import load_pack
from tools.queries.log import SqlQueries
from tools.queries.row import QueryReading
from tools.storage.database import Database

HARBOUR = Path(__file__).parents[2] / "harbour"


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
def reading(catalogue: Catalogue) -> QueryReading:
    return QueryReading(catalogue, TUNING.execution, TUNING.policy.observed_seconds)


@pytest.fixture
def queries(database: Database, catalogue: Catalogue, reading: QueryReading) -> SqlQueries:
    return SqlQueries(database, catalogue, reading)
