"""A harbour that lives by the clock on the wall, and the log of what happened in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from tests.graph.harbour import HARBOUR, Harbour
from tools.platform.clock import SystemClock


@pytest.fixture
def lived_in(data_dir: Path, learnt_once: Path) -> Settings:
    """Return the settings of a harbour in real time."""
    return Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        data_dir=data_dir,
        cache_dir=learnt_once,
        packs=(str(HARBOUR),),
        embedder="none",
    )


@asynccontextmanager
async def open_harbour(settings: Settings) -> AsyncIterator[Harbour]:
    """Open it; nothing moves its clock."""
    clock: Any = SystemClock()
    async with open_executive(settings) as executive:
        yield Harbour(executive, clock, settings.data_dir)
