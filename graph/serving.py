"""Open the Executive for a service: by itself, or inside a LangGraph server."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.compose import open_executive
from graph.pulse import pulsing
from graph.runner import Executive
from graph.settings import Settings
from graph.speaking import speaking_aloud


@asynccontextmanager
async def open_service() -> AsyncIterator[Executive]:
    """Open an Executive with its pulse on the settings of this process.

    Raises:
        Busy, PackFaults: see open_executive.
    """
    served = None
    if is_langgraph_server():
        from graph.app import toolbox
        from graph.server_threads import served_by_langgraph

        served = await served_by_langgraph(toolbox)
    async with (
        open_executive(Settings(), served=served) as executive,
        pulsing(executive),
        speaking_aloud(executive.speaking),
        _warming(executive),
    ):
        yield executive


@asynccontextmanager
async def _warming(executive: Executive) -> AsyncIterator[None]:
    """Load beside the first requests what the first message would wait for."""
    if executive.encoder is None:
        yield
        return
    loading = asyncio.create_task(asyncio.to_thread(executive.encoder.warm_up))
    try:
        yield
    finally:
        await loading  # a thread cannot be stopped; a server's answer has its own end


def is_langgraph_server() -> bool:
    """Tell whether a LangGraph server has this process; it serves our routes beside its own."""
    return "LANGSERVE_GRAPHS" in os.environ and "langgraph_api" in sys.modules
