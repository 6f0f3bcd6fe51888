"""Open a session with an MCP server; what was started for it ends with it."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import httpx

from tools.catalogue.mcp_file import McpServer
from tools.egress.answers import MAX_ANSWER_BYTES
from tools.egress.egress import Egress

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.client.session import MessageHandlerFnT


@asynccontextmanager
async def open_session(
    server: McpServer, egress: Egress, folder: Path, heard: Callable[[], None]
) -> AsyncIterator["ClientSession"]:
    """Start or reach a server and greet it.

    Args:
        heard: called whenever the server says that its tools have changed.

    Raises:
        AgentError: it may not be reached, or a secret is not set.
        Exception: whatever else kept it from answering.
    """
    opened = _over_stdio if server.transport == "stdio" else _over_http
    async with opened(server, egress, folder, _listening(heard)) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def _over_stdio(
    server: McpServer, egress: Egress, folder: Path, listening: "MessageHandlerFnT"
) -> AsyncIterator["ClientSession"]:
    # Not by the adapter: it puts any variable of ours where ${NAME} stands, and lets the server
    # write on our terminal.
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(
        command=server.command or "",
        args=list(server.args),
        env=egress.filled(server.env),  # besides PATH, HOME and the like nothing of ours
        cwd=folder / server.cwd if server.cwd else folder,
        encoding_error_handler="replace",
    )
    # What servers write on their error output goes nowhere.
    with _nowhere() as nowhere:
        async with (
            stdio_client(parameters, errlog=nowhere) as (reading, writing),
            ClientSession(reading, writing, message_handler=listening) as session,
        ):
            yield session


def _listening(heard: Callable[[], None]) -> "MessageHandlerFnT":
    from mcp.types import ServerNotification, ToolListChangedNotification

    async def listen(message: object) -> None:
        told = message.root if isinstance(message, ServerNotification) else None
        if isinstance(told, ToolListChangedNotification):
            heard()

    return listen


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


@asynccontextmanager
async def _over_http(
    server: McpServer, egress: Egress, folder: Path, listening: "MessageHandlerFnT"
) -> AsyncIterator["ClientSession"]:
    del folder
    from langchain_mcp_adapters.sessions import (
        SSEConnection,
        StreamableHttpConnection,
        create_session,
    )

    def client(
        headers: dict[str, str] | None = None,
        timeout: httpx.Timeout | None = None,
        auth: httpx.Auth | None = None,
    ) -> httpx.AsyncClient:
        return egress.client(
            timeout=timeout or httpx.Timeout(server.seconds),
            headers=headers,
            auth=auth,
            most_bytes=2 * MAX_ANSWER_BYTES,
        )

    headers = egress.filled(server.headers)
    url = server.url or ""
    kept: dict[str, Any] = {"message_handler": listening}  # as the adapter wants them
    connection: SSEConnection | StreamableHttpConnection
    if server.transport == "sse":
        connection = SSEConnection(
            transport="sse",
            url=url,
            headers=headers,
            timeout=server.seconds,
            httpx_client_factory=client,
            session_kwargs=kept,
        )
    else:
        connection = StreamableHttpConnection(
            transport="streamable_http",
            url=url,
            headers=headers,
            timeout=server.seconds,
            httpx_client_factory=client,
            session_kwargs=kept,
        )
    async with create_session(connection) as session:
        yield session
