"""A service on loopback that answers byte for byte what a test wants, and counts who comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from state.action import Action, ActionResult, HandlerContext
from tests.stages import NOW
from tools.gate.handlers.remote_handlers import call_http
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Service:
    """One listener: what it was asked, and what it says next."""

    port: int = 0
    connects: int = 0
    requests: list[httpx.Request] = field(default_factory=list)
    answer: Answer | None = None
    """None: 200 with an empty object."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the test is over, for answers that would never end."""

    def says(self, raw: bytes, *, after: Answer | None = None) -> None:
        """Answer these bytes, then hang up."""

        async def say(writer: asyncio.StreamWriter) -> None:
            writer.write(raw)
            await writer.drain()
            if after is not None:
                await after(writer)

        self.answer = say

    @property
    def place(self) -> str:
        """Name it as a list of hosts does."""
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/things", host: str = "127.0.0.1") -> str:
        """Give the address of something in it."""
        return f"http://{host}:{self.port}{path}"

    def egress(self, **given: Any) -> Egress:
        """Let actions reach exactly this service."""
        return Egress(AllowedHosts(private=frozenset({self.place})), **given)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one connection."""
        self.connects += 1
        try:
            await self._exchange(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _version = first.split(" ")
        pairs = (line.partition(": ") for line in lines)
        headers = {name: value for name, _, value in pairs}
        length = int(httpx.Headers(headers).get("content-length", "0"))
        body = await reader.readexactly(length)
        self.requests.append(
            httpx.Request(
                method, f"http://{headers['Host']}{target}", headers=headers, content=body
            )
        )
        if self.answer is not None:
            await self.answer(writer)
        else:
            writer.write(reply(b"{}"))
            await writer.drain()


@asynccontextmanager
async def running() -> AsyncIterator[Service]:
    """Run a service until the block ends."""
    service = Service()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        service.ended.set()
        server.close()
        await server.wait_closed()


def reply(
    body: bytes, status: str = "200 OK", kind: str = "application/json", headers: str = ""
) -> bytes:
    """Write a whole answer."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    )
    return head.encode() + body


def action(url: str, *, method: str = "POST", effect: str = "write", **given: Any) -> Action:
    """Make an action done over HTTP; fields of its call are given beside those of the action."""
    call = {
        key: given.pop(key)
        for key in ("headers", "body", "seconds", "idempotency_header")
        if key in given
    }
    entry: dict[str, Any] = {
        "name": "pay",
        "pack": "bank",
        "summary": "Pay",
        "verb": "update",
        "object": "invoice",
        "effect": effect,
        "http": {"method": method, "url": url, **call},
        **given,
    }
    return Action.model_validate(entry)


CONTEXT = HandlerContext(
    action_id="action-1",
    idempotency_key="action-1",
    tenant_id="default",
    user="ada",
    roles=(),
    now=NOW,
    data_dir="/nowhere",
)


async def call(egress: Egress, pay: Action, **arguments: Any) -> ActionResult:
    """Have an action done."""
    return await call_http(egress, pay, CONTEXT, arguments)
