"""`prefrontal gate`: an MCP server behind the gate, in one command."""

import asyncio
import json
import os
import re
import shlex
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.gate_folder import (
    APPROVAL_MINUTES,
    PARENT,
    SECONDS,
    START_SECONDS,
    Gate,
    described,
    name_of,
)
from api.cli.gate_folder import read_tools as read_listed
from api.cli.options import read_settings
from api.cli.server import AnnouncedServer, serve_until_stopped
from api.cli.service import running_address
from api.cli.terminal import OUT, configure_logs, print_note, printable
from state.errors import AgentError, BadInput, Busy, Unreachable
from state.principal import Principal
from tools.access import SqlKeys
from tools.catalog.pack_schema import McpServer
from tools.platform.egress_policy import is_loopback
from tools.platform.texts import t
from tools.storage import Database

if TYPE_CHECKING:
    from api.cli.mcp import Streams
    from api.mcp.client import Api
    from graph.settings import Settings

AGENT = "agent"
_STARTING_SECONDS = 120.0
"""For another process to say where it answers: a first start learns the tools."""
_LOOK_SECONDS = 0.5
"""Until a process looks again whether another one still serves its gate."""
_ASK_SECONDS = 0.1
"""Until a call that waits for a service looks again."""
_SECRET = "EXECUTIVE_SECRET_"  # noqa: S105  # the prefix of variables, no secret
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")


def gate(  # noqa: PLR0913, PLR0917  # every option is a parameter
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND...", help="What starts the MCP server, on stdio."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="An MCP server that runs elsewhere instead."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its name here. Default: from the command.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Default: ./.prefrontal-gate/NAME."),
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(metavar="VARIABLE", help="Hand the server this variable; may be repeated."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEADER",
            help="Send --url this header; may be repeated. ${NAME} in it is the variable NAME.",
        ),
    ] = None,
    reads_run: Annotated[
        bool | None,
        typer.Option(
            "--reads-run/--reads-wait",
            help="Whether what only reads runs at once. Default: yes, but for --url.",
        ),
    ] = None,
    trust_annotations: Annotated[
        bool,
        typer.Option(
            "--trust-annotations",
            help="Believe all that the server says of its tools, whatever their names say.",
        ),
    ] = False,
    start_seconds: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=1.0,
            max=600.0,
            help="For the server's first start; one that has to be fetched first may need more.",
        ),
    ] = START_SECONDS,
    stdio: Annotated[
        bool,
        typer.Option(
            "--stdio", help="Also speak MCP on stdin and stdout, in the place of the server."
        ),
    ] = False,
) -> None:
    """Put an MCP server behind the gate: reads run, changes wait for a person.

    The first start reads its tools and writes what each does into mcp.yaml, to be edited.
    """
    streams = None
    if stdio:
        from api.cli.mcp import take_streams

        streams = take_streams()
    configure_logs("warning")
    how = described(command or (), url, header or (), env or ()) if command or url else None
    found = _gate(name, folder, command or (), url)
    server = found.server()
    _set_secrets(env or (), header or (), server)
    if server is None:
        if how is None:
            raise BadInput(t("gateway.one_server"))
        server = _first(found, how, start_seconds, reads_run=reads_run, trusted=trust_annotations)
    elif how is not None and not _is_same(server, how):
        raise BadInput(t("gateway.other_server", rules=found.rules))
    _serve(found, server, streams)


def _gate(name: str | None, folder: Path | None, command: Sequence[str], url: str | None) -> Gate:
    if name is None and folder is not None and not command and url is None:
        name = folder.name
    if name is None and not command and url is None:
        raise BadInput(t("gateway.one_server"))
    named = name or name_of(command, url)
    if not _NAME.fullmatch(named):
        raise BadInput(t("gateway.other_name", name=named))
    return Gate((folder or PARENT / named).resolve(), named)


