import asyncio
import json
from urllib.parse import urlsplit

import httpx
import pytest
import structlog

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
