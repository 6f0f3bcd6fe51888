"""The console's own stream: tells its pages when something happened that they show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi import APIRouter, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from api.console.route import PollRoute, principal_of
from api.dependencies import Caller, TheExecutive
from state.notice import Notice

router = APIRouter(route_class=PollRoute, include_in_schema=False)

_RETRY_MILLISECONDS = 2_000
_ASKS = frozenset({"approval", "approval_expiring", "action_unknown"})


@router.get("/console/stream")
async def listen(request: Request, caller: Caller, executive: TheExecutive) -> Response:
    """Tell a page when what waits for people may have changed."""
    return EventSourceResponse(
        _told(request, executive.subscribe(caller.tenant_id)),
        ping=request.app.state.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        send_timeout=30,
    )


async def _told(request: Request, notices: AsyncIterator[Notice]) -> AsyncIterator[ServerSentEvent]:
    # The first notice is asked for before `open` is said: then nothing can fall in between.
    coming = asyncio.ensure_future(anext(notices))
    await asyncio.sleep(0)
    try:
        yield ServerSentEvent(event="open", data="{}", retry=_RETRY_MILLISECONDS)
        while True:
            notice = await coming
            coming = asyncio.ensure_future(anext(notices))
            if await principal_of(request) is None:
                return  # signed out, or the key was revoked, while it was listening
            if _is_about_approvals(notice):
                yield ServerSentEvent(event="approvals", data="{}")
    except StopAsyncIteration:
        return
    finally:
        coming.cancel()
        with suppress(asyncio.CancelledError, StopAsyncIteration):
            await coming


def _is_about_approvals(notice: Notice) -> bool:
    is_ended = notice.kind == "decision" and notice.data.get("action_id") is not None
    return notice.kind in _ASKS or is_ended
