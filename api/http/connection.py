"""A connection that comes to the point: what uvicorn would wait for without an end, ends here.

Each bound is met before a key is looked at, so whoever reaches the port meets them.
"""

import asyncio
import logging
import resource
from collections import Counter
from http import HTTPStatus
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from api.http.problems import BAD_REQUEST, BUSY, MEDIA_TYPE, Problem, encode
from api.http.security import ANSWER_HEADERS
from tools.platform.texts import t

HEAD_SECONDS = 10.0
"""Longest until the next request's head is whole; also what is left of a body that was refused."""

MOST_HEAD_BYTES = 65_536
"""Longest head, and longest line between the parts of a body."""

UNREAD_SECONDS = 30.0
"""Longest that somebody neither reads what we answer nor sends anything."""

FILES_KEPT = 256
"""Of the files that the process may open, so many are for stores, models and calls of ours."""

CLOSED: Counter[str] = Counter()
"""Connections that ended for one of these bounds, by which; since the start of the process."""


class Connection(H11Protocol):
    """One request at a time; late heads, unread answers and crowds are ended.

    h11 and not httptools: it bounds a head, keeps trailers apart from headers, reads no second
    request before the first is answered, and lets an `Upgrade` be that we do not offer.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],  # as uvicorn has it
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = _OneLength(h11.SERVER, MOST_HEAD_BYTES)
        self.logger = _quiet
        self._waiting = _of_servers.setdefault(server_state, {})
        self._late: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head; of a crowd the one ends that has waited longest."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            oldest = next(iter(self._waiting), None)
            if oldest is None:
                CLOSED["crowd"] += 1
                self._answer(Problem(BUSY, t("problem.connections")))
                return
            oldest.end("crowd")
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let every clock of it stop."""
        self._stop_waiting()
        self._stop_unread()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what is sent for a sign of life, also of who has yet to read."""
        if self._unread is not None:
            self.pause_writing()
        super().data_received(data)

    def handle_events(self) -> None:
        """Stop waiting for a head once it is there."""
        super().handle_events()
        cycle: RequestResponseCycle | None = self.cycle  # None until the first, as uvicorn has it
        if cycle is not None and not cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next head."""
        self._await_head()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give whoever does not read their time."""
        self._stop_unread()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._abandon)
        super().pause_writing()

    def resume_writing(self) -> None:
        """They read on."""
        self._stop_unread()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request as everything is refused, and end the connection."""
        CLOSED["malformed"] += 1
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None:
            cycle.disconnected = True  # whoever reads its body need not wait for the end
            cycle.message_event.set()
        self._answer(Problem(BAD_REQUEST, t("problem.not_http")))

    def _answer(self, problem: Problem) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            request_id = uuid4().hex
            body = encode(problem.body(instance="/", request_id=request_id))
            headers = {**ANSWER_HEADERS, "Content-Type": MEDIA_TYPE, "X-Request-ID": request_id}
            headers |= {"Content-Length": str(len(body)), "Connection": "close"}
            status = HTTPStatus(problem.kind.status)
            head = h11.Response(
                status_code=status, headers=list(headers.items()), reason=status.phrase
            )
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))
        self.transport.close()

    def _await_head(self) -> None:
        self._stop_waiting()
        self._waiting[self] = None
        self._late = self.loop.call_later(HEAD_SECONDS, self.end, "late_head")

    def _stop_waiting(self) -> None:
        self._waiting.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def end(self, why: str) -> None:
        """Close it, without a word: nobody has asked for anything."""
        CLOSED[why] += 1
        self._stop_waiting()
        self.transport.close()

    def _abandon(self) -> None:
        CLOSED["unread"] += 1
        self.transport.abort()


class _OneLength(h11.Connection):
    """Takes no request that says its length twice: a proxy before us may believe the other."""

    def next_event(self) -> Any:  # events of h11, and two marks
        """Read the next event.

        Raises:
            RemoteProtocolError: it is none.
        """
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _value in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("two lengths")
        return event


_of_servers: WeakKeyDictionary[ServerState, dict[Connection, None]] = WeakKeyDictionary()
"""The connections that wait for a head, oldest first."""


def most_connections() -> int:
    """Tell how many this process may hold before it has no file left for anything else."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(FILES_KEPT // 4, files - FILES_KEPT)


_quiet = logging.getLogger("api.http.connection")
"""For uvicorn: it tells of each request that it cannot read, which whoever sends them decides."""
_quiet.setLevel(logging.ERROR)
