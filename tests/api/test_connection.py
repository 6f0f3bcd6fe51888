"""Who reaches the port and never comes to the point: every bound is met, and nothing is kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI

from api.http import connection
from tests.api.memory_executive import MemoryExecutive

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LOOK = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
SAY = (
    b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer engineer-key\r\n"
    b"Content-Type: application/json\r\n"
)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
SAID = b'd\r\n{"text":"hi"}\r\n'


@pytest.fixture
async def wires(address: str) -> AsyncIterator["Wires"]:
    made = Wires(address)
    yield made
    for _reader, writer in made.opened:
        writer.transport.abort()


class Wires:
    """Connections, byte by byte."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        self._where = url.hostname, url.port
        self.opened: list[Wire] = []

    async def send(self, raw: bytes = b"") -> Wire:
        """Open one and say this."""
        self.opened.append(await asyncio.open_connection(*self._where))
        self.opened[-1][1].write(raw)
        return self.opened[-1]

    async def told(self, raw: bytes) -> bytes:
        """Say this and hear all until the other side closes."""
        return await to_the_end(await self.send(raw))


async def to_the_end(wire: Wire) -> bytes:
    heard = b""
    async with asyncio.timeout(10):
        try:
            while chunk := await wire[0].read(65_536):
                heard += chunk
        except ConnectionError:  # what was sent and not read ends so
            pass
    return heard


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        LOOK + b"Host: y\r\n\r\n",
        LOOK + b"A: b\x00c\r\n\r\n",
        LOOK + b"A: " + b"a" * connection.MOST_HEAD_BYTES,
        SAY + CHUNKED + b"Content-Length: 13\r\n\r\n" + SAID + b"0\r\n\r\n",
        SAY + CHUNKED + b"\r\nZZ\r\n",
    ],
    ids=["TLS", "two hosts", "NUL", "a long head", "two lengths", "a chunk of no length"],
)
async def test_what_is_no_request_is_refused_as_everything_is(
    wires: Wires, executive: MemoryExecutive, raw: bytes
) -> None:
    before = connection.CLOSED["malformed"]
    head, _, body = (await wires.told(raw)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"Content-Type: application/problem+json" in head
    assert json.loads(body)["type"].endswith(":bad-request")
    assert connection.CLOSED["malformed"] == before + 1
    assert executive.events == {}


@pytest.mark.parametrize(
    "more",
    [
        b"Connection: Upgrade\r\nUpgrade: h2c\r\n",  # what Java's client sends by itself
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
    ],
)
async def test_an_upgrade_is_not_offered_and_its_request_is_answered(
    wires: Wires, executive: MemoryExecutive, more: bytes
) -> None:
    reader, _writer = await wires.send(SAY + more + CHUNKED + b"\r\n" + SAID + b"0\r\n\r\n")
    async with asyncio.timeout(10):
        assert b" 200 " in await reader.readline()
    assert [event.text for event in executive.events.values()] == ["hi"]


async def test_what_comes_after_a_body_is_no_header(wires: Wires) -> None:
    late = b"Authorization: Bearer engineer-key\r\nConnection: close\r\n\r\n"
    asked = LOOK.replace(b"GET /livez", b"POST /v1/messages") + CHUNKED + b"Connection: close\r\n"
    assert b" 401 " in await wires.told(asked + b"\r\n" + SAID + b"0\r\n" + late)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        LOOK,
        LOOK + b"\r\nGET /li",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + CHUNKED + b"\r\n",
    ],
    ids=["nothing", "half a head", "half a head after the first", "a body after its refusal"],
)
async def test_what_does_not_come_is_not_waited_for(
    wires: Wires, monkeypatch: pytest.MonkeyPatch, raw: bytes
) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    before = connection.CLOSED["late_head"]
    await to_the_end(await wires.send(raw))
    assert connection.CLOSED["late_head"] == before + 1


async def test_requests_one_after_another_wait_in_the_network_and_not_with_us(
    wires: Wires, executive: MemoryExecutive
) -> None:
    executive.gate = asyncio.Event()
    said = SAY + b'Content-Length: 13\r\n\r\n{"text":"hi"}'
    await wires.send(said * 50)
    async with asyncio.timeout(10):
        while not executive.events:  # noqa: ASYNC110 - the first is at work, and stays there
            await asyncio.sleep(0.005)
    assert len(executive.events) == 1
    executive.gate.set()
    await executive.until_recorded(50)


async def test_who_does_not_read_is_let_go(wires: Wires, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "UNREAD_SECONDS", 0.1)
    before = connection.CLOSED["unread"]
    await wires.send((LOOK.replace(b"livez", b"openapi.json") + b"\r\n") * 200)
    async with asyncio.timeout(20):
        while connection.CLOSED["unread"] == before:  # noqa: ASYNC110 - in the server's own time
            await asyncio.sleep(0.005)


async def test_a_stream_before_another_request_ends_with_its_connection(
    wires: Wires, app: FastAPI
) -> None:
    listen = LOOK.replace(b"livez", b"v1/stream") + b"Authorization: Bearer engineer-key\r\n\r\n"
    reader, writer = await wires.send(listen + LOOK + b"\r\n")
    async with asyncio.timeout(10):
        await reader.readuntil(b"open")
        assert app.state.listening.total() == 1
        writer.transport.abort()
        while app.state.listening.total():  # noqa: ASYNC110 - in the server's own time
            await asyncio.sleep(0.005)


async def test_of_a_crowd_the_one_ends_that_has_waited_longest(
    wires: Wires, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "most_connections", lambda: 2)
    first, second = await wires.send(), await wires.send()
    assert b" 200 " in await wires.told(LOOK + b"Connection: close\r\n\r\n")
    assert await to_the_end(first) == b""
    second[1].write(LOOK + b"Connection: close\r\n\r\n")
    assert b" 200 " in await to_the_end(second)


async def test_where_all_are_at_work_a_newcomer_is_told_to_come_back(
    wires: Wires, executive: MemoryExecutive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "most_connections", lambda: 1)
    executive.gate = asyncio.Event()
    await wires.send(SAY + b'Content-Length: 13\r\n\r\n{"text":"hi"}')
    async with asyncio.timeout(10):
        while not executive.events:  # noqa: ASYNC110 - it is at work, and stays there
            await asyncio.sleep(0.005)
    assert b" 503 " in await wires.told(b"")
    executive.gate.set()
    await executive.until_recorded(1)
