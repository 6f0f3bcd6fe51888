"""A vessel's store under the test's own folder, and a way to see all that is in it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

import pytest

from packs.vessel.store import FILE, reading
from state.action import HandlerContext

Ask = Callable[[str], list[tuple[object, ...]]]
Contents = Callable[[], dict[str, list[tuple[object, ...]]]]


@pytest.fixture
def context(data_dir: Path) -> HandlerContext:
    return HandlerContext(
        action_id="action-1",
        idempotency_key="action-1",
        tenant_id="default",
        user="marta",
        roles=("chief_engineer",),
        now=datetime(2026, 6, 14, 17, 30, tzinfo=UTC),
        data_dir=str(data_dir),
    )


@pytest.fixture
def ask(data_dir: Path) -> Ask:
    """Read the store past the pack, as a second pair of eyes."""

    def run(query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(data_dir / FILE)) as connection:
            return connection.execute(query).fetchall()

    return run


@pytest.fixture
def contents(data_dir: Path) -> Contents:
    """Return every row of every table, full-text index included."""

    def read() -> dict[str, list[tuple[object, ...]]]:
        with reading(data_dir):
            pass  # make it when it is not there yet
        # Past the pack, on one connection: to read the schema takes longer than to read a table.
        with closing(sqlite3.connect(data_dir / FILE)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {
                str(name): connection.execute(f"SELECT * FROM {name}").fetchall()
                for (name,) in tables.fetchall()
            }

    return read


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("vessel")
    with reading(folder):
        pass
    return folder / FILE


@pytest.fixture
def made_store(made: Path, data_dir: Path) -> None:
    """Begin on a copy: making the store anew for every test would take most of the time."""
    data_dir.mkdir(exist_ok=True)
    copyfile(made, data_dir / FILE)
