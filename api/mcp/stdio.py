"""The MCP server over stdin and stdout, for a client that starts it."""

import asyncio
import os
from concurrent.futures import Future
from io import TextIOWrapper
from typing import Any, NamedTuple

from pydantic import JsonValue

from api.mcp.client import Answer, Api


class Streams(NamedTuple):
    """The client's ends, kept from everybody else."""

    reading: TextIOWrapper
    writing: TextIOWrapper


def take_streams() -> Streams:
    """Keep stdin and stdout for the protocol; what anybody prints from now on goes to stderr.

    By descriptor, so that libraries and processes that we start are held to it as well.
    """
    reading, writing = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # for its descriptor
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return Streams(
        TextIOWrapper(os.fdopen(reading, "rb"), encoding="utf-8", errors="replace"),
        TextIOWrapper(os.fdopen(writing, "wb"), encoding="utf-8"),
    )


async def speak(streams: Streams, api: Api, pages: str | None) -> None:
    """Answer a client until it closes its end.

    Args:
        pages: the address of the console; None: it is not known.
    """
    from anyio import wrap_file
    from mcp.server.stdio import stdio_server

    from api.mcp.server import build_server

    server = build_server(api, pages)
    ends = (wrap_file(streams.reading), wrap_file(streams.writing))
    async with stdio_server(*ends) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


class LaterApi:
    """An API that is opened while a client is greeted already; calls wait for it."""

    def __init__(self, ready: "Future[Api]") -> None:
        self._ready = ready

    async def ask(
        self, method: str, path: str, query: Any = None, body: JsonValue = None
    ) -> Answer:
        """Send one request once there is a service; see Api."""
        try:
            api = await asyncio.shield(asyncio.wrap_future(self._ready))
        except Exception as error:  # noqa: BLE001  # why it did not start is told at its own place
            return Answer(503, {"detail": str(error)})
        return await api.ask(method, path, query, body)
