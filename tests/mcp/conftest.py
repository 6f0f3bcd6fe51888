"""A bench with a server on it; whatever it started has ended afterwards."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from tests.mcp.servers import Bench
from tools.catalogue.mcp_file import McpServer

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
