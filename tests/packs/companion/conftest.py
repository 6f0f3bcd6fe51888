"""The companion in a whole Executive, by words alone, with a clock that the test moves."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.graph.harbour import Harbour
from tests.stages import NOW
from tests.tables import lay_tables
from tools.platform.clock import VirtualClock

SAM = Principal(user="sam", tenant_id="default", roles=("player",))
ROBIN = Principal(user="robin", tenant_id="default", roles=("player",))
WATCHER = Principal(user="wim", tenant_id="default", roles=("watcher",))

OpenCompanion = Callable[..., AbstractAsyncContextManager[Harbour]]


@pytest.fixture
def open_companion(tmp_path: Path) -> OpenCompanion:
    """Open an Executive on the test's folder; again after it was closed, on the same one."""
    clock = VirtualClock(NOW)

    @asynccontextmanager
    async def open_it(
        folder: str = "data", clock: VirtualClock = clock, **given: Any
    ) -> AsyncIterator[Harbour]:
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
            data_dir=tmp_path / folder,
            packs=("companion",),
            embedder="none",
            **given,
        )
        lay_tables(settings.data_dir)
        async with open_executive(settings, clock=clock) as executive:
            yield Harbour(executive, clock, settings.data_dir)

    return open_it


@pytest.fixture
async def companion(open_companion: OpenCompanion) -> AsyncIterator[Harbour]:
    """Return a companion that nobody has met yet."""
    async with open_companion() as opened:
        yield opened
