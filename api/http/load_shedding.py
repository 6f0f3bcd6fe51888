"""Load shedding: middleware that refuses a change without a free place before any other work."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from uuid import uuid4

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.admission import Admission
from api.http.dependencies import admission_of
from api.http.problems import UNAUTHENTICATED, Problem, problem_response
from api.http.route import finish, instance_of, request_id_of
from api.http.security import COOKIE, SAFE_METHODS, is_answer, path_in

MOST_CREDENTIALS = 10_000
"""Credentials whose tenant is remembered; of one that is not, the tenant is found out again."""

_OURS = re.compile(r"/(v1/.*|console(/.*)?|livez|readyz|metrics|openapi\.json)?")
_POLLED = "/v1/proposals/"
_HEALTH = ("/livez", "/readyz")
"""Whoever asks for these restarts us when they hear nothing, so they are never sent away."""


class LoadShedding:
    """Middleware that takes a change's place, or waits for a read's turn, before all else.

    Whose it is, is remembered from the last request with the same credentials. That lets
    nobody in: the route looks the key up all the same, and takes another place where the
    tenant is another. All whom we have not seen yet share half of the places there are.
    It is given back when the answer begins: who does not read theirs keeps nothing from others.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._tenants: OrderedDict[bytes, str] = OrderedDict()
        self._process, self._numbers = uuid4().hex[:12], 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or tell it to come back."""
        is_read = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if not _concerns_us(scope, is_read):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        holder = _holder(request)
        try:
            admission = admission_of(request)
            release = await self._let_in(request, admission, holder, is_read)
            request.state.release = release  # for a request that waits long and works little
        except Problem as problem:
            await self._refuse(request, problem, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                release()
                self._remember(holder, request, message["status"])
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            release()

    async def _let_in(
        self, request: Request, admission: Admission, holder: bytes, is_read: bool
    ) -> Callable[[], None]:
        tenant_id = self._tenants.get(holder)
        if path_in(request.scope) in _HEALTH:
            return await admission.read(None, None)
        if is_read:
            return await admission.read(tenant_id, holder, is_poll=_is_poll(request))
        request.state.place = admission.take(tenant_id, is_answer=is_answer(request.scope))
        release: Callable[[], None] = request.state.place.release
        return release

    async def _refuse(
        self, request: Request, problem: Problem, receive: Receive, send: Send
    ) -> None:
        if "x-request-id" not in request.headers:
            self._numbers += 1  # a random name would ask the system for each
            request.state.request_id = f"{self._process}{self._numbers:020x}"
        request_id = request_id_of(request)
        response = problem_response(problem, instance=instance_of(request), request_id=request_id)
        finish(request, response)
        if getattr(request.app.state, "admission", None) is not None:
            admission_of(request).refused.tell()
        await response(request.scope, receive, send)

    def _remember(self, holder: bytes, request: Request, status: int) -> None:
        principal = getattr(request.state, "principal", None)
        if principal is None:
            if status == UNAUTHENTICATED.status:
                self._tenants.pop(holder, None)
            return
        self._tenants[holder] = principal.tenant_id
        self._tenants.move_to_end(holder)
        if len(self._tenants) > MOST_CREDENTIALS:
            self._tenants.popitem(last=False)


def _concerns_us(scope: Scope, is_read: bool) -> bool:
    """Tell whether a request is one that costs us something; a server around us has its own."""
    if scope["type"] != "http":
        return False
    path = path_in(scope)
    if not is_read:
        return path.startswith("/v1/") or path == "/mcp"
    if scope["app"].state.executive is None:  # before the start there is nothing to be read
        return False
    return _OURS.fullmatch(path) is not None


def _is_poll(request: Request) -> bool:
    """Tell whether a read waits for an agent's call to end, and gives its turn back meanwhile."""
    wait = request.query_params.get("wait", "")
    is_waited_for = re.fullmatch(r"0*(?:\.0*)?", wait) is None
    return path_in(request.scope).startswith(_POLLED) and is_waited_for


def _holder(request: Request) -> bytes:
    """Name the credentials of a request without keeping them: a key, a token or a session."""
    sent = [*request.headers.getlist("authorization"), request.cookies.get(COOKIE, "")]
    return hashlib.sha256("\n".join(sent).encode("utf-8", "surrogateescape")).digest()
