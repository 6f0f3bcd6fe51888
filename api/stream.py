"""The live stream: decisions, words and approvals of a tenant as they happen."""

import logging
from collections.abc import AsyncIterator
from contextlib import closing

from fastapi import APIRouter
from pydantic_core import to_json
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from api.dependencies import Caller, TheExecutive
from api.describing import problems
from api.examples import NOTICES
from api.lines import unbroken
from api.route import KeyedRoute
from graph.runner import Executive
from state.notice import Notice

router = APIRouter(route_class=KeyedRoute, tags=["stream"])

# At debug level the library logs every chunk, that is, what people said.
logging.getLogger("sse_starlette.sse").setLevel(logging.INFO)

_RETRY_MILLISECONDS = 2_000


@router.get(
    "/v1/stream",
    operation_id="listen",
    summary="Listen to what happens",
    response_class=EventSourceResponse,
    responses={
        200: {
            "description": "Server-sent events: decision, output, approval, and what the journal "
            "is told (context:decision:…)",
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": NOTICES}},
        },
        **problems(401, 503),
    },
)
async def listen(request: Request, caller: Caller, executive: TheExecutive) -> Response:
    """Send the notices of your tenant from now on, after one `open` that says we listen.

    Ids grow by one and start anew with the process. Nothing is replayed: after a gap, read
    /v1/decisions. A comment comes every few seconds while nothing happens.
    """
    return EventSourceResponse(
        _told(executive, caller.tenant_id),
        ping=request.app.state.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        send_timeout=30,
    )


async def _told(executive: Executive, tenant_id: str) -> AsyncIterator[ServerSentEvent]:
    # One who is never asked for anything listens to nothing; and it listens before `open` is said.
    with closing(executive.subscribe(tenant_id)) as notices:
        yield ServerSentEvent(event="open", data="{}", retry=_RETRY_MILLISECONDS)
        async for notice in notices:
            yield _event(notice)


def _event(notice: Notice) -> ServerSentEvent:
    data = unbroken(to_json(notice.data, inf_nan_mode="null").decode())
    return ServerSentEvent(id=str(notice.id), event=notice.kind, data=data)
