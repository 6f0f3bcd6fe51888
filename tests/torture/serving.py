"""Our routes over real HTTP, in this process, on a free port of loopback."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import uvicorn

from api.app import create_app
from graph.runner import Executive
from state.principal import Principal


@asynccontextmanager
async def served(executive: Executive) -> AsyncIterator[str]:
    """Serve until the block ends; the address is given."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(create_app(executive), log_config=None, access_log=False)
    )
    running = asyncio.create_task(server.serve(sockets=[listening]))
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listening.close()


@asynccontextmanager
async def clients(
    executive: Executive, *people: Principal
) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Serve, and open a client with a key of its own for each person."""
    async with served(executive) as address, AsyncExitStack() as stack:
        opened = []
        for each in people:
            key = await executive.keys.make(each)
            client = httpx.AsyncClient(
                base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=120
            )
            opened.append(await stack.enter_async_context(client))
        yield opened
