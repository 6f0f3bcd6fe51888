"""`prefrontal tools`: the pinned tools of MCP servers, and a person's yes to a change of one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from graph.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Speaker,
    Tenant,
    read_settings,
    read_speaker,
)
from graph.cli.terminal.console import OUT, print_json, shown
from graph.cli.validating import validated
from graph.settings import Settings
from state.tool_pin import PinnedTool, ToolAcceptance
from tools.catalogue.pack import packs_named
from tools.visible import visible

if TYPE_CHECKING:
    from tools.ledger.tool_pins import SqlToolPins

T = TypeVar("T")
ToolId = Annotated[str, typer.Argument(metavar="TOOL", help="PACK/SERVER/TOOL, as list prints it.")]

tools = typer.Typer(
    no_args_is_help=True,
    help="The tools of MCP servers: list, show and accept what has changed.",
    epilog="Example: prefrontal tools list",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(tools, name="tools")


@tools.command("list", epilog="Example: prefrontal tools list --json")
def list_tools(pack: Packs = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List every tool that was seen, changed ones first. Reads beside a running service."""
    settings = read_settings(pack, data_dir)
    packs = packs_named(settings.packs)
    found = _on(settings, lambda pins: pins.list(packs))
    for one in found:
        _tell(one, as_json=as_json)
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
    _tell(found, as_json=as_json)
    if as_json:
        return
    for change in found.changes:
        OUT.print(shown(f"{change.field}\n  - {change.before}\n  + {change.after}"))
    if found.seen_sha256:
        OUT.print(shown(f"to accept it: --sha256 {found.seen_sha256}"))


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
    _tell(_on(settings, lambda pins: pins.accept(given, principal, packs)), as_json=as_json)


def _tell(one: PinnedTool, *, as_json: bool) -> None:
    if as_json:
        print_json(one.model_dump(mode="json"))
        return
    by = f"accepted by {one.accepted_by}" if one.accepted_by else "as first seen"
    who = f"; {' or '.join(one.approver_roles)} may accept it" if one.approver_roles else ""
    told = f"changed: not used until it is accepted{who}" if one.changes else f"pinned {by}"
    OUT.print(shown(visible(f"{one.id}  {told}")))


def _on(settings: Settings, work: "Callable[[SqlToolPins], Awaitable[T]]") -> T:
    from graph.cli.stored import open_stored
    from tools.ledger.tool_pins import SqlToolPins

    async def run() -> T:
        async with open_stored(settings) as stored:
            return await work(SqlToolPins(stored.database))

    return asyncio.run(run())
