"""The MCP server over stdin and stdout, for a client that starts it."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from io import TextIOWrapper
from typing import Any, NamedTuple

from api.mcp.client import Api
from api.mcp.messages import fault_of, parse_fault
from state.errors import BadInput
from tools.platform.serialization import read_json


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


class _Lines:
    """Whole lines of two streams: what is no message is answered here, and the SDK reads the rest.

    The SDK neither answers such a line nor can say `"id": null`.
    """

    def __init__(self, streams: Streams) -> None:
        self._reading, self._writing = streams
        self._one_at_a_time = asyncio.Lock()

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await asyncio.to_thread(self._reading.readline):
            if not line.strip():
                continue
            try:
                message = await asyncio.to_thread(read_json, line.encode())
                fault = fault_of(message)
            except BadInput as error:
                message, fault = None, parse_fault(str(error))
            if fault is not None:
                await self.write(json.dumps(fault.answer) + "\n")
            elif isinstance(message, dict) and "method" in message:
                yield line  # the rest are answers, and we ask nothing

    async def write(self, line: str) -> None:
        """Write a line."""
        async with self._one_at_a_time:
            await asyncio.to_thread(self._write, line)

    async def flush(self) -> None:
        """Do nothing: a line is flushed as it is written."""

    def _write(self, line: str) -> None:
        self._writing.write(line)
        self._writing.flush()


async def speak(streams: Streams, api: Api, pages: Callable[[], str | None]) -> None:
    """Answer a client until it closes its end.

    Args:
        pages: gives the address of the console; None: it is not known.
    """
    from mcp.server.stdio import stdio_server

    from api.mcp.server import build_server

    server = build_server(api, pages)
    lines: Any = _Lines(streams)  # in the place of two files of anyio
    async with stdio_server(lines, lines) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
