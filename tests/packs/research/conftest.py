"""The research pack in a whole Executive, with providers on loopback and a clock of its own."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.wiring.composition import open_executive
from tests.graph.harbour import Harbour
from tests.packs.research.conversation import SHELF, Talk
from tests.stages import NOW
from tests.tables import lay_tables
from tests.tools.adapters.papers.asking import settings_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tools.platform.clock import VirtualClock

OpenTalk = Callable[..., AbstractAsyncContextManager[Talk]]


@pytest.fixture
def open_talk(tmp_path: Path) -> OpenTalk:
    """Open an Executive with the pack on the test's folder."""

    @asynccontextmanager
    async def open_it(packs: tuple[str, ...] = ("research",), **given: Any) -> AsyncIterator[Talk]:
        clock = VirtualClock(NOW)
        with semantic_scholar(SHELF) as scholar, openalex(SHELF) as alex:
            settings = settings_of(tmp_path, scholar, alex, packs=packs, _env_file=None, **given)
            lay_tables(settings.data_dir)
            async with open_executive(settings, clock=clock) as executive:
                yield Talk(Harbour(executive, clock, settings.data_dir), scholar, alex)

    return open_it


@pytest.fixture
async def talk(open_talk: OpenTalk) -> AsyncIterator[Talk]:
    """Return a conversation that has just begun."""
    async with open_talk() as opened:
        yield opened
