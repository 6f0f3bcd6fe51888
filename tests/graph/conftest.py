"""A harbour on a real folder: the whole Executive with a clock that the test moves."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from tests.graph.harbour import HARBOUR, Harbour
from tests.stages import NOW
from tests.tables import lay_tables
from tools.platform.clock import VirtualClock

OpenHarbour = Callable[..., AbstractAsyncContextManager[Harbour]]


@pytest.fixture
def open_harbour(data_dir: Path, learnt_once: Path) -> OpenHarbour:
    """Open an Executive on the test's folder; again after it was closed, on the same one."""
    (data_dir / "cache").symlink_to(learnt_once)
    lay_tables(data_dir)
    clock = VirtualClock(NOW)

    @asynccontextmanager
    async def open_it(
        packs: tuple[str, ...] = (str(HARBOUR),), **given: Any
    ) -> AsyncIterator[Harbour]:
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
            data_dir=data_dir,
            packs=packs,
            **given,
        )
        async with open_executive(settings, clock=clock) as executive:
            yield Harbour(executive, clock, data_dir)

    return open_it


@pytest.fixture
async def harbour(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    """Return an open harbour without a model."""
    async with open_harbour() as opened:
        yield opened
