"""Fixtures for tests that run the pages as they are written."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from tests.graph.harbour import Harbour
from tests.stages import NOW
from tests.tables import lay_tables
from tools.platform.clock import VirtualClock

FILE = re.compile(r"^```\w+\n# (\w+\.\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file in a page: its first line is its name."""


@pytest.fixture(scope="session")
def page() -> str:
    """Return the reference of packs."""
    return (ROOT / "docs" / "reference" / "packs.md").read_text("utf-8")


@pytest.fixture(scope="session")
def tutorial() -> str:
    """Return the tutorial that builds a pack."""
    return (ROOT / "docs" / "tutorials" / "your-first-pack.md").read_text("utf-8")


@pytest.fixture
def toolshed(tutorial: str, tmp_path: Path) -> Path:
    """Write the files of the tutorial's pack where a reader would."""
    folder = tmp_path / "toolshed"
    folder.mkdir()
    for name, content in FILE.findall(tutorial):
        (folder / name).write_text(content, "utf-8")
    return folder


@pytest.fixture(scope="session")
def shed_learnt(learnt_once: Path) -> Path:
    """Return where the router keeps what it learns, for all workers."""
    return learnt_once


@pytest.fixture
async def shed(toolshed: Path, data_dir: Path, shed_learnt: Path) -> AsyncIterator[Harbour]:
    """Return an Executive that knows nothing but the tutorial's pack."""
    clock = VirtualClock(NOW)
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        data_dir=data_dir,
        packs=(str(toolshed),),
        cache_dir=shed_learnt,
    )
    lay_tables(data_dir)
    async with open_executive(settings, clock=clock) as executive:
        yield Harbour(executive, clock, data_dir)
