"""FastAPI dependencies: the Executive, the caller, admission and background tasks.

A background task finishes a decision under way even when its caller has gone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Annotated, Any, TypeVar

import structlog
from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api.http.admission import Admission
from api.http.problems import NOT_READY, Problem
from graph.executive import Executive
from state.errors import Forbidden
from state.principal import Principal
from tools.access.permissions import (
    SPEAKS_FOR_OTHERS,
    may_change,
)
from tools.platform.texts import t

_LANES = 8
_LANE_DEPTH = 128

T = TypeVar("T")
Job = Callable[[], Awaitable[object]]

_log = structlog.get_logger("api.http.dependencies")


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


_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="An API key. It stands for one user of one tenant, with roles.",
)

Identifier = Annotated[str, Path(pattern=r"^[A-Za-z0-9._:-]{1,200}$")]
"""An id in a path; anything else is an id of nothing (404)."""


def executive_of(request: Request) -> Executive:
    """Find the Executive this app serves.

    Raises:
        Problem: 503, before the start is complete or after the end has begun.
    """
    executive: Executive | None = request.app.state.executive
    if executive is None:
        raise Problem(NOT_READY, t("problem.starting"), headers={"Retry-After": "1"})
    return executive


def admission_of(request: Request) -> Admission:
    """Find what this app has let in so far."""
    state = request.app.state
    if state.admission is None:
        state.admission = Admission(executive_of(request).service_tuning)
    admission: Admission = state.admission
    return admission


async def _executive(request: Request) -> Executive:
    return executive_of(request)


async def _work_of(request: Request) -> TaskRunner:
    work: TaskRunner = request.app.state.work
    return work


async def _admission(request: Request) -> Admission:
    return admission_of(request)


async def _caller(
    request: Request,
    _described: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)],
) -> Principal:
    principal: Principal = request.state.principal  # found by KeyedRoute before this runs
    return principal


async def _journal_writer(
    caller: Annotated[Principal, Depends(_caller)],
    executive: Annotated[Executive, Depends(_executive)],
) -> Principal:
    is_bridge = caller.kind == "service" and caller.has_any(SPEAKS_FOR_OTHERS)
    if not is_bridge and not may_change(executive.catalogue, caller.roles):
        raise Forbidden(t("dialogue.refused.decision"))
    return caller


async def _teacher(
    caller: Annotated[Principal, Depends(_caller)],
    executive: Annotated[Executive, Depends(_executive)],
) -> Principal:
    if caller.kind != "person" or not may_change(executive.catalogue, caller.roles):
        raise Forbidden(t("dialogue.refused.heuristic"))
    return caller


TheExecutive = Annotated[Executive, Depends(_executive)]
TheAdmission = Annotated[Admission, Depends(_admission)]
TheTasks = Annotated[TaskRunner, Depends(_work_of)]
Caller = Annotated[Principal, Depends(_caller)]
JournalWriter = Annotated[Principal, Depends(_journal_writer)]
"""A caller who may change something here, or a bridge in whose conversations others speak."""
Teacher = Annotated[Principal, Depends(_teacher)]
"""A person who may change something here."""
