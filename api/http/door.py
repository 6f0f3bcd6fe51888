"""The door: a change for which there is no place is refused before anything else is done for it."""

import hashlib
import time
from collections import OrderedDict
from uuid import uuid4

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.dependencies import admission_of
from api.http.problems import Problem, problem_response
from api.http.route import finish, instance_of, request_id_of
from api.http.security import SAFE_METHODS, is_answer, path_in

MOST_CREDENTIALS = 10_000
"""Credentials whose tenant is remembered; of one that is not, the tenant is found out again."""

TOLD_SECONDS = 1.0
"""A flood is one line of the log in so many seconds: a line each would cost as much as it stops."""

_log = structlog.get_logger("api.http.door")


class Door:
    """Middleware of /v1 that takes a change's place before its key is looked up or its body read.

    Whose place it is, is remembered from the last request with the same credentials. That lets
    nobody in: the route looks the key up all the same, and takes another place where the
    tenant is another. All whom we have not seen yet share half of the places there are.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._tenants: OrderedDict[bytes, str] = OrderedDict()
        self._refused, self._told_at = 0, -TOLD_SECONDS
        self._process, self._numbers = uuid4().hex[:12], 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or tell it to come back."""
        if not _is_change(scope):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        sent = "\n".join(request.headers.getlist("authorization"))
        credentials = hashlib.sha256(sent.encode("latin-1")).digest()
        try:
            place = admission_of(request).take(
                self._tenants.get(credentials), is_answer=is_answer(scope)
            )
        except Problem as problem:
            await self._refuse(request, problem, receive, send)
            return
        request.state.place = place
        try:
            await self._app(scope, receive, send)
        finally:
            place.release()
            self._remember(credentials, request)

    async def _refuse(
        self, request: Request, problem: Problem, receive: Receive, send: Send
    ) -> None:
        if "x-request-id" not in request.headers:
            self._numbers += 1  # a random name would ask the system for each
            request.state.request_id = f"{self._process}{self._numbers:020x}"
        request_id = request_id_of(request)
        response = problem_response(problem, instance=instance_of(request), request_id=request_id)
        finish(request, response)
        self._tell()
        await response(request.scope, receive, send)

    def _tell(self) -> None:
        self._refused += 1
        now = time.monotonic()
        if now - self._told_at >= TOLD_SECONDS:
            _log.warning("refused_at_the_door", number=self._refused)
            self._refused, self._told_at = 0, now

    def _remember(self, credentials: bytes, request: Request) -> None:
        principal = getattr(request.state, "principal", None)
        if principal is None:
            self._tenants.pop(credentials, None)
            return
        self._tenants[credentials] = principal.tenant_id
        self._tenants.move_to_end(credentials)
        if len(self._tenants) > MOST_CREDENTIALS:
            self._tenants.popitem(last=False)


def _is_change(scope: Scope) -> bool:
    """Tell whether a request may change something of ours; a server around us has its own."""
    if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
        return False
    return path_in(scope).startswith("/v1/")
