"""Open the Executive for a service: by itself, or inside a LangGraph server."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from graph.assembly.speaking import speaking_aloud
from graph.compose import open_executive
from graph.pulse import pulsing
from graph.runner import Executive
from graph.settings import Settings

log = structlog.get_logger()


@asynccontextmanager
async def open_service() -> AsyncIterator[Executive]:
    """Open an Executive with its pulse on the settings of this process.

    Raises:
        Busy, PackFaults: see open_executive.
    """
    served = None
    if is_langgraph_server():
        from graph.app import toolbox
        from graph.running.server_threads import served_by_langgraph

        asked = toolbox.settings.full_runs
        is_full = is_langgraph_dev() if asked is None else asked
        served = await served_by_langgraph(toolbox, is_full=is_full)
    async with (
        open_executive(Settings(), served=served) as executive,
        pulsing(executive),
        speaking_aloud(executive.speaking),
        _warming(executive),
    ):
        for what in executive.degraded:  # a Studio user sees the log, and no readiness
            log.warning("degraded", what=what)
        yield executive


@asynccontextmanager
async def _warming(executive: Executive) -> AsyncIterator[None]:
    """Load beside the first requests what the first message would wait for."""
    if not executive.encoders:
        yield
        return
    is_ending = asyncio.Event()
    loading = asyncio.create_task(_warm(executive, is_ending))
    try:
        yield
    finally:
        is_ending.set()
        await loading  # a thread cannot be stopped; a server's answer has its own end


async def _warm(executive: Executive, is_ending: asyncio.Event) -> None:
    """Load the encoders, then embed the conditions of what was learned, a few at a time."""
    for encoder in executive.encoders:
        await asyncio.to_thread(encoder.warm_up)
    while not is_ending.is_set() and await asyncio.to_thread(executive.rating.heuristics.embed):
        pass


def is_langgraph_dev() -> bool:
    """Tell whether that server is one for looking at runs on one's own machine."""
    return os.environ.get("LANGSMITH_LANGGRAPH_API_VARIANT") == "local_dev"


def is_langgraph_server() -> bool:
    """Tell whether a LangGraph server has this process; it serves our routes beside its own."""
    return "LANGSERVE_GRAPHS" in os.environ and "langgraph_api" in sys.modules
