"""A session with one MCP server over stdio or HTTP, owned by one task; calls verify pins first."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import httpx
import structlog
from pydantic import BaseModel, ValidationError

from state.errors import AgentError, Conflict, NotFound, Unreachable
from tools.adapters.mcp.tool_actions import slot_names
from tools.adapters.mcp.tool_pins import DescribedTool, ToolWatch, describe_tool
from tools.catalog.pack_schema import McpServer
from tools.platform.egress import MAX_ANSWER_BYTES, Egress
from tools.platform.process_resources import ProcessOutput, Tell
from tools.platform.redaction import named_secrets

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.client.session import MessageHandlerFnT


@asynccontextmanager
async def open_session(
    server: McpServer,
    egress: Egress,
    folder: Path,
    heard: Callable[[], None],
    output: ProcessOutput,
) -> AsyncIterator["ClientSession"]:
    """Start or reach a server and greet it.

    Args:
        heard: called whenever the server says that its tools have changed.
        output: what it writes besides messages.

    Raises:
        AgentError: it may not be reached, or a secret is not set.
        Exception: whatever else kept it from answering.
    """
    opened = _over_stdio if server.transport == "stdio" else _over_http
    async with opened(server, egress, folder, output, _listening(heard, output)) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def _over_stdio(
    server: McpServer,
    egress: Egress,
    folder: Path,
    output: ProcessOutput,
    listening: "MessageHandlerFnT",
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
    with output.written() as stream:
        async with (
            stdio_client(parameters, errlog=stream) as (reading, writing),
            ClientSession(reading, writing, message_handler=listening) as session,
        ):
            yield session


logging.getLogger("mcp.client.stdio").disabled = True
"""It writes a traceback for a line that is no message; we say which line it was."""


def _listening(heard: Callable[[], None], output: ProcessOutput) -> "MessageHandlerFnT":
    from mcp.types import ServerNotification, ToolListChangedNotification

    async def listen(message: object) -> None:
        if isinstance(message, ValidationError):
            output.say(f"(no message of MCP) {message.errors()[0].get('input')}")
        told = message.root if isinstance(message, ServerNotification) else None
        if isinstance(told, ToolListChangedNotification):
            heard()

    return listen


@asynccontextmanager
async def _over_http(
    server: McpServer,
    egress: Egress,
    folder: Path,
    output: ProcessOutput,
    listening: "MessageHandlerFnT",
) -> AsyncIterator["ClientSession"]:
    del folder, output
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


if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.types import CallToolResult

MAX_TOOLS = 200
"""That are used; what mcp.yaml leaves out does not count."""
MAX_LISTED = 5_000
_MAX_PAGES = 100
_CLOSING_SECONDS = 10.0

_Given = TypeVar("_Given")

log = structlog.get_logger()


class _Page(BaseModel):
    """A page of tools as they were sent: each is read by itself, so that a bad one is left out."""

    tools: list[Any] = []
    nextCursor: str | None = None  # noqa: N815  # the protocol's name


class ConnectionBroken(Exception):
    """The session ended while something was asked of it."""


@dataclass
class _Session:
    """An open session and the task that owns it: it has to be closed where it was opened."""

    client: "ClientSession"
    closing: asyncio.Event
    owner: "asyncio.Task[None]"
    asked: int = 0
    """Answers that are still awaited."""
    is_left: bool = False
    """Nothing more is asked of it; it ends with the last answer."""

    def leave(self) -> None:
        """End it once nobody waits for it any more."""
        self.is_left = True
        if not self.asked:
            self.closing.set()


class McpConnection:
    """Reaches one server of a pack; opened when it is first needed, and again when it broke."""

    def __init__(
        self, name: str, server: McpServer, egress: Egress, folder: Path, tell: Tell | None = None
    ) -> None:
        """Reach a server.

        Args:
            tell: hears each line that the server writes besides messages; else the log does.
        """
        self.name = name
        self.server = server
        self._egress = egress
        self._folder = folder
        self._session: _Session | None = None
        self._opening = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
        self._has_news = False
        self.watch: ToolWatch | None = None
        """Holds what the server lists against the pins, at each call and when it says so."""
        self.secrets = named_secrets(
            (*server.env.values(), *server.headers.values()), egress.secrets
        )
        """Secrets the server is told and may repeat; `DescribedTool.without` takes them out."""
        self.listed = 0
        """How many tools it listed last; of more than MAX_TOOLS the first are used."""
        self._tell: Tell = tell or self._log_line

    @property
    def trouble(self) -> str | None:
        """Say that it listed more tools than are used; None: it did not."""
        if self.listed <= MAX_TOOLS:
            return None
        return (
            f"it lists {self.listed} tools, and the first {MAX_TOOLS} are used; those that "
            "mcp.yaml leaves out (leave_out: true) do not count"
        )

    async def tools(self) -> list[DescribedTool]:
        """List what the server offers now.

        Raises:
            AgentError: it cannot be reached or does not answer in time and form.
        """
        try:
            async with asyncio.timeout(self.server.seconds):
                return (await self._listed())[1]
        except TimeoutError as error:
            self._drop()
            raise Unreachable(f"MCP server {self.name} did not answer in time") from error

    async def call(
        self,
        tool: str,
        schema_sha256: str,
        arguments: Mapping[str, Any],  # by slot type
    ) -> "CallToolResult":
        """Call a tool if it is still described as it was.

        Raises:
            AgentError: the tool is gone or has changed, or the server or the pins cannot be
                reached: it was not called.
            Exception: it was called, and what came of it is not known.
        """
        deadline = asyncio.get_running_loop().time() + self.server.seconds
        try:
            async with asyncio.timeout_at(deadline):
                session, listed = await self._listed()
        except TimeoutError as error:
            self._drop()
            raise Unreachable(f"MCP server {self.name} did not answer in time") from error
        found = next((each for each in listed if each.name == tool), None)
        if found is None:
            raise NotFound("tool", tool)
        await self._look(listed)
        is_withheld = self.watch is not None and self.watch.is_withheld(tool)
        if is_withheld or found.sha256(self.server) != schema_sha256:
            sentence = f"{tool} of {self.name} is not what was approved any more; it was not called"
            raise Conflict(sentence, standing="stale")
        given = {
            name: arguments[slot]
            for name, slot in slot_names(found.schema).items()
            if slot in arguments
        }
        try:
            async with asyncio.timeout_at(deadline):
                return await self._asked(session, _call(session.client, tool, given))
        except BaseException:  # it may still be at it, so the next call gets another session
            self._drop(session)
            raise

    async def close(self) -> None:
        """End the session and what was started for it."""
        if self._session is not None:
            self._session.closing.set()
        self._drop()
        if self._ending:
            await asyncio.wait(self._ending, timeout=_CLOSING_SECONDS)
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _heard_of_a_change(self) -> None:
        """List again, on a task of its own: the session that brings the news has to go on.

        However often a server says so, there is one such task.
        """
        self._has_news = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_again())
            self._ending.add(self._looking)
            self._looking.add_done_callback(self._ending.discard)

    async def _look_again(self) -> None:
        while self._has_news:
            self._has_news = False
            with suppress(AgentError):  # the next call lists as well
                await self._look(await self.tools())

    async def _look(self, listed: list[DescribedTool]) -> None:
        if self.watch is not None:
            await self.watch.look(listed)

    async def _listed(self) -> tuple["_Session", list[DescribedTool]]:
        """List on the session there is; one that died meanwhile is opened once more."""
        was_open = self._session is not None
        try:
            return await self._list_on(await self._open())
        except Exception as error:
            self._drop()
            if isinstance(error, AgentError) or not was_open:
                raise self._told(error) from error
        try:
            return await self._list_on(await self._open())
        except Exception as error:
            self._drop()
            raise self._told(error) from error

    async def _list_on(self, session: _Session) -> tuple["_Session", list[DescribedTool]]:
        found: list[DescribedTool] = []
        cursor: str | None = None
        seen: set[str | None] = set()
        while cursor not in seen and len(seen) < _MAX_PAGES and len(found) < MAX_LISTED:
            seen.add(cursor)
            page = await self._asked(session, _list(session.client, cursor))
            found += (describe_tool(tool).without(self.secrets) for tool in page.tools)
            if not (cursor := page.nextCursor):
                break
        left_out = {name for name, rule in self.server.tools.items() if rule.leave_out}
        self.listed = sum(tool.name not in left_out for tool in found)
        return session, sorted(found, key=lambda tool: tool.name in left_out)[:MAX_TOOLS]

    async def _asked(self, session: _Session, answer: Awaitable[_Given]) -> _Given:
        """Wait for an answer, and no longer than the session lives."""
        asking = asyncio.ensure_future(answer)
        session.asked += 1
        try:
            await asyncio.wait({asking, session.owner}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                return asking.result()
        finally:
            asking.cancel()
            session.asked -= 1
            if session.is_left:
                session.leave()
        raise ConnectionBroken(f"MCP server {self.name} ended the session")

    async def _open(self) -> _Session:
        async with self._opening:
            if self._session is not None and not self._session.owner.done():
                return self._session
            closing = asyncio.Event()
            ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
            owner = asyncio.create_task(self._own(ready, closing))
            self._ending.add(owner)
            owner.add_done_callback(self._ending.discard)
            try:
                client = await asyncio.shield(ready)
            except asyncio.CancelledError:
                owner.cancel()
                raise
            self._session = _Session(client, closing, owner)
            return self._session

    async def _own(self, ready: "asyncio.Future[ClientSession]", closing: asyncio.Event) -> None:
        try:
            async with open_session(
                self.server,
                self._egress,
                self._folder,
                self._heard_of_a_change,
                ProcessOutput(self._tell, self.secrets),
            ) as client:
                ready.set_result(client)
                await closing.wait()
        except Exception as error:  # noqa: BLE001  # whatever a foreign server does ends here
            if not ready.done():
                ready.set_exception(error)
            elif not closing.is_set():
                log.warning("mcp_session_ended", server=self.name, error=_cause(error))
        finally:
            if not ready.done():
                ready.cancel()

    def _log_line(self, line: str) -> None:
        log.info("mcp_server_output", server=self.name, line=line)

    def _drop(self, broken: _Session | None = None) -> None:
        session = broken or self._session
        if session is not None:
            session.leave()
        if session is self._session:
            self._session = None

    def _told(self, error: Exception) -> AgentError:
        inner = _innermost(error)
        if isinstance(inner, AgentError):
            return inner
        return Unreachable(f"MCP server {self.name} cannot be used: {_cause(error)}")


async def _list(client: "ClientSession", cursor: str | None) -> _Page:
    from mcp.types import ClientRequest, ListToolsRequest, PaginatedRequestParams

    params = PaginatedRequestParams(cursor=cursor) if cursor else None
    return await client.send_request(ClientRequest(ListToolsRequest(params=params)), _Page)


async def _call(
    client: "ClientSession", tool: str, arguments: Mapping[str, Any]
) -> "CallToolResult":
    """Call a tool as the SDK does, but for its own look at all tools once it has been called."""
    from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest

    params = CallToolRequestParams(name=tool, arguments=dict(arguments))
    return await client.send_request(ClientRequest(CallToolRequest(params=params)), CallToolResult)


_CONNECTION_CLOSED = -32_000
"""The SDK's own code for what was not answered when a session ended."""
_ENDED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def _cause(error: BaseException) -> str:
    from mcp.shared.exceptions import McpError

    inner = _innermost(error)
    is_over = isinstance(inner, McpError) and inner.error.code == _CONNECTION_CLOSED
    if is_over or isinstance(inner, _ENDED):
        return "it ended before it answered"
    reason = inner.strerror if isinstance(inner, OSError) else None
    return reason or type(inner).__name__