def _first(
    found: Gate,
    how: Mapping[str, object],
    seconds: float,
    *,
    reads_run: bool | None,
    trusted: bool,
) -> McpServer:
    """Read the tools of a server that is new here, and write what each does."""
    from graph.wiring.external_services import build_egress

    server = McpServer.model_validate(
        {
            **how,
            "seconds": SECONDS,
            "approvers": {"expires_minutes": APPROVAL_MINUTES},
            "trusted": trusted,
            "reads_run": how["transport"] == "stdio" if reads_run is None else reads_run,
        }
    )
    print_note(t("gateway.starting", name=found.name, seconds=f"{seconds:g}"))
    egress = build_egress(_settings(found, server, port=0))

    def tell(line: str) -> None:
        print_note(t("gateway.output", name=found.name, line=line))

    try:
        reading = read_listed(found.name, server, Path.cwd(), egress, seconds, tell)
        actions, troubles = asyncio.run(reading)
    except Unreachable as error:
        if not isinstance(error.__cause__, TimeoutError):
            raise
        raise AgentError(t("gateway.silent", name=found.name, seconds=f"{seconds:g}")) from error
    for trouble in troubles:
        print_note(t("gateway.trouble", name=found.name, trouble=trouble))
    if not actions:
        raise AgentError(t("gateway.no_tools", name=found.name))
    found.write(server, actions)
    return server


def _is_same(server: McpServer, how: Mapping[str, object]) -> bool:
    """Tell whether it is reached as was written; from which folder it is started may differ."""
    kept = server.model_dump(mode="json")
    return all(kept[key] == value for key, value in how.items() if key != "cwd")


def _set_secrets(env: Sequence[str], headers: Sequence[str], server: McpServer | None) -> None:
    """Let mcp.yaml name variables of this process; their values are written nowhere.

    Raises:
        BadInput: one of them is not set.
    """
    kept = (*server.env.values(), *server.headers.values()) if server is not None else ()
    named = {*env, *(each for text in (*headers, *kept) for each in _VARIABLE.findall(text))}
    for each in sorted(named):
        if (value := os.environ.get(f"{_SECRET}{each}", os.environ.get(each))) is None:
            raise BadInput(t("gateway.unset", name=each))
        os.environ[f"{_SECRET}{each}"] = value


def _settings(found: Gate, server: McpServer, port: int) -> "Settings":
    """Make the settings of this service, and hand on what it reads in the environment.

    Raises:
        BadInput: a database of one's own is named, in which other data is.
    """
    given: dict[str, Any] = {"host": "127.0.0.1", "port": port}  # fields of Settings
    if server.url is not None:
        from httpx import URL

        from tools.platform.egress import place_of

        place = place_of(URL(server.url))
        kind = "allowed_private_hosts" if is_loopback(place.host) else "allowed_hosts"
        given[kind] = (str(place),)
        os.environ[f"EXECUTIVE_{kind.upper()}"] = str(place)
    settings = read_settings([str(found.pack)], found.data, **given)
    if settings.database_url is not None:
        raise BadInput(t("gateway.database", folder=found.data))
    return settings


def _serve(found: Gate, server: McpServer, streams: "Streams | None") -> None:
    if streams is None:
        settings = _settings(found, server, found.port())
        serve_until_stopped(settings, partial(_GateServer, found, tells_keys=True))
        return
    ended = threading.Event()
    made: list[_GateServer] = []

    def make(*given: Any) -> "_GateServer":
        made.append(_GateServer(found, *given, tells_keys=False))
        made[-1].should_exit = ended.is_set()
        return made[-1]

    def talk() -> None:
        try:
            asyncio.run(_talk(found, streams))
        finally:
            ended.set()
            for one in made:
                one.should_exit = True

    # On a thread, so that the client is greeted while the service still starts.
    threading.Thread(target=talk, daemon=True).start()
    _stand(found, server, make, ended)


def _stand(
    found: Gate, server: McpServer, make: Callable[..., "_GateServer"], ended: threading.Event
) -> None:
    """See to it that one process serves this gate, this one where no other does, until the end.

    Every client starts such a process, and the one that serves may be the first to go.

    Raises:
        Busy: another process has the folder, and says no address in time.
    """
    until, failures = time.monotonic() + _STARTING_SECONDS, 0
    while not ended.is_set():
        try:
            if running_address(found.data) is None:
                serve_until_stopped(_settings(found, server, found.port()), make)
                return
            until = time.monotonic() + _STARTING_SECONDS
        except Busy:
            if time.monotonic() >= until:
                raise
        except typer.Exit:  # it has said why; another process may have been faster, or just before
            failures += 1
            if failures > 1 and not _is_taken(found):
                raise
        ended.wait(_LOOK_SECONDS)


