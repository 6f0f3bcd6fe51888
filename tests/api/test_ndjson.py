"""Lines of JSON: read as they come, answered one by one, and never kept for ever."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from api.http.bodies import MAX_LINE_BYTES
from api.http.ndjson import Line, NdjsonResponse, split_lines


async def _chunks(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def _split(*parts: bytes) -> list[Line]:
    return [line async for line in split_lines(_chunks(parts))]


async def test_lines_keep_their_numbers_over_blank_ones():
    assert await _split(b"a\n\n  \r\nb") == [Line(1, b"a"), Line(4, b"b")]


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
async def test_where_chunks_end_makes_no_difference(body: bytes, cuts: list[int]):
    places = sorted({0, len(body), *(cut for cut in cuts if cut <= len(body))})
    parts = [body[start:end] for start, end in pairwise(places)]
    lines = enumerate(body.split(b"\n"), 1)
    assert await _split(*parts) == [Line(n, raw) for n, raw in lines if raw.strip()]


async def test_a_line_at_the_limit_is_kept_and_one_beyond_is_not():
    fits, over = b"x" * MAX_LINE_BYTES, b"x" * (MAX_LINE_BYTES + 1)
    assert await _split(fits + b"\n", over + b"\n", b"y") == [
        Line(1, fits),
        Line(2, None),
        Line(3, b"y"),
    ]
    assert await _split(*[b"x"] * 3, over, over, b"\ny") == [Line(1, None), Line(2, b"y")]


class _Client:
    """Receives nothing until it has sent everything, as simple clients do."""

    def __init__(self) -> None:
        self.has_sent = asyncio.Event()
        self.got: list[bytes] = []

    async def lines(self, count: int) -> AsyncIterator[bytes]:
        for number in range(count):
            yield b"%d\n" % number
        self.has_sent.set()

    async def receive(self) -> Message:
        raise AssertionError("only the reader receives")

    async def send(self, message: Message) -> None:
        await self.has_sent.wait()
        if message["type"] == "http.response.body":
            self.got.append(message["body"])


async def _echo(line: Line) -> str:
    return (line.raw or b"").decode()


SCOPE: dict[str, Any] = {"type": "http", "method": "POST", "headers": []}


async def test_a_client_that_sends_all_before_it_reads_is_not_stuck():
    client = _Client()
    async with asyncio.timeout(60):
        await NdjsonResponse(client.lines(5_000), _echo)(SCOPE, client.receive, client.send)
    assert b"".join(client.got).split() == [b"%d" % number for number in range(5_000)]


async def test_a_client_that_never_reads_is_not_read_for_ever():
    client = _Client()
    taken = 0

    async def count(line: Line) -> str:
        nonlocal taken
        taken += 1
        return "x" * 99

    response = NdjsonResponse(client.lines(5_000), count, most_waiting_bytes=1_000)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await response(SCOPE, client.receive, client.send)
    assert taken < 20
