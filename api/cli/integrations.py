"""`prefrontal tools` and `prefrontal webhooks`: pinned MCP tools and outgoing webhooks."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.cli.data_folder import require_database
from api.cli.options import AsJson, DataDir, Packs, Speaker, Tenant, read_settings, read_speaker
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from graph.wiring.data_folder import open_database
from graph.wiring.external_services import build_outbox
from state.errors import BadInput
from state.tool_pin import PinnedTool, ToolAcceptance
from state.webhook import Delivery, DeliveryStanding
from tools.catalog.pack import packs_named
from tools.notifications.webhook_outbox import Backlog, Outbox
from tools.platform.unicode_safety import show_hidden
from tools.platform.validation import validated

if TYPE_CHECKING:
    from tools.gate.approvals.tool_pins import SqlToolPins

T = TypeVar("T")
ToolId = Annotated[str, typer.Argument(metavar="TOOL", help="PACK/SERVER/TOOL, as list prints it.")]

tools = typer.Typer(
    no_args_is_help=True,
    help="The tools of MCP servers: list, show and accept what has changed.",
    epilog="Example: prefrontal tools list",
)


def add_tools(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(tools, name="tools")


@tools.command("list", epilog="Example: prefrontal tools list --json")
def list_tools(pack: Packs = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List every tool that was seen, changed ones first. Reads beside a running service."""
    settings = read_settings(pack, data_dir)
    packs = packs_named(settings.packs)
    found = _on(settings, lambda pins: pins.list(packs))
    for one in found:
        _print_tool(one, as_json=as_json)
    if not found and not as_json:
        OUT.print("no tool of an MCP server was seen yet")


@tools.command(epilog="Example: prefrontal tools show desk/notebook/erase_notebook")
def show(
    tool: ToolId, pack: Packs = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Show what a tool was and what it has become, uncut. Reads beside a running service."""
    settings = read_settings(pack, data_dir)
    packs = packs_named(settings.packs)
    found = _on(settings, lambda pins: pins.find(tool, packs))
    _print_tool(found, as_json=as_json)
    if as_json:
        return
    for change in found.changes:
        OUT.print(printable(f"{change.field}\n  - {change.before}\n  + {change.after}"))
    if found.seen_sha256:
        OUT.print(printable(f"to accept it: --sha256 {found.seen_sha256}"))


@tools.command(
    epilog="Example: prefrontal tools accept desk/notebook/erase_notebook --sha256 9b1d… "
    "--as marta:captain"
)
def accept(
    tool: ToolId,
    sha256: Annotated[
        str, typer.Option("--sha256", metavar="HASH", help="Of the change that show printed.")
    ],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Accept a change; the tool is used again from the next start. Works beside a service."""
    principal = read_speaker(speaker, tenant)
    given = validated(ToolAcceptance, {"id": tool, "sha256": sha256})
    settings = read_settings(pack, data_dir)
    packs = packs_named(settings.packs)
    _print_tool(_on(settings, lambda pins: pins.accept(given, principal, packs)), as_json=as_json)


def _print_tool(one: PinnedTool, *, as_json: bool) -> None:
    if as_json:
        print_json(one.model_dump(mode="json"))
        return
    by = f"accepted by {one.accepted_by}" if one.accepted_by else "as first seen"
    who = f"; {' or '.join(one.approver_roles)} may accept it" if one.approver_roles else ""
    told = f"changed: not used until it is accepted{who}" if one.changes else f"pinned {by}"
    OUT.print(printable(show_hidden(f"{one.id}  {told}")))


def _on(settings: Settings, work: "Callable[[SqlToolPins], Awaitable[T]]") -> T:
    from api.cli.data_folder import open_stored
    from tools.gate.approvals.tool_pins import SqlToolPins

    async def run() -> T:
        async with open_stored(settings) as stored:
            return await work(SqlToolPins(stored.database))

    return asyncio.run(run())


_STANDS: dict[DeliveryStanding, str] = {
    "delivered": "arrived",
    "pending": "waiting",
    "dead": "given up",
}
webhooks = typer.Typer(
    no_args_is_help=True,
    help="Who is told of events, what waits and what was given up.",
    epilog="Example: prefrontal webhooks list --dead",
)


def add_webhooks(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(webhooks, name="webhooks")


@webhooks.command("list", epilog="Example: prefrontal webhooks list --dead")
def list_them(
    dead: Annotated[
        bool, typer.Option("--dead", help="Events that were given up, with the last problem.")
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="Events that are still to be sent.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List the endpoints with how many events arrived, wait or were given up.

    Reads beside a service.
    """
    if dead and waiting:
        raise BadInput("say --dead or --waiting")
    settings = read_settings(None, data_dir)
    if dead or waiting:
        standing: DeliveryStanding = "dead" if dead else "pending"
        found = asyncio.run(_with(settings, lambda outbox: outbox.list(standing)))
        _print_deliveries(found, standing, as_json=as_json)
        return
    backlog, named = asyncio.run(_with(settings, _backlog))
    if as_json:
        print_json([one.model_dump(mode="json") for one in backlog])
        return
    for name in dict.fromkeys((*named, *(one.endpoint for one in backlog))):
        theirs = [f"{one.count} {_STANDS[one.standing]}" for one in backlog if one.endpoint == name]
        gone = "" if name in named else " (the file names it no more)"
        OUT.print(printable(f"{name}{gone}  {', '.join(theirs) or 'no event yet'}"))
    if not named:
        print_note("nobody is told of events: EXECUTIVE_WEBHOOKS_FILE names no endpoint")


@webhooks.command(epilog="Example: prefrontal webhooks retry 17 18")
def retry(
    ids: Annotated[list[int] | None, typer.Argument(help="Numbers of dead events.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that are dead.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Send dead events again; a running service does so within a second."""
    if bool(ids) == everything:
        raise BadInput("name dead events by number, or say --all")
    revived = asyncio.run(_with(read_settings(None, data_dir), lambda one: one.revive(ids)))
    OUT.print(f"{_events(revived)} will be sent again" if revived else "no event was given up")


async def _backlog(outbox: Outbox) -> tuple[list[Backlog], list[str]]:
    return await outbox.backlog(), [one.name for one in outbox.endpoints]


def _events(count: int) -> str:
    return f"{count} event" if count == 1 else f"{count} events"


def _print_deliveries(found: list[Delivery], standing: DeliveryStanding, *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        why = f": {one.problem}" if one.problem else ""
        tried = "once" if one.attempts == 1 else f"{one.attempts} times"
        OUT.print(
            printable(
                f"{one.delivery_id}  {one.made_at:%Y-%m-%d %H:%M:%S}  {one.endpoint}  {one.kind}  "
                f"{f'tried {tried}' if one.attempts else 'not tried yet'}{why}"
            )
        )
    if not found:
        print_note("no event was given up" if standing == "dead" else "no event waits")


async def _with(settings: Settings, work: Callable[[Outbox], Awaitable[T]]) -> T:
    require_database(settings)
    database = open_database(settings)
    try:
        return await work(build_outbox(settings, database))
    finally:
        await database.close()
