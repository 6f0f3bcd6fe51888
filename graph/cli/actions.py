"""`prefrontal actions`: what was done or asked for, and the way back from it."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

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
from graph.cli.terminal.showing import approval_of, clock_of, said_of
from graph.settings import Settings
from state.approval import LedgerAction
from state.errors import NotFound
from state.record import DecisionRecord

actions = typer.Typer(
    no_args_is_help=True,
    help="What was done, or asked for: list, show, undo.",
    epilog="Example: prefrontal actions list --undoable",
)

ActionId = Annotated[str, typer.Argument(metavar="ACTION", help="The id that list prints.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(actions, name="actions")


@actions.command("list", epilog="Example: prefrontal actions list --undoable")
def list_actions(
    undoable: Annotated[
        bool, typer.Option("--undoable", help="Only what can be undone right now.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List changes, newest first; reads are not among them. Reads beside a running service."""
    settings = read_settings(data_dir=data_dir)
    found = asyncio.run(_listed(settings, tenant, undoable))
    for action in _covered(settings, found) if as_json else found:
        if as_json:
            print_json(action.model_dump(mode="json"))
        else:
            OUT.print(_line(action))
    if not found and not as_json:
        OUT.print("nothing can be undone" if undoable else "nothing was done yet")


@actions.command(epilog="Example: prefrontal actions show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
def show(
    action: ActionId,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show one action and how it stands. Reads beside a running service."""
    settings = read_settings(data_dir=data_dir)
    found = asyncio.run(_shown(settings, tenant, action))
    if as_json:
        print_json(_covered(settings, [found])[0].model_dump(mode="json"))
    else:
        OUT.print(approval_of(found))
        if note := _way_back(found):
            OUT.print(f"  {note}")


@actions.command(
    epilog="Example: prefrontal actions undo 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e --as ben:engineer"
)
def undo(
    action: ActionId,
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Take an action back, once, while its time runs; a dangerous undo asks for a yes first."""
    settings, principal = read_settings(pack, data_dir), read_speaker(speaker, tenant)

    async def work() -> DecisionRecord:
        from graph.cli.embedded import at_work

        async with at_work(settings) as executive:
            return await executive.undo(action, principal)

    record = asyncio.run(work())
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        OUT.print(said_of(record))
    if record.outcome in ("failed", "refused"):
        raise typer.Exit(1)


def _covered(settings: Settings, found: list[LedgerAction]) -> Sequence[LedgerAction]:
    """Cover secrets; without its pack nothing tells which arguments are, and none are shown."""
    from graph.cli.terminal.drawing import drawn

    return drawn(settings, found)


def _line(action: LedgerAction) -> str:
    note = _way_back(action)
    told = f"  ({note})" if note else ""
    return f"{action.action_id}  {action.state:<10} {shown(action.summary)}{told}"


def _way_back(action: LedgerAction) -> str:
    if action.undo_at is not None:
        return f"undone by {shown(action.undo_by or '')} at {clock_of(action.undo_at)}"
    if action.undo_until is not None:
        return f"can be undone until {clock_of(action.undo_until)}"
    return ""


async def _listed(settings: Settings, tenant: str, undoable: bool) -> list[LedgerAction]:
    from graph.cli.stored import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.actions(tenant, undoable_only=undoable)


async def _shown(settings: Settings, tenant: str, action_id: str) -> LedgerAction:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        try:
            return await stored.approval(action_id, tenant)
        except NotFound:  # every row of the ledger is read by one way; here it is an action
            raise NotFound("action", action_id) from None
