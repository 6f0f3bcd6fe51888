"""MCP servers by URL: the same calls over streamable HTTP and SSE, to listed hosts only."""

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from state.errors import Unreachable
from tests.mcp.servers import Bench
from tools.catalog.pack_schema import McpServer
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts

PATHS = {"streamable_http": "/mcp", "sse": "/sse"}


@dataclass
class Hosted:
    """A server by URL, and the keys that were shown to it."""

    transport: str
    place: str
    shown: list[str] = field(default_factory=list)

    def described(self, host: str | None = None) -> McpServer:
        return McpServer.model_validate(
            {
                "transport": self.transport,
                "url": f"http://{host or self.place}{PATHS[self.transport]}",
                "headers": {"Authorization": "Bearer ${KEY}"},
                "seconds": 10,
            }
        )


def _app(transport: str) -> ASGIApp:
    server = FastMCP("adder")

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def add_numbers(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def read_much() -> str:
        """Read ten megabytes."""
        return "x" * 10_000_000

    return server.streamable_http_app() if transport == "streamable_http" else server.sse_app()


@pytest.fixture(params=sorted(PATHS))
def hosted(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """Return a running server on loopback, once for each transport."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        served = Hosted(request.param, f"127.0.0.1:{listener.getsockname()[1]}")
        inner = _app(request.param)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                headers = dict(scope["headers"])
                served.shown.append(headers.get(b"authorization", b"").decode())
            await inner(scope, receive, send)

        config = uvicorn.Config(
            app, log_level="critical", timeout_graceful_shutdown=1, ws="none", lifespan="on"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield served
        server.should_exit = True
        thread.join()


def _egress(hosted: Hosted) -> Egress:
    hosts = AllowedHosts(private=frozenset({hosted.place}))
    return Egress(hosts, {"KEY": SecretStr("canary")})


async def test_tools_by_url_are_listed_and_called(hosted: Hosted, tmp_path: Path) -> None:
    bench = Bench(hosted.described(), tmp_path, _egress(hosted))
    try:
        await bench.list()
        assert (await bench.call("add_numbers", a=2, b=3)).text == "5"
    finally:
        await bench.connection.close()
    assert set(hosted.shown) == {"Bearer canary"}


async def test_a_flood_is_broken_off(hosted: Hosted, tmp_path: Path) -> None:
    bench = Bench(hosted.described(), tmp_path, _egress(hosted))
    try:
        await bench.list()
        with pytest.raises(Unreachable):
            await bench.call("read_much")
        assert (await bench.call("add_numbers", a=1, b=1)).text == "2"
    finally:
        await bench.connection.close()


async def test_a_server_that_is_not_listed_is_not_reached(hosted: Hosted, tmp_path: Path) -> None:
    for hosts in (AllowedHosts(), AllowedHosts(public=frozenset({hosted.place}))):
        egress = Egress(hosts, {"KEY": SecretStr("canary")})
        bench = Bench(hosted.described(), tmp_path, egress)
        with pytest.raises(Unreachable, match="nothing was sent"):
            await bench.list()
    assert hosted.shown == []
