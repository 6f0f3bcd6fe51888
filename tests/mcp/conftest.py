"""A bench with a server on it; whatever it started has ended afterwards."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from tests.graph.harbour import HARBOUR, Harbour
from tests.mcp.doorway import PEOPLE, Doorway
from tests.mcp.office import Office, OpenOffice
from tests.mcp.servers import Bench
from tests.serving import serving
from tests.tables import lay_tables
from tools.catalog.pack_schema import McpServer
from tools.platform.clock import SystemClock, VirtualClock

OpenBench = Callable[[McpServer], AbstractAsyncContextManager[Bench]]


@pytest.fixture
def open_bench(tmp_path: Path) -> OpenBench:
    """Open a bench on a server and list its tools."""

    @asynccontextmanager
    async def opened(server: McpServer) -> AsyncIterator[Bench]:
        bench = Bench(server, tmp_path)
        try:
            await bench.list()
            yield bench
        finally:
            await bench.connection.close()

    return opened


@pytest.fixture
def open_office(tmp_path: Path) -> OpenOffice:
    """Open an Executive on a pack of the files given."""

    @asynccontextmanager
    async def opened(files: dict[str, str], **given: Any) -> AsyncIterator[Office]:
        folder = tmp_path / "office"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
            data_dir=tmp_path / "data",
            packs=(str(folder),),
            **given,
        )
        async with open_executive(settings) as executive:
            yield Office(executive)

    return opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doorway(
    tmp_path_factory: pytest.TempPathFactory, learnt_once: Path
) -> AsyncIterator[Doorway]:
    """Serve the harbour; a call waits for a person half a second, not twenty."""
    data_dir = tmp_path_factory.mktemp("doorway")
    (data_dir / "cache").symlink_to(learnt_once)
    lay_tables(data_dir)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.mcp.tools.WAIT_SECONDS", 0.5)
        async with AsyncExitStack() as stack:
            settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),), public_url="http://quay")
            executive = await stack.enter_async_context(open_executive(settings))
            address = await stack.enter_async_context(serving(create_app(executive)))
            keys = {name: await executive.keys.make(who) for name, who in PEOPLE.items()}
            clock = VirtualClock(SystemClock().now())
            yield Doorway(Harbour(executive, clock, data_dir), address, keys)
