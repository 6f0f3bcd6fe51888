"""Route classes of the API: request id, authentication, idempotency, problems, ETags, one log line.

Also the fallback routes: unknown paths and methods under /v1 are answered with problems.
"""

import hashlib
import re
import traceback
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from time import perf_counter
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import structlog
from fastapi import APIRouter, FastAPI
from fastapi.exception_handlers import http_exception_handler
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Scope
from structlog.contextvars import bound_contextvars

from api.http.bodies import JsonRequest
from api.http.dependencies import admission_of, executive_of
from api.http.idempotency import Handle, run_idempotently
from api.http.problems import (
    INTERNAL,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    Problem,
    problem_of,
    problem_response,
)
from api.http.security import (
    ANSWER_HEADERS,
    SAFE_METHODS,
    authenticate,
    demand_scope,
    is_answer,
    refuse_a_form,
)
from state.noun import Noun
from state.principal import Principal
from tools.platform.texts import t
from tools.platform.unicode_safety import escape_json_controls

_OK, _NOT_MODIFIED = 200, 304


def answer_conditionally(request: Request, response: Response) -> Response:
    """Tag the whole answer to a GET; one whose tag the caller has already is not sent."""
    whole = getattr(response, "body", None)  # a stream has none
    if request.method != "GET" or response.status_code != _OK or not isinstance(whole, bytes):
        return response
    tag = f'"{hashlib.sha256(whole).hexdigest()[:32]}"'
    if tag in _known_tags(request):
        return Response(status_code=_NOT_MODIFIED, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return response


def _known_tags(request: Request) -> set[str]:
    # RFC 9110, 13.1.2: a list, compared weakly; `*` asks whether there is anything, and there is.
    given = ",".join(request.headers.getlist("if-none-match")).split(",")
    return {tag.strip().removeprefix("W/") for tag in given}


def escape_terminal_controls(response: Response) -> None:
    """Escape in a JSON answer what `curl` would hand to a terminal; it stays the same JSON."""
    body = getattr(response, "body", None)  # a stream has none
    if not isinstance(body, bytes) or (body.isascii() and b"\x7f" not in body):
        return
    if not response.headers.get("content-type", "").startswith("application/"):
        return
    response.body = escape_json_controls(body.decode()).encode()
    response.headers["content-length"] = str(len(response.body))


def guard_named_sessions(
    endpoint: Callable[..., Any],
) -> Callable[..., Any]:  # an endpoint, of any form
    """Refuse a caller who names a session in query or body that is closed to them.

    Also one that is named by leaving it out, and whether it exists or not. What names sessions in
    another way than a field `session_id` asks itself: events (api/resources/events.py), an import.
    """

    @wraps(endpoint)
    async def guarded(**given: Any) -> Any:
        nouns = (one for one in given.values() if isinstance(one, Noun))
        sessions = (getattr(one, "session_id", None) for one in nouns)
        named = [one for one in sessions if one is not None]
        if named:
            given["executive"].readers.demand(given["caller"], named)
        return await endpoint(**given)

    return guarded


_log = structlog.get_logger("api")
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._:-]")
_LONGEST_REQUEST_ID = 100
_TOKEN = re.compile(r"(/answer/).+", re.DOTALL)
"""Whoever reads the log must not answer with what stands in it."""
_NOT_ALLOWED = (401, 403, 421)
"""Told in the log with who asked for what; what was allowed is in its line of the request."""


class OpenRoute(APIRoute):
    """A route for anybody: request id, problems, headers and one line in the log.

    It works on the route and not on the app, because under `langgraph dev` the app is shared
    with a server whose own routes must stay as they are.
    """

    headers: Mapping[str, str] = ANSWER_HEADERS

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        if operation := given.get("operation_id"):
            given["summary"] = t(f"api.summary.{operation}")
        super().__init__(path, endpoint, **given)

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
            escape_terminal_controls(response)
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

    takes_basic = False
    """The key may also come as the password of HTTP Basic."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        super().__init__(path, guard_named_sessions(endpoint), **given)

    async def admit(self, request: Request) -> None:
        """Find out who is calling, before a byte of the body is read."""
        keys = executive_of(request).keys
        principal = await authenticate(request, keys, takes_basic=self.takes_basic)
        request.state.principal = principal
        await admission_of(request).count(principal)
        await super().admit(request)

    async def answered(self, request: Request, handle: Handle) -> Response:
        """Answer a POST sent twice as the first was, and send nobody what they have."""
        if request.method == "POST":
            return await run_idempotently(request, handle)
        return answer_conditionally(request, await handle(request))

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
    place = getattr(request.state, "place", None)  # taken at the door (api/http/load_shedding.py)
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
    problem = logged_problem(request, error)
    request_id = request_id_of(request)
    return problem_response(problem, instance=instance_of(request), request_id=request_id)


def logged_problem(request: Request, error: Exception) -> Problem:
    """Find the problem an exception stands for, and log what nobody foresaw."""
    problem = problem_of(error)
    is_told = getattr(request.app.state, "is_in_process", False)  # the caller reads the refusal
    if problem.kind.status in _NOT_ALLOWED and not is_told:
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
    """Write the path of this request as a URI reference, without the token of a link."""
    path = _TOKEN.sub(r"\1…", request.scope["path"])
    return quote(path[:500], errors="replace")


_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def fallback_routes(known: Sequence[BaseRoute]) -> APIRouter:
    """Serve the rest of /v1, so that a server we are mounted in never answers for us."""
    router = APIRouter(route_class=OpenRoute)

    @router.api_route("/v1/{rest:path}", methods=_METHODS, include_in_schema=False)
    async def refuse(rest: str) -> Response:
        allowed = {
            method
            for route in known
            if isinstance(route, APIRoute) and route.path_regex.match(f"/v1/{rest}")
            for method in route.methods or ()
        }
        if allowed:
            names = ", ".join(sorted(allowed))
            raise Problem(
                METHOD_NOT_ALLOWED, t("problem.use_methods", names=names), headers={"Allow": names}
            )
        raise Problem(NOT_FOUND, t("problem.no_resource"))

    return router


def install_problem_handlers(app: FastAPI) -> None:
    """Answer 404 and 405 with problems, and leave those of a server around us as they are."""

    async def on_http_exception(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):  # registered for nothing else
            raise error
        if not _is_ours(request.scope):
            return await http_exception_handler(request, error)
        response = refusal(request, error)
        finish(request, response)
        return response

    app.add_exception_handler(HTTPException, on_http_exception)


def _is_ours(scope: Scope) -> bool:
    # No endpoint: no route matched at all, which cannot happen where a server's catch-all stands.
    endpoint = scope.get("endpoint")
    return endpoint is None or getattr(endpoint, "__module__", "").startswith("api.")
