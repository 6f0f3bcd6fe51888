"""What is outside this process: packs with the tools of their MCP servers, and the way to them."""

import asyncio
import os
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from dotenv import dotenv_values
from pydantic import SecretStr

from graph.assembly.data_folder import open_database, private_folder
from graph.assembly.paper_providers import papers_of
from graph.settings import Settings
from graph.watching.langsmith_switch import obey
from state.errors import BadInput
from tools.catalogue.importing import demand_importable
from tools.catalogue.pack import Pack, packs_named
from tools.catalogue.withheld import Withheld
from tools.egress.egress import Egress
from tools.egress.hosts import AllowedHosts
from tools.handlers.elsewhere import Elsewhere
from tools.ledger.tool_pins import SqlToolPins
from tools.mcp.connection import McpConnection
from tools.mcp.joining import Joined, join_servers

SECRET_PREFIX = "EXECUTIVE_SECRET_"  # noqa: S105  # how they are named, not one of them


@dataclass(frozen=True)
class Loaded:
    """The packs as they are served, and what their actions reach."""

    packs: tuple[Pack, ...]
    elsewhere: Elsewhere
    degraded: tuple[str, ...] = ()
    """Which servers are down and which tools are left out."""
    withheld: Withheld = field(default_factory=Withheld)
    """Tools that differ from their pins; what a session finds later is added."""


def load_packs(settings: Settings) -> Loaded:
    """Read the packs and ask their MCP servers once; also from inside a running event loop.

    A tool that was never seen is pinned in the database of these settings.

    Before anything is sent anywhere, LangSmith is turned off where the setting says so.

    Raises:
        PackFaults, NotFound: a pack cannot be loaded, or a function of it cannot be called.
    """
    obey(settings)
    packs = packs_named(settings.packs)
    demand_importable(packs)
    egress = egress_of(settings)
    papers = papers_of(settings)
    if not any(pack.mcp for pack in packs):
        return Loaded(tuple(packs), Elsewhere(egress, papers=papers))
    withheld = Withheld()
    with ThreadPoolExecutor(1, thread_name_prefix="mcp-listing") as thread:
        joined = thread.submit(asyncio.run, _joined(settings, packs, egress, withheld)).result()
    servers = {
        (pack.name, name): McpConnection(name, server, egress, pack.folder)
        for pack in packs
        for name, server in pack.mcp.items()
    }
    for each in joined:
        for name, watch in each.watches.items():
            servers[each.pack.name, name].watch = watch
    return Loaded(
        packs=tuple(each.pack for each in joined),
        elsewhere=Elsewhere(egress, servers, papers),
        degraded=tuple(line for each in joined for line in told(each)),
        withheld=withheld,
    )


def egress_of(settings: Settings) -> Egress:
    """Say what may be reached over HTTP, with which secrets.

    Raises:
        BadInput: EXECUTIVE_CA_FILE is not there, or holds no certificate.
    """
    if settings.ca_file is not None and not settings.ca_file.is_file():
        raise BadInput(f"EXECUTIVE_CA_FILE: {settings.ca_file} is no file; name one in PEM")
    if settings.ca_file is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(settings.ca_file)
        except (ssl.SSLError, OSError) as error:
            raise BadInput(
                f"EXECUTIVE_CA_FILE: {settings.ca_file} holds no certificate that can be read; "
                "name a file in PEM"
            ) from error
    hosts = AllowedHosts(
        public=frozenset(settings.allowed_hosts), private=frozenset(settings.allowed_private_hosts)
    )
    return Egress(hosts, read_secrets(), ca_file=settings.ca_file)


def read_secrets() -> Mapping[str, SecretStr]:
    """Read every EXECUTIVE_SECRET_* of `.env` and the environment; the latter wins."""
    given = {**dotenv_values(".env"), **os.environ}
    return {
        name.removeprefix(SECRET_PREFIX): SecretStr(value)
        for name, value in given.items()
        if name.startswith(SECRET_PREFIX) and value
    }


def told(joined: Joined) -> tuple[str, ...]:
    """Say what of a pack's servers is not there."""
    down = (
        f"MCP server {name} of {joined.pack.name} is down ({reason}); none of its tools is there "
        "until a start finds it"
        for name, reason in joined.down.items()
    )
    return (*down, *joined.troubles)


async def _joined(
    settings: Settings, packs: list[Pack], egress: Egress, withheld: Withheld
) -> list[Joined]:
    private_folder(settings.data_dir)
    database = open_database(settings)
    pins = SqlToolPins(database)
    joined: list[Joined] = []
    taken = {name for pack in packs for name in pack.actions}
    try:
        for pack in packs:
            others = taken - set(pack.actions)
            one = await join_servers(pack, egress, others, pins=pins, withheld=withheld)
            taken |= set(one.pack.actions)
            joined.append(one)
    finally:
        await database.close()
    return joined
