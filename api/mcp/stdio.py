"""The MCP server over stdin and stdout, for a client that starts it."""

import os
from collections.abc import Callable
from io import TextIOWrapper
from typing import NamedTuple

from api.mcp.client import Api
from api.mcp.tools import PermissionPrompt


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


async def speak(
    streams: Streams,
    api: Api,
    pages: Callable[[], str | None],
    prompt: PermissionPrompt | None = None,
) -> None:
    """Answer a client until it closes its end. See build_server for `pages` and `prompt`."""
    from anyio import wrap_file
    from mcp.server.stdio import stdio_server

    from api.mcp.server import build_server

    server = build_server(api, pages, prompt)
    ends = (wrap_file(streams.reading), wrap_file(streams.writing))
    async with stdio_server(*ends) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
