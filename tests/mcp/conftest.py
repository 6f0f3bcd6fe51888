"""A bench with a server on it; whatever it started has ended afterwards."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from tests.mcp.office import Office, OpenOffice
from tests.mcp.servers import Bench
from tools.catalog.pack_schema import McpServer

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
