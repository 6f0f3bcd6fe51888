"""Background tasks: decisions under way are finished even when their caller has gone."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

_LANES = 8
_LANE_DEPTH = 128

T = TypeVar("T")
Job = Callable[[], Awaitable[object]]

_log = structlog.get_logger("api.http.background_tasks")


class TaskRunner:
    """Tasks of this process: some are awaited by a caller, the others wait in lanes.

    A lane keeps the order of one session, and begins at once what waits in it: of that the inbox
    takes the gravest first. What a full lane cannot take makes its sender wait.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()  # results of every type
        self._lanes: dict[int, asyncio.Queue[Job]] = {}
        self._runners: list[asyncio.Task[None]] = []

    async def finish(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the caller is cancelled on the way."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def later(self, session: tuple[str, str], job: Job) -> None:
        """Do it after what the same session is waiting for already."""
        await self._lane(hash(session) % _LANES).put(job)

    async def drain(self, seconds: float) -> None:
        """Wait for what is under way; what is left is on disk and resumed at the next start."""
        waiting = [asyncio.create_task(lane.join()) for lane in self._lanes.values()]
        pending = [*waiting, *self._tasks]
        if pending:
            await asyncio.wait(pending, timeout=seconds)
        for task in (*waiting, *self._runners):
            task.cancel()
        await asyncio.gather(*waiting, *self._runners, return_exceptions=True)

    def _lane(self, number: int) -> asyncio.Queue[Job]:
        if number not in self._lanes:
            lane: asyncio.Queue[Job] = asyncio.Queue(_LANE_DEPTH)
            self._lanes[number] = lane
            self._runners.append(asyncio.create_task(_run(lane)))
        return self._lanes[number]

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved here: the caller may be gone


async def _run(lane: asyncio.Queue[Job]) -> None:
    while True:
        jobs = [await lane.get()]
        while not lane.empty():
            jobs.append(lane.get_nowait())
        await asyncio.gather(*(_done(job) for job in jobs))
        for _job in jobs:
            lane.task_done()


async def _done(job: Job) -> None:
    try:
        await job()
    except Exception as error:  # noqa: BLE001 - one bad decision must not end the lane
        _log.error("decision_failed_in_background", error=type(error).__name__)
