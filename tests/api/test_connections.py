"""Bodies and connections that break, stall or lie, on a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
import pytest
import structlog
from fastapi import FastAPI

from api.http import connection
from tests.api.memory_executive import MemoryExecutive


class _Wire:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, address: str) -> "_Wire":
        url = urlsplit(address)
        return cls(*await asyncio.open_connection(url.hostname, url.port))

    async def head(self, path: str, content_type: str, *more: str) -> None:
        lines = [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Authorization: Bearer engineer-key",
            f"Content-Type: {content_type}",
            *more,
        ]
        await self.raw("\r\n".join(lines).encode() + b"\r\n\r\n")

    async def chunk(self, data: bytes) -> None:
        await self.raw(b"%x\r\n%s\r\n" % (len(data), data))

    async def raw(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def until(self, wanted: bytes) -> bytes:
        async with asyncio.timeout(60):
            return await self.reader.readuntil(wanted)

    def leave(self) -> None:
        self.writer.transport.abort()


CHUNKED = "Transfer-Encoding: chunked"
NDJSON = "application/x-ndjson"


async def test_each_line_is_answered_before_the_next_is_sent(address: str):
    wire = await _Wire.to(address)
    await wire.head("/v1/events", NDJSON, CHUNKED)
    for number in range(3):
        await wire.chunk(b'{"event_id": "e-%d", "te' % number)
        await wire.chunk(b'xt": "hot"}\n')
        told = await wire.until(b"}\n")
        assert json.loads(told[told.index(b'{"line"') :])["line"] == number + 1
    await wire.raw(b"0\r\n\r\n")
    await wire.until(b"0\r\n\r\n")
    wire.leave()


async def test_half_a_line_of_a_broken_connection_is_not_taken(
    address: str, executive: MemoryExecutive
):
    wire = await _Wire.to(address)
    await wire.head("/v1/events", NDJSON, CHUNKED)
    await wire.chunk(b'{"event_id": "whole", "text": "hot"}\n')
    await wire.chunk(b'{"event_id": "half", "text": "hot"}')
    await wire.until(b"}\n")
    wire.leave()
    async with httpx.AsyncClient(base_url=address) as client:
        assert (await client.get("/livez")).status_code == 200
    assert [event.event_id for event in executive.events.values()] == ["whole"]


@pytest.mark.usefixtures("every_line")
async def test_half_a_body_is_no_event_and_no_error_of_ours(
    address: str, executive: MemoryExecutive
):
    with structlog.testing.capture_logs() as lines:
        wire = await _Wire.to(address)
        await wire.head("/v1/events", "application/json", "Content-Length: 40")
        await wire.raw(b'{"event_id": "half", "text": "hot"}')
        wire.leave()
        async with asyncio.timeout(60):
            while not lines:  # noqa: ASYNC110 - the server notices in its own time
                await asyncio.sleep(0.005)
    assert [(line["event"], line["status"]) for line in lines] == [("request", 400)]
    assert executive.events == {}


@pytest.mark.parametrize("content_type", [NDJSON, "application/json"])
async def test_a_client_that_leaves_does_not_stop_what_was_accepted(
    address: str, executive: MemoryExecutive, content_type: str
):
    executive.gate = asyncio.Event()
    wire = await _Wire.to(address)
    body = b'{"event_id": "e-1", "text": "hot"}'
    await wire.head("/v1/events", content_type, f"Content-Length: {len(body)}")
    await wire.raw(body)
    async with asyncio.timeout(60):
        while not executive.events:  # noqa: ASYNC110 - the server reads in its own time
            await asyncio.sleep(0.005)
    wire.leave()
    executive.gate.set()
    await executive.until_recorded(1)


async def test_an_endless_body_without_a_length_is_refused_on_the_way(address: str):
    wire = await _Wire.to(address)
    await wire.head("/v1/events", "application/json", CHUNKED)
    for _ in range(40):
        await wire.chunk(b" " * 32_768)
    assert b"413" in await wire.until(b"\r\n")
    wire.leave()


async def test_an_announced_length_is_refused_before_a_byte_of_it(address: str):
    wire = await _Wire.to(address)
    await wire.head("/v1/messages", "application/json", "Content-Length: 50000000")
    assert b"413" in await wire.until(b"\r\n")
    wire.leave()


@pytest.mark.parametrize(
    ("path", "content_type"),
    [("/v1/messages", "application/json"), ("/v1/approvals/any", "application/json")],
)
async def test_a_body_that_does_not_come_gives_its_place_back(
    address: str, path: str, content_type: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("api.http.bodies.BODY_SECONDS", 0.05)
    wire = await _Wire.to(address)
    await wire.head(path, content_type, "Content-Length: 100")
    await wire.raw(b'{"text": ')
    told = await wire.until(b"\r\n\r\n")
    assert b" 408 " in told
    assert b"connection: close" in told.lower()
    async with asyncio.timeout(60):
        assert b"too-slow" in await wire.reader.read()  # to the end: the line is closed
    wire.leave()


async def test_a_caller_without_a_key_is_refused_before_a_byte_of_the_body(address: str):
    wire = await _Wire.to(address)
    await wire.raw(
        b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n"
    )
    assert b"401" in await wire.until(b"\r\n")
    wire.leave()


async def test_the_service_answers_after_every_kind_of_abuse(address: str):
    async with httpx.AsyncClient(base_url=address) as client:
        headers = {"Authorization": "Bearer engineer-key", "Content-Type": "application/json"}
        for body in (b"[" * 100_000, b"x" * 3_000_000, b"\xff", b'{"text": NaN}'):
            refused = await client.post("/v1/events", content=body, headers=headers)
            assert refused.headers["content-type"] == "application/problem+json"
        answer = await client.post("/v1/events", content=b'{"text": "hot"}', headers=headers)
    assert answer.status_code == 200


Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LOOK = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
SAY = (
    b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer engineer-key\r\n"
    b"Content-Type: application/json\r\n"
)
CHUNKED_CONNECTION = b"Transfer-Encoding: chunked\r\n"
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
        SAY + CHUNKED_CONNECTION + b"Content-Length: 13\r\n\r\n" + SAID + b"0\r\n\r\n",
        SAY + CHUNKED_CONNECTION + b"\r\nZZ\r\n",
    ],
    ids=["TLS", "two hosts", "NUL", "a long head", "two lengths", "a chunk of no length"],
)
async def test_what_is_no_request_is_refused_as_everything_is(
    wires: Wires, executive: MemoryExecutive, raw: bytes
):
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
):
    reader, _writer = await wires.send(
        SAY + more + CHUNKED_CONNECTION + b"\r\n" + SAID + b"0\r\n\r\n"
    )
    async with asyncio.timeout(10):
        assert b" 200 " in await reader.readline()
    assert [event.text for event in executive.events.values()] == ["hi"]


async def test_what_comes_after_a_body_is_no_header(wires: Wires):
    late = b"Authorization: Bearer engineer-key\r\nConnection: close\r\n\r\n"
    asked = (
        LOOK.replace(b"GET /livez", b"POST /v1/messages")
        + CHUNKED_CONNECTION
        + b"Connection: close\r\n"
    )
    assert b" 401 " in await wires.told(asked + b"\r\n" + SAID + b"0\r\n" + late)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        LOOK,
        LOOK + b"\r\nGET /li",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n" + CHUNKED_CONNECTION + b"\r\n",
    ],
    ids=["nothing", "half a head", "half a head after the first", "a body after its refusal"],
)
async def test_what_does_not_come_is_not_waited_for(
    wires: Wires, monkeypatch: pytest.MonkeyPatch, raw: bytes
):
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    before = connection.CLOSED["late_head"]
    await to_the_end(await wires.send(raw))
    assert connection.CLOSED["late_head"] == before + 1


async def test_requests_one_after_another_wait_in_the_network_and_not_with_us(
    wires: Wires, executive: MemoryExecutive
):
    executive.gate = asyncio.Event()
    said = SAY + b'Content-Length: 13\r\n\r\n{"text":"hi"}'
    await wires.send(said * 50)
    async with asyncio.timeout(10):
        while not executive.events:  # noqa: ASYNC110 - the first is at work, and stays there
            await asyncio.sleep(0.005)
    assert len(executive.events) == 1
    executive.gate.set()
    await executive.until_recorded(50)


async def test_who_does_not_read_is_let_go(wires: Wires, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connection, "UNREAD_SECONDS", 0.1)
    before = connection.CLOSED["unread"]
    await wires.send((LOOK.replace(b"livez", b"openapi.json") + b"\r\n") * 200)
    async with asyncio.timeout(20):
        while connection.CLOSED["unread"] == before:  # noqa: ASYNC110 - in the server's own time
            await asyncio.sleep(0.005)


async def test_a_stream_before_another_request_ends_with_its_connection(wires: Wires, app: FastAPI):
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
):
    monkeypatch.setattr(connection, "most_connections", lambda: 2)
    first, second = await wires.send(), await wires.send()
    assert b" 200 " in await wires.told(LOOK + b"Connection: close\r\n\r\n")
    assert await to_the_end(first) == b""
    second[1].write(LOOK + b"Connection: close\r\n\r\n")
    assert b" 200 " in await to_the_end(second)


async def test_where_all_are_at_work_a_newcomer_is_told_to_come_back(
    wires: Wires, executive: MemoryExecutive, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connection, "most_connections", lambda: 1)
    executive.gate = asyncio.Event()
    await wires.send(SAY + b'Content-Length: 13\r\n\r\n{"text":"hi"}')
    async with asyncio.timeout(10):
        while not executive.events:  # noqa: ASYNC110 - it is at work, and stays there
            await asyncio.sleep(0.005)
    assert b" 503 " in await wires.told(b"")
    executive.gate.set()
    await executive.until_recorded(1)
