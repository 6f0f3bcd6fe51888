"""Run the graph on the threads of the LangGraph server that this process is part of."""

import asyncio

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError
from langgraph_sdk.schema import Thread

from graph.assembly.toolbox import Toolbox
from graph.compose import Served
from graph.flow import build_flow
from graph.running.belonging import STARTED_BY, belonging
from graph.running.threads import ANSWERED, Threads
from state.errors import Busy
from state.event import Event
from state.record import DecisionRecord

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
        raise Busy(f"thread {thread_id} is being run by the server")


def _interrupts(thread: Thread | None) -> list[str]:
    if thread is None or thread["status"] != "interrupted":
        return []
    return [
        str(interrupt["id"])
        for waiting in (thread.get("interrupts") or {}).values()
        for interrupt in waiting
    ]


def _belonging(event: Event) -> dict[str, str]:
    whose = belonging(event.tenant_id, event.user)
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
