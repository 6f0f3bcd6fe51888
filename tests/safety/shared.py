"""Fixtures of everything that attacks the ledger: a pack, a folder opened once, a nursery."""

import asyncio
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import write_valves


@pytest.fixture(scope="session", autouse=True)
def _quiet() -> Iterator[None]:
    """Log nothing: an attack fails loudly, and drawing its traceback takes seconds."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_valves(tmp_path_factory.mktemp("packs"))


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory, pack: Path) -> Path:
    """Return a data folder that was opened once: migrated, and with what the router learnt."""
    folder = tmp_path_factory.mktemp("fresh") / "data"

    async def open_once() -> None:
        async with opened_executive(folder, pack):
            pass

    asyncio.run(open_once())
    return folder


@pytest.fixture
def data_dir(tmp_path: Path, fresh: Path) -> Path:
    return shutil.copytree(fresh, tmp_path / "data")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with Nursery() as opened:
        yield opened
