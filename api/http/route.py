"""What happens around every route of ours, and around nobody else's."""

import re
import traceback
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import structlog
from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from structlog.contextvars import bound_contextvars

from api.dependencies import admission_of, executive_of
from api.http.bodies import JsonRequest
from api.http.conditional import unless_known
from api.http.inert import make_inert
from api.http.named_sessions import for_readers
from api.http.problems import (
    INTERNAL,
    Problem,
    problem_of,
    problem_response,
)
from api.http.repeating import Handle, once
from api.http.security import (
    ANSWER_HEADERS,
    SAFE_METHODS,
    authenticate,
    demand_scope,
    is_answer,
    refuse_a_form,
)
from state.principal import Principal

_log = structlog.get_logger("api")
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._:-]")
_LONGEST_REQUEST_ID = 100
_NOT_ALLOWED = (401, 403, 421)
"""Told in the log with who asked for what; what was allowed is in its line of the request."""


class OpenRoute(APIRoute):
    """A route for anybody: request id, problems, headers and one line in the log.

    It works on the route and not on the app, because under `langgraph dev` the app is shared
    with a server whose own routes must stay as they are.
    """

    headers: Mapping[str, str] = ANSWER_HEADERS

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Put our manners around the endpoint."""
        handle = super().get_route_handler()

        async def mannered(plain: Request) -> Response:
            request = self.read(plain)
            started = perf_counter()
            # Every line of the log that comes of it names the request, a decision's too.
            with bound_contextvars(request_id=request_id_of(request)):
                try:
                    await self.admit(request)
                    with self.place(request):
                        response = await self.answered(request, handle)
                except Exception as error:  # noqa: BLE001 - the edge: nobody above may see it
                    response = self.refuse(request, error)
            make_inert(response)
            finish(request, response, self.headers)
            self._note(request, response, perf_counter() - started)
            return response

        return mannered

    def read(self, plain: Request) -> Request:
        """Read what is sent as bounded, strict JSON."""
        return JsonRequest(plain.scope, plain.receive)

    async def admit(self, request: Request) -> None:
        """Let anybody in who sends no form."""
        refuse_a_form(request)

    def refuse(self, request: Request, error: Exception) -> Response:
        """Answer an exception with a problem."""
        return refusal(request, error)

    async def answered(self, request: Request, handle: Handle) -> Response:
        """Answer; nothing is kept for anybody."""
        return await handle(request)

    def place(self, request: Request) -> AbstractContextManager[None]:
        """Hold nothing: what anybody may ask for is answered at once."""
        return nullcontext()

    def _note(self, request: Request, response: Response, seconds: float) -> None:
        principal = getattr(request.state, "principal", None)
        _log.info(
            "request",
            method=request.method,
            route=self.path,
            status=response.status_code,
            elapsed_ms=round(seconds * 1_000, 1),
            request_id=request_id_of(request),
            tenant=principal.tenant_id if principal else None,
            user=principal.user if principal else None,
        )


class KeyedRoute(OpenRoute):
    """A route for whoever holds an API key."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        super().__init__(path, for_readers(endpoint), **given)

    async def admit(self, request: Request) -> None:
        """Find out who is calling, before a byte of the body is read."""
        principal = await authenticate(request, executive_of(request).keys)
        request.state.principal = principal
        await admission_of(request).count(principal)
        await super().admit(request)

    async def answered(self, request: Request, handle: Handle) -> Response:
        """Answer a POST sent twice as the first was, and send nobody what they have."""
        if request.method == "POST":
            return await once(request, handle)
        return unless_known(request, await handle(request))

    def place(self, request: Request) -> AbstractContextManager[None]:
        """Hold one of the tenant's places while a change is asked for."""
        return place_of(request)


def place_of(request: Request) -> AbstractContextManager[None]:
    """Hold one of the places of the caller's tenant; reading needs none.

    Raises:
        Forbidden: the key is not good for changes, or not for answers to approvals.
    """
    if request.method in SAFE_METHODS:
        return nullcontext()
    principal: Principal = request.state.principal
    demand_scope(principal, request.scope["path"])
    place = getattr(request.state, "place", None)  # taken at the door (api/http/door.py)
    admission = admission_of(request)
    return admission.under_way(principal.tenant_id, place, is_answer=is_answer(request.scope))


def finish(
    request: Request, response: Response, headers: Mapping[str, str] = ANSWER_HEADERS
) -> None:
    """Set on an answer what every answer of ours carries."""
    for name, value in headers.items():
        response.headers.setdefault(name, value)
    response.headers["X-Request-ID"] = request_id_of(request)


def refusal(request: Request, error: Exception) -> Response:
    """Answer an exception with a problem; the log never has its words."""
    problem = noted_problem(request, error)
    request_id = request_id_of(request)
    return problem_response(problem, instance=instance_of(request), request_id=request_id)


def noted_problem(request: Request, error: Exception) -> Problem:
    """Find the problem an exception stands for, and log what nobody foresaw."""
    problem = problem_of(error)
    if problem.kind.status in _NOT_ALLOWED:
        principal = getattr(request.state, "principal", None)
        _log.warning(
            "permission_refused",
            kind=problem.kind.slug,
            method=request.method,
            path=instance_of(request),
            tenant=principal.tenant_id if principal else None,
            user=principal.user if principal else None,
            request_id=request_id_of(request),
        )
    if problem.kind is INTERNAL:
        frames = traceback.extract_tb(error.__traceback__)[-5:]
        _log.error(
            "unexpected",
            error=type(error).__name__,
            at=[f"{frame.filename}:{frame.lineno}" for frame in frames],
            request_id=request_id_of(request),
        )
    return problem


def request_id_of(request: Request) -> str:
    """Name this request as its caller does, or as we do when it did not."""
    if not hasattr(request.state, "request_id"):
        given = _NOT_IN_AN_ID.sub("", request.headers.get("x-request-id", ""))
        request.state.request_id = given[:_LONGEST_REQUEST_ID] or uuid4().hex
    named: str = request.state.request_id
    return named


def instance_of(request: Request) -> str:
    """Write the path of this request as a URI reference."""
    return quote(request.scope["path"][:500], errors="replace")
