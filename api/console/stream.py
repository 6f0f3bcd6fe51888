"""The console's own stream: tells its pages when something happened that they show."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from api.console.pages import drawn
from api.console.route import PollRoute, principal_of
from api.console.rows import Listening, Row, missed, rows_of
from api.dependencies import Caller, TheExecutive
from graph.runner import Executive
from state.cursor import read_cursor
from state.notice import Notice
from state.record import DecisionRecord

router = APIRouter(route_class=PollRoute, include_in_schema=False)

_RETRY_MILLISECONDS = 2_000
_ASKS = frozenset({"approval", "approval_expiring", "action_unknown"})


@router.get("/console/stream")
async def listen(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    wanted: Annotated[Listening, Query()],
) -> Response:
    """Tell a page when what waits for people may have changed, and give rows to who asks for them.

    A row's id is its place in the list of all decisions: after a gap, however long, and after a
    restart of the service, what came since `Last-Event-ID` is sent first.
    """
    last = request.headers.get("last-event-id", "") or wanted.after
    if last:
        read_cursor(last)  # what is none is refused now: of a stream nobody would hear it
    hearing = _Hearing(request, executive, caller.tenant_id, wanted)
    missed_since = [] if not (wanted.rows and last) else [last]
    return EventSourceResponse(
        hearing.told(executive.subscribe(caller.tenant_id), missed_since),
        ping=request.app.state.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        send_timeout=30,
    )


@dataclass(frozen=True)
class _Hearing:
    """One page that listens."""

    request: Request
    executive: Executive
    tenant_id: str
    wanted: Listening

    async def told(
        self, notices: AsyncIterator[Notice], since: Sequence[str]
    ) -> AsyncIterator[ServerSentEvent]:
        """Give what was missed, then what happens, until the session ends."""
        # The first notice is asked for before anything is read: nothing can fall in between.
        coming = asyncio.ensure_future(anext(notices))
        await asyncio.sleep(0)
        try:
            yield ServerSentEvent(event="open", data="{}", retry=_RETRY_MILLISECONDS)
            for last in since:
                for row in await missed(self.executive, self.tenant_id, self.wanted, last):
                    yield self._drawn(row)
            while True:
                notice = await coming
                coming = asyncio.ensure_future(anext(notices))
                if await principal_of(self.request) is None:
                    return  # signed out, or the key was revoked, while it was listening
                for event in await self._events(notice):
                    yield event
        except StopAsyncIteration:
            return
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming

    async def _events(self, notice: Notice) -> list[ServerSentEvent]:
        events = []
        if _is_about_approvals(notice):
            events.append(ServerSentEvent(event="approvals", data="{}"))
        if self.wanted.rows and notice.kind == "decision":
            record = DecisionRecord.model_validate(notice.data)
            if self.wanted.shows(record):
                (row,) = await rows_of(self.executive, self.tenant_id, [record])
                events.append(self._drawn(row))
        return events

    def _drawn(self, row: Row) -> ServerSentEvent:
        html = drawn(self.request, "_row.html", {"row": row})
        return ServerSentEvent(id=row.cursor, event="decision", data=html)


def _is_about_approvals(notice: Notice) -> bool:
    is_ended = notice.kind == "decision" and notice.data.get("action_id") is not None
    return notice.kind in _ASKS or is_ended
