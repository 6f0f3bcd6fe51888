"""Server-sent events of the console: tell open pages when something they show has changed."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from api.console.decisions import Row, StreamQuery, row_of, rows_after
from api.console.rendering import render_text
from api.console.route import PollRoute, SignedOut, is_signed_in, principal_of
from api.console.sessions import MOST_STREAMS, Session
from api.http.dependencies import Caller, TheExecutive
from api.http.problems import TOO_MANY, Problem
from graph.executive import Executive
from state.cursor import read_cursor
from state.notice import Notice
from state.reader import Reader
from state.record import DecisionRecord
from tools.platform.texts import t

_RETRY_MILLISECONDS = 2_000
_LOOK_AGAIN_SECONDS = 4.0
"""Until a revoked key is noticed by a stream, busy or quiet."""
_ASKS = frozenset({"approval", "approval_expiring", "action_unknown"})
_FROM_THE_FIRST = "0.0/"


class StreamRoute(PollRoute):
    """A stream: a browser that is told no in a redirect would ask for ever."""

    def refuse(self, request: Request, error: Exception) -> Response:
        """Answer whoever is signed out with 401, which ends an EventSource."""
        if isinstance(error, SignedOut):
            return Response(status_code=401)
        return super().refuse(request, error)


router = APIRouter(route_class=StreamRoute, include_in_schema=False)


@router.get("/console/stream")
async def listen(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    wanted: Annotated[StreamQuery, Query()],
) -> Response:
    """Tell a page when what waits for people may have changed, and give rows to who asks for them.

    A row's id is its place in the list of all decisions: after a gap, however long, and after a
    restart of the service, what came since `Last-Event-ID` is sent first.
    """
    last = request.headers.get("last-event-id", "") or wanted.after
    if last:
        read_cursor(last)  # what is none is refused now: of a stream nobody would hear it
    session: Session = request.state.session
    if session.streams >= MOST_STREAMS:
        raise Problem(TOO_MANY, t("console.error.streams"))
    hearing = _Hearing(request, executive, executive.readers.of(caller), session, wanted, last)
    return EventSourceResponse(
        hearing.told(),
        ping=request.app.state.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here"),
        send_timeout=30,
    )


@dataclass
class _Hearing:
    """One page that listens."""

    request: Request
    executive: Executive
    reader: Reader
    session: Session
    wanted: StreamQuery
    last: str
    """The cursor of the last row it has."""
    looked_at: float = 0.0
    made_up: set[str] = field(default_factory=set)
    """Decisions that were read from the store; their notices may still be on the way."""

    async def told(self) -> AsyncIterator[ServerSentEvent]:
        """Give what was missed, then what happens, until the session ends."""
        # It listens before anything is read: nothing can fall in between.
        listening = self.executive.notices.listen(self.reader)
        with self.session.listening(), closing(listening) as notices:
            yield ServerSentEvent(event="open", data="{}", retry=_RETRY_MILLISECONDS)
            if self.last:
                for event in await self._missed():
                    yield event
            while True:
                notice = await _next(notices)
                if not await self._is_let_in():
                    return  # signed out, or the key was revoked, while it was listening
                is_gap, notices.has_lost = notices.has_lost, False
                for event in await self._events(notice, is_gap=is_gap) if notice else ():
                    yield event

    async def _is_let_in(self) -> bool:
        """Look for the session at every notice, and at its key in the store now and then."""
        if time.monotonic() - self.looked_at < _LOOK_AGAIN_SECONDS:
            return is_signed_in(self.request)
        self.looked_at = time.monotonic()
        return await principal_of(self.request) is not None

    async def _events(self, notice: Notice, *, is_gap: bool) -> list[ServerSentEvent]:
        if is_gap:  # this page was too slow, and the bus let the oldest go
            return [_APPROVALS, *await self._missed()]
        events = [_APPROVALS] if _is_about_approvals(notice) else []
        if self.wanted.rows and notice.kind == "decision":
            record = DecisionRecord.model_validate(notice.data)
            if self.wanted.shows(record) and record.decision_id not in self.made_up:
                trace = await self.executive.records.trace(record.decision_id, self.reader)
                events.append(self._drawn(row_of(trace)))
        return events

    async def _missed(self) -> list[ServerSentEvent]:
        if not self.wanted.rows:
            return []
        last = self.last or _FROM_THE_FIRST
        found = await rows_after(self.executive, self.reader, self.wanted, last)
        self.made_up = {row.trace.record.decision_id for row in found}
        return [self._drawn(row) for row in found]

    def _drawn(self, row: Row) -> ServerSentEvent:
        self.last = row.cursor
        html = render_text(self.request, "_row.html", {"row": row})
        return ServerSentEvent(id=row.cursor, event="decision", data=html)


_APPROVALS = ServerSentEvent(event="approvals", data="{}")


async def _next(notices: AsyncIterator[Notice]) -> Notice | None:
    """Wait for a notice, but no longer than until the key is to be looked at again."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_LOOK_AGAIN_SECONDS):
            return await anext(notices)
    return None


def _is_about_approvals(notice: Notice) -> bool:
    is_ended = notice.kind == "decision" and notice.data.get("action_id") is not None
    return notice.kind in _ASKS or is_ended
