"""NDJSON in both directions: read lines as they arrive and answer each when it is done."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import structlog
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api.http.bodies import MAX_LINE_BYTES, NDJSON
from tools.platform.unicode_safety import escape_json_controls

MOST_WAITING_BYTES = 16_777_216
"""Answers kept for a client that sends before it reads; beyond, we read no further."""

_log = structlog.get_logger("api.http.ndjson")


@dataclass(frozen=True)
class Line:
    """One line as it came; `raw` is None when it was too long to keep."""

    number: int
    raw: bytes | None


async def split_lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[Line]:
    """Cut a body into lines, holding one line at most and none that is too long.

    Blank lines are counted and left out. A last line without its newline is a line too, unless
    the connection broke: then `chunks` raises and half a line is never taken for a whole one.
    """
    number, size = 1, 0
    held: list[bytes] = []
    async for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            line = _line(number, [*held, piece], size + len(piece))
            number, held, size = number + 1, [], 0
            if line:
                yield line
        size += len(rest)
        held = [*held, rest] if size <= MAX_LINE_BYTES else []
    last = _line(number, held, size)
    if last:
        yield last


class NdjsonResponse(Response):
    """Answers each line of a body with a line of its own.

    Starlette's StreamingResponse listens for a disconnect meanwhile, and so takes the messages
    the request's body comes in. Here only the reader receives, and only this object sends.
    """

    media_type = NDJSON

    def __init__(
        self,
        chunks: AsyncIterable[bytes],
        answer: Callable[[Line], Awaitable[str]],
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        *,
        most_waiting_bytes: int = MOST_WAITING_BYTES,
    ) -> None:
        self.chunks = chunks
        self.most_waiting_bytes = most_waiting_bytes
        self.answer = answer
        self.status_code = status_code
        self.background = None
        self.init_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read and answer side by side until both ends are done."""
        outbox = _Outbox(self.most_waiting_bytes)
        reader = asyncio.create_task(self._read(outbox))
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            async for line in outbox:
                await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            reader.cancel()
            with suppress(asyncio.CancelledError):
                await reader

    async def _read(self, outbox: "_Outbox") -> None:
        answered = 0
        try:
            async for line in split_lines(self.chunks):
                answer = escape_json_controls(await self.answer(line))
                await outbox.put(f"{answer}\n".encode())
                answered += 1
        except ClientDisconnect:
            _log.info("client_left", answered=answered)
        finally:
            outbox.close()


class _Outbox:
    """Lines that wait to be sent."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._closed = False
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()

    async def put(self, line: bytes) -> None:
        while self._bytes > self._most_bytes:
            self._emptied.clear()
            await self._emptied.wait()
        self._lines.append(line)
        self._bytes += len(line)
        self._filled.set()

    def close(self) -> None:
        self._closed = True
        self._filled.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            while self._lines:
                line = self._lines.popleft()
                self._bytes -= len(line)
                self._emptied.set()
                yield line
            if self._closed:
                return
            self._filled.clear()
            await self._filled.wait()


def _line(number: int, pieces: list[bytes], size: int) -> Line | None:
    if size > MAX_LINE_BYTES:
        return Line(number, None)
    raw = b"".join(pieces)
    return Line(number, raw) if raw.strip() else None
