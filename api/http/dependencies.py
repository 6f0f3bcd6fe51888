"""FastAPI dependencies: the Executive, the caller, admission and background tasks."""

from typing import Annotated

from fastapi import Depends, Path, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api.http.admission import Admission
from api.http.background_tasks import TaskRunner
from api.http.problems import NOT_READY, Problem
from graph.executive import Executive
from state.errors import Forbidden
from state.principal import Principal
from tools.access.permissions import (
    DECISION_REFUSAL,
    HEURISTIC_REFUSAL,
    SPEAKS_FOR_OTHERS,
    may_change,
)
from tools.platform.texts import t

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
        raise Forbidden(DECISION_REFUSAL)
    return caller


async def _teacher(
    caller: Annotated[Principal, Depends(_caller)],
    executive: Annotated[Executive, Depends(_executive)],
) -> Principal:
    if caller.kind != "person" or not may_change(executive.catalogue, caller.roles):
        raise Forbidden(HEURISTIC_REFUSAL)
    return caller


TheExecutive = Annotated[Executive, Depends(_executive)]
TheAdmission = Annotated[Admission, Depends(_admission)]
TheTasks = Annotated[TaskRunner, Depends(_work_of)]
Caller = Annotated[Principal, Depends(_caller)]
JournalWriter = Annotated[Principal, Depends(_journal_writer)]
"""A caller who may change something here, or a bridge in whose conversations others speak."""
Teacher = Annotated[Principal, Depends(_teacher)]
"""A person who may change something here."""
