"""Build what reaches outside this process.

Egress, secrets, MCP servers, paper providers, webhooks.
"""

import asyncio
import os
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from dotenv import dotenv_values
from pydantic import SecretStr

from graph.settings import Settings, apply_langsmith_switch
from graph.wiring.data_folder import open_database, private_folder
from graph.wiring.thresholds import read_tuning
from state.channel import Channels, ChannelTuning
from state.errors import BadInput
from state.reader import ClosedSessions
from state.webhook import WebhookTuning
from tools.access import SessionReaders
from tools.adapters import McpConnection, PaperSearch
from tools.adapters.mcp.discovery import PackWithTools, discover_tools
from tools.catalog import Pack, WithheldTools, packs_named
from tools.catalog.pack_code import require_importable
from tools.gate import ExternalServices, SqlToolPins
from tools.notifications import (
    ChannelOutbox,
    Outbox,
    WebhookSender,
    read_channels,
    read_endpoints,
)
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts
from tools.storage import Database


def build_paper_search(settings: Settings) -> PaperSearch:
    """Build scholarly search over the providers of EXECUTIVE_PAPER_PROVIDERS."""
    doors = {
        "semantic_scholar": (settings.semantic_scholar_url, settings.semantic_scholar_key),
        "openalex": (settings.openalex_url, settings.openalex_key),
    }
    return PaperSearch.of(
        {name: doors[name] for name in settings.paper_providers},
        read_tuning(settings.policy_file).search,
        private_hosts=frozenset(settings.allowed_private_hosts),
        ca_file=settings.ca_file,
    )


SECRET_PREFIX = "EXECUTIVE_SECRET_"  # noqa: S105  # how they are named, not one of them


@dataclass(frozen=True)
class LoadedPacks:
    """The packs as they are served, and what their actions reach."""

    packs: tuple[Pack, ...]
    elsewhere: ExternalServices
    degraded: tuple[str, ...] = ()
    """Which servers are down and which tools are left out."""
    withheld: WithheldTools = field(default_factory=WithheldTools)
    """Tools that differ from their pins; what a session finds later is added."""


def load_packs(settings: Settings) -> LoadedPacks:
    """Read the packs and ask their MCP servers once; also from inside a running event loop.

    A tool that was never seen is pinned in the database of these settings.

    Before anything is sent anywhere, LangSmith is turned off where the setting says so.

    Raises:
        PackFaults, NotFound: a pack cannot be loaded, or a function of it cannot be called.
    """
    apply_langsmith_switch(settings)
    packs = packs_named(settings.packs)
    require_importable(packs)
    egress = build_egress(settings)
    papers = build_paper_search(settings)
    if not any(pack.mcp for pack in packs):
        return LoadedPacks(tuple(packs), ExternalServices(egress, papers=papers))
    withheld = WithheldTools()
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
    return LoadedPacks(
        packs=tuple(each.pack for each in joined),
        elsewhere=ExternalServices(egress, servers, papers),
        degraded=tuple(line for each in joined for line in missing_tools(each)),
        withheld=withheld,
    )


def build_egress(settings: Settings) -> Egress:
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


def missing_tools(joined: PackWithTools) -> tuple[str, ...]:
    """Say what of a pack's servers is not there."""
    down = (
        f"MCP server {name} of {joined.pack.name} is down ({reason}); none of its tools is there "
        "until a start finds it"
        for name, reason in joined.down.items()
    )
    return (*down, *joined.troubles)


async def _joined(
    settings: Settings, packs: list[Pack], egress: Egress, withheld: WithheldTools
) -> list[PackWithTools]:
    private_folder(settings.data_dir)
    database = open_database(settings)
    pins = SqlToolPins(database)
    joined: list[PackWithTools] = []
    taken = {name for pack in packs for name in pack.actions}
    try:
        for pack in packs:
            others = taken - set(pack.actions)
            one = await discover_tools(pack, egress, others, pins=pins, withheld=withheld)
            taken |= set(one.pack.actions)
            joined.append(one)
    finally:
        await database.close()
    return joined


def build_outbox(
    settings: Settings, database: Database, closed: Sequence[ClosedSessions] = ()
) -> Outbox:
    """Build what keeps events for the endpoints of EXECUTIVE_WEBHOOKS_FILE.

    Args:
        closed: sessions that a few may read; of no account to who only reads what is kept.

    Raises:
        BadInput: the file, or a secret that it names, is not as it must be.
    """
    file = settings.webhooks_file
    endpoints = read_endpoints(file, read_secrets()) if file else ()
    return Outbox(database, endpoints, SessionReaders(tuple(closed)))


def build_channels(settings: Settings, database: Database, tuning: ChannelTuning) -> ChannelOutbox:
    """Build what plans messages to people; without a file nobody is told.

    Raises:
        BadInput: the file, or a secret that it names, is not as it must be.
    """
    file = settings.channels_path
    channels = read_channels(file, read_secrets()) if file else Channels()
    return ChannelOutbox(database, channels, tuning)


def build_sending(settings: Settings, outbox: Outbox, tuning: WebhookTuning) -> WebhookSender:
    """Build what sends them."""
    return WebhookSender(outbox, build_egress(settings), tuning)
