"""`prefrontal mcp`: the service's actions as tools of an MCP server on stdin and stdout.

Also the stdio transport itself, which `prefrontal gate --stdio` speaks as well.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from api.cli.options import Speaker, with_service
from api.cli.service import Service
from api.cli.terminal import print_note, training_notice
from api.mcp.tools import fault_of, parse_fault
from state.errors import BadInput
from state.principal import ACCESS, Principal
from tools.platform.serialization import read_json
from tools.platform.texts import t

if TYPE_CHECKING:
    from api.mcp.client import Api
    from api.mcp.tools import PermissionPrompt


class _Opened(NamedTuple):
    api: "Api"
    pages: str | None


Prompt = Annotated[
    float | None,
    typer.Option(
        "--permission-prompt",
        metavar="SECONDS",
        min=0,
        help="Also offer permission_prompt, for Claude Code's --permission-prompt-tool, and wait "
        "so long for a person.",
    ),
]


@with_service
def mcp(service: Service, speaker: Speaker = None, prompt_seconds: Prompt = None) -> None:
    """Speak MCP on stdin and stdout: each action that may be proposed is a tool.

    Put it into an MCP client's configuration. Whoever calls may read and ask, and never approve.
    """
    prompt = None if prompt_seconds is None else _prompt(service, prompt_seconds)
    streams = take_streams()

    async def run() -> None:
        async with _opened(service, speaker) as found:
            await speak(streams, found.api, lambda: found.pages, prompt)

    asyncio.run(run())


def _prompt(service: Service, seconds: float) -> "PermissionPrompt":
    """Build the permission prompt; only an agent's key may take permits.

    Raises:
        BadInput: no service is named, or no key.
    """
    from api.mcp.tools import PermissionPrompt
    from prefrontal.adapters.claude_code import state_folder
    from prefrontal.client import Client
    from prefrontal.gate import Gate

    if not service.url or not service.key:
        raise BadInput(t("mcp.prompt_needs_key"))
    gate = Gate(Client(service.url, service.key), wait_seconds=seconds)
    return PermissionPrompt(gate, state_folder())


@asynccontextmanager
async def _opened(service: Service, speaker: str | None) -> AsyncIterator[_Opened]:
    """Open the service as every command does: a named or running one, else in this process."""
    from api.mcp.client import api_at

    caller = _asking(service.caller(speaker) or service.owner("operator"))
    if found := service.endpoint(caller, uses_key=speaker is None):
        address, token = found
        async with api_at(address, token) as api:
            yield _Opened(api, f"{address.rstrip('/')}/console")
        return
    print_note(t("gateway.alone"))
    async with _in_process(service, caller) as api:
        yield _Opened(api, None)


def _asking(caller: Principal) -> Principal:
    """Leave whoever calls the right to read and to ask alone, as an agent: it is no person."""
    return caller.model_copy(update={"kind": "service", "scopes": ACCESS["operator"]})


@asynccontextmanager
async def _in_process(service: Service, caller: Principal) -> "AsyncIterator[Api]":
    from api.app import DRAIN_SECONDS
    from api.cli.in_process import local_app
    from api.mcp.client import api_in_process
    from graph.wiring.composition import open_executive

    settings = service.settings
    async with AsyncExitStack() as stack:
        with training_notice(settings.cache_folder):
            executive = await stack.enter_async_context(open_executive(settings))
        await executive.approvals.settle_answered()
        await executive.resume_unfinished()
        app, access = local_app(executive)
        async with api_in_process(app, partial(access.token, caller)) as api:
            yield api
        await app.state.work.drain(DRAIN_SECONDS)
        await executive.resume_unfinished()


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


async def speak(
    streams: Streams,
    api: "Api",
    pages: Callable[[], str | None],
    prompt: "PermissionPrompt | None" = None,
) -> None:
    """Answer a client until it closes its end. See build_server for `pages` and `prompt`."""
    from mcp.server.stdio import stdio_server

    from api.mcp.server import build_server

    server = build_server(api, pages, prompt)
    lines: Any = _Lines(streams)  # in the place of two files of anyio
    async with stdio_server(lines, lines) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
