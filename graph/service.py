"""Open the Executive for a service: standalone, or inside the process of a LangGraph server.

Inside a LangGraph server, runs go straight to the server's checkpointer and its threads.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError
from langgraph_sdk.schema import Thread

from graph.auth import STARTED_BY, thread_owner
from graph.execution.threads import ANSWERED, Threads
from graph.executive import Executive
from graph.flow import build_flow
from graph.scheduler import run_scheduler
from graph.settings import Settings
from graph.toolbox import Toolbox, run_voice
from graph.wiring.composition import Served, open_executive
from state.errors import Busy
from state.event import Event
from state.record import DecisionRecord
from tools.platform.texts import t

GRAPH = "prefrontal"
"""The graph's name in langgraph.json."""
NAME_CHARACTERS = 60
LOOK_SECONDS = 0.05
LOOKS = 100
"""For 5 seconds a run of the server may come to its end; then its thread is left for later."""


class ServerThreads:
    """Our own runs go straight to the server's checkpointer: its queue polls, and costs a second.

    A thread that the server ran itself is resumed by the server, so that its status stays true;
    while the server is at it, it is let alone: two runs would overwrite each other's checkpoints.
    """

    def __init__(self, threads: Threads, client: LangGraphClient) -> None:
        self._threads = threads
        self._client = client

    @property
    def is_full(self) -> bool:
        """Tell what the threads are."""
        return self._threads.is_full

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Run a thread of ours; its row makes it visible in Studio. Raises Busy as `wake` does."""
        thread = await self._client.threads.create(
            thread_id=thread_id,
            graph_id=GRAPH,
            metadata={"name": event.text[:NAME_CHARACTERS], **_belonging(event)},
            if_exists="do_nothing",
        )
        if thread["status"] == "busy":  # the server's own run, so old that it seemed forgotten
            await self._at_rest(thread_id)
        return await self._threads.start(event, thread_id)

    async def wake(self, event: Event, thread_id: str) -> None:
        """Let a thread go on from the gate. Raises Busy: a run of the server does not end."""
        interrupts = _interrupts(await self._at_rest(thread_id))
        if not interrupts:
            await self._threads.wake(event, thread_id)
            return
        await self._client.runs.wait(
            thread_id,
            GRAPH,
            command={"resume": dict.fromkeys(interrupts, ANSWERED)},
            durability="sync",
        )

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        """Let a thread go on without its checkpoints. Raises Busy as `wake` does."""
        await self._at_rest(thread_id)
        await self._threads.wake_anew(event, thread_id)

    async def _at_rest(self, thread_id: str) -> Thread | None:
        """Wait until the server is not at it; None: it knows no such thread."""
        for _look in range(LOOKS):
            try:
                thread = await self._client.threads.get(thread_id)
            except NotFoundError:
                return None
            if thread["status"] != "busy":
                return thread
            await asyncio.sleep(LOOK_SECONDS)
        raise Busy(t("problem.graph.thread_busy", thread_id=thread_id))


def _interrupts(thread: Thread | None) -> list[str]:
    if thread is None or thread["status"] != "interrupted":
        return []
    return [
        str(interrupt["id"])
        for waiting in (thread.get("interrupts") or {}).values()
        for interrupt in waiting
    ]


def _belonging(event: Event) -> dict[str, str]:
    whose = thread_owner(event.tenant_id, event.user)
    if event.user is None:  # not a visitor's either: a bridge sent it, and nobody writes into it
        del whose[STARTED_BY]
    return whose


async def served_by_langgraph(box: Toolbox, *, is_full: bool) -> Served:
    """Join the server of this process; `is_full` as of Threads."""
    # Private, and the only way to the server's checkpointer from inside its process; the lock pins
    # the version, and a test boots the server.
    from langgraph_api._checkpointer import (  # type: ignore[import-untyped]  # ships no types
        get_checkpointer,
    )

    flow = build_flow(box, await get_checkpointer())
    return Served(box, ServerThreads(Threads(flow, is_full=is_full), get_client()))


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

        asked = toolbox.settings.full_runs
        is_full = is_langgraph_dev() if asked is None else asked
        served = await served_by_langgraph(toolbox, is_full=is_full)
    async with (
        open_executive(Settings(), served=served) as executive,
        run_scheduler(executive),
        run_voice(executive.voice),
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
    while not is_ending.is_set() and await asyncio.to_thread(executive.heuristics.embed):
        pass


def is_langgraph_dev() -> bool:
    """Tell whether that server is one for looking at runs on one's own machine."""
    return os.environ.get("LANGSMITH_LANGGRAPH_API_VARIANT") == "local_dev"


def is_langgraph_server() -> bool:
    """Tell whether a LangGraph server has this process; it serves our routes beside its own."""
    return "LANGSERVE_GRAPHS" in os.environ and "langgraph_api" in sys.modules
