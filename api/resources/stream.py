"""The live stream: server-sent events of a tenant's decisions, outputs and approvals."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from pydantic_core import to_json
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from api.http.dependencies import Caller, TheAdmission, TheExecutive
from api.http.problems import TOO_MANY, Problem
from api.http.route import KeyedRoute
from api.http.security import authenticate
from api.openapi import describe_problems
from api.schemas.examples import NOTICES
from graph.executive import Executive
from state.notice import Notice
from state.noun import Name, Noun
from state.principal import Principal
from tools.platform.texts import t
from tools.platform.unicode_safety import escape_json_controls

router = APIRouter(route_class=KeyedRoute, tags=["stream"])

# At debug level the library logs every chunk, that is, what people said.
logging.getLogger("sse_starlette.sse").setLevel(logging.INFO)

_RETRY_MILLISECONDS = 2_000
_LOOK_AGAIN_SECONDS = 4.0
"""Until a key that was revoked or is over is noticed by a stream, busy or quiet."""
MOST_AT_ONCE = 100
"""Streams of one holder: each is a connection, and the process has so many for everybody."""
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "The id of the last notice you heard; browsers send it by themselves.",
    "example": "1795360000000001",
}


class StreamFilter(Noun):
    """What to hear of."""

    session_id: Name | None = Field(default=None, description="this session alone; null: every one")


@router.get(
    "/v1/stream",
    operation_id="listen",
    response_class=EventSourceResponse,
    responses={
        200: {
            "description": t("api.answer.listen"),
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": NOTICES}},
        },
        **describe_problems(401, 403, 422, 429, 503),
    },
    openapi_extra={"parameters": [_LAST]},
)
async def listen(
    request: Request,
    wanted: Annotated[StreamFilter, Query()],
    caller: Caller,
    executive: TheExecutive,
    admission: TheAdmission,
) -> Response:
    """Send the notices of your tenant from now on, after one `open` that says we listen.

    With `session_id` only those of one session; 403 where that is closed to you.

    Ids grow by one. With `Last-Event-ID` what came since then is sent first. Where that is kept no
    more, or was before this process, a `gap` comes before it: read /v1/decisions and /v1/approvals
    then. A comment comes every few seconds while nothing happens. It ends seconds after
    its key is revoked or over. One user may have a hundred.
    """
    if wanted.session_id is not None:
        executive.readers.demand(caller, [wanted.session_id])
    if request.app.state.listening[caller.tenant_id, caller.user] >= MOST_AT_ONCE:
        admission.refused.count(caller.tenant_id, "streams")
        again = {"Retry-After": str(int(_LOOK_AGAIN_SECONDS))}
        raise Problem(TOO_MANY, t("problem.streams"), headers=again)
    return EventSourceResponse(
        _told(request, executive, caller, wanted),
        ping=request.app.state.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        send_timeout=30,
    )


async def _told(
    request: Request, executive: Executive, caller: Principal, wanted: StreamFilter
) -> AsyncIterator[ServerSentEvent]:
    # One who is never asked for anything listens to nothing; and it listens before `open` is said.
    listening = executive.notices.listen(
        executive.readers.of(caller), after=_heard(request), session_id=wanted.session_id
    )
    with closing(listening) as notices, _counted(request.app.state.listening, caller):
        yield ServerSentEvent(event="open", data="{}", retry=_RETRY_MILLISECONDS)
        if notices.has_gap:
            yield ServerSentEvent(event="gap", data="{}")
        every = min(_LOOK_AGAIN_SECONDS, request.app.state.heartbeat_seconds)
        looked_at = time.monotonic()
        while True:
            notice = None
            with suppress(TimeoutError):
                async with asyncio.timeout(every):
                    notice = await anext(notices)
            if time.monotonic() - looked_at >= every:
                looked_at = time.monotonic()
                if not await _is_let_in(request, executive, caller):
                    return
            if notice is not None:
                yield _event(notice)


@contextmanager
def _counted(listening: Counter[tuple[str, str]], caller: Principal) -> Iterator[None]:
    who = (caller.tenant_id, caller.user)
    listening[who] += 1
    try:
        yield
    finally:
        listening[who] -= 1
        if not listening[who]:
            del listening[who]


async def _is_let_in(request: Request, executive: Executive, caller: Principal) -> bool:
    """Look whether the key or token that opened the stream still stands for the same tenant."""
    try:
        now = await authenticate(request, executive.keys)
    except Problem:
        return False
    return now.tenant_id == caller.tenant_id


def _heard(request: Request) -> int | None:
    given = request.headers.get("last-event-id", "")
    if not given:
        return None
    # What is no id of ours was never told here; a browser that is refused would ask for ever.
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= 18 else -1


def _event(notice: Notice) -> ServerSentEvent:
    data = escape_json_controls(to_json(notice.data, inf_nan_mode="null").decode())
    return ServerSentEvent(id=str(notice.id), event=notice.kind, data=data)
