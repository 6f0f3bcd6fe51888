"""A thread that the server is at is left alone, whoever else has a reason to wake it."""

import asyncio
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient, SyncLangGraphClient

from graph.execution.threads import Threads
from graph.service import ServerThreads
from state.event import Event
from tests.server.test_langgraph_server import GRAPH, at_the_gate

pytestmark = pytest.mark.xdist_group("langgraph-server")


class Watched(Threads):
    """Threads that note which runs are under way when they are told to go on."""

    def __init__(self, client: LangGraphClient) -> None:
        self._client = client
        self.found: list[list[str]] = []

    async def wake(self, event: Event, thread_id: str) -> Any:
        self.found.append([run["status"] for run in await self._client.runs.list(thread_id)])

    wake_anew = wake
    start = wake


@pytest.mark.parametrize("way", ["start", "wake", "wake_anew"])
def test_waking_waits_for_the_run_that_is_under_way(
    served: Any, client: SyncLangGraphClient, way: str
) -> None:
    thread, _interrupt = at_the_gate(client, "WO-1041")
    client.runs.create(thread, GRAPH, input=None, after_seconds=1)  # the thread is busy from now on

    async def woken() -> list[list[str]]:
        key = {"Authorization": f"Bearer {served.engineer_key}"}
        async with get_client(url=served.url, headers=key) as calling:
            watched = Watched(calling)
            threads = ServerThreads(watched, calling)
            await getattr(threads, way)(Event(event_id="e", text="x"), thread)
            return watched.found

    found = asyncio.run(woken())
    assert all("pending" not in each and "running" not in each for each in found)
    statuses = [run["status"] for run in client.runs.list(thread)]
    assert "pending" not in statuses
    assert found or way == "wake"  # at the gate again, the server itself resumes it