def _is_taken(found: Gate) -> bool:
    try:
        return running_address(found.data) is not None
    except Busy:
        return True


async def _talk(found: Gate, streams: "Streams") -> None:
    from api.cli.mcp import speak

    async with AsyncExitStack() as opened:
        api = _SharedApi(found, opened)
        await speak(streams, api, lambda: f"{api.address}/console" if api.address else None)


class _GateServer(AnnouncedServer):
    """Says what stands behind the gate, and how an agent and a person reach it."""

    def __init__(self, found: Gate, *given: Any, tells_keys: bool) -> None:
        super().__init__(*given)
        self._found, self._tells_keys = found, tells_keys
        self._person_line = self._key = ""

    async def prepare(self) -> None:
        """Make the keys and keep the port, before another process finds the address."""
        self._person_line = await self._person()
        self._key = await self._agent_key()
        self._found.keep_port(self.settings.port)

    async def tell(self, address: str) -> None:
        """Print the tools, the console, and what an MCP client needs."""
        from api.app import app

        when: dict[str, list[str]] = {}
        for entry in app.state.executive.proposals.catalog(_agent()):
            if entry.pack == self._found.name:
                when.setdefault(entry.execution_class, []).append(entry.name)
        count = sum(map(len, when.values()))
        lines = [t("gateway.stands", name=self._found.name, count=count)]
        lines += [
            t("gateway.listed", when=t(f"gateway.runs.{letter}"), count=len(names), tools=told)
            for letter, names in sorted(when.items())
            if (told := ", ".join(names))
        ]
        down = (one for one in app.state.executive.degraded if self._found.name in one)
        lines += [*down, t("gateway.rules_at", rules=self._found.rules)]
        lines += [t("gateway.console", address=address), self._person_line]
        lines.append(t("gateway.mcp_at", address=address))
        if self._tells_keys:
            lines += [t("gateway.agent_key", key=self._key), t("gateway.configured")]
            configured = _configuration(self._found.name, address, self._key)
            lines += [f"  {configured}", t("gateway.ends")]
        for line in lines:
            OUT.print(printable(line))

    async def _agent_key(self) -> str:
        """Find the agent's key, or make one where it is gone or was revoked."""
        database = Database(self.settings.database)
        try:
            keys = SqlKeys(database)
            kept = self._found.agent_key()
            if kept is not None and await keys.principal_of(kept) is not None:
                return kept
            made = await keys.make(_agent())
            self._found.keep_agent_key(made)
            return made
        finally:
            await database.close()

    async def _person(self) -> str:
        """Say with which key a person signs in; a client that starts us is never told one."""
        key = await self.first_key() if self._tells_keys else None
        if key is not None:
            return t("gateway.person_key", key=key)
        return t("gateway.more_keys", data=shlex.quote(str(self._found.data)))


class _SharedApi:
    """The API of whichever process serves this gate; a call waits while none does."""

    def __init__(self, found: Gate, opened: AsyncExitStack) -> None:
        self._found, self._opened = found, opened
        self._apis: dict[str, Api] = {}
        self.address: str | None = None
        """Where it was reached last."""

    async def ask(self, method: str, path: str, query: Any = None, body: Any = None) -> Any:
        """Send one request; see Api."""
        from api.mcp.client import api_at

        while (address := self._running()) is None:  # noqa: ASYNC110  # of another process
            await asyncio.sleep(_ASK_SECONDS)
        self.address = address
        if address not in self._apis:
            opening = api_at(address, lambda: self._found.agent_key() or "")
            self._apis[address] = await self._opened.enter_async_context(opening)
        return await self._apis[address].ask(method, path, query, body)

    def _running(self) -> str | None:
        with suppress(Busy):  # it starts, or ends
            return running_address(self._found.data)
        return None


def _agent() -> Principal:
    return Principal(user=AGENT, tenant_id="default", kind="service")


def _configuration(name: str, address: str, key: str) -> str:
    reached = {
        "type": "http",
        "url": f"{address}/mcp",
        "headers": {"Authorization": f"Bearer {key}"},
    }
    return json.dumps({"mcpServers": {name: reached}})
