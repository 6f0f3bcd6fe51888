"""An application over real HTTP on a free port of loopback, in this process."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from api.cli.server import CONNECTION

START_SECONDS = 300.0
"""Until a service of a pack of ours has started: a cold vessel is learnt for minutes meanwhile."""


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[str]:
    """Serve until the block ends, with the real server; the address is given."""
    # With the protocol named, asyncio turns Nagle off; without, every answer takes 40 ms more.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=CONNECTION,
            ws="none",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
    )
    running = asyncio.create_task(server.serve(sockets=[listening]))
    async with asyncio.timeout(60):
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listening.close()
