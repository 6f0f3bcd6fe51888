"""`prefrontal webhooks`: who is told of events, what waits, what was given up, and trying again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from graph.assembly.data_folder import open_database
from graph.assembly.webhooks import build_outbox
from graph.cli.options import AsJson, DataDir, read_settings
from graph.cli.stored import need_database
from graph.cli.terminal.console import OUT, note, print_json, shown
from graph.settings import Settings
from state.errors import BadInput
from state.webhook import Delivery, DeliveryStanding
from tools.webhooks.outbox import Backlog, Outbox

T = TypeVar("T")
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


def add_to(cli: typer.Typer) -> None:
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
        _tell(found, standing, as_json=as_json)
        return
    backlog, named = asyncio.run(_with(settings, _backlog))
    if as_json:
        print_json([one.model_dump(mode="json") for one in backlog])
        return
    for name in dict.fromkeys((*named, *(one.endpoint for one in backlog))):
        theirs = [f"{one.count} {_STANDS[one.standing]}" for one in backlog if one.endpoint == name]
        gone = "" if name in named else " (the file names it no more)"
        OUT.print(shown(f"{name}{gone}  {', '.join(theirs) or 'no event yet'}"))
    if not named:
        note("nobody is told of events: EXECUTIVE_WEBHOOKS_FILE names no endpoint")


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


def _tell(found: list[Delivery], standing: DeliveryStanding, *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        why = f": {one.problem}" if one.problem else ""
        tried = "once" if one.attempts == 1 else f"{one.attempts} times"
        OUT.print(
            shown(
                f"{one.delivery_id}  {one.made_at:%Y-%m-%d %H:%M:%S}  {one.endpoint}  {one.kind}  "
                f"{f'tried {tried}' if one.attempts else 'not tried yet'}{why}"
            )
        )
    if not found:
        note("no event was given up" if standing == "dead" else "no event waits")


async def _with(settings: Settings, work: Callable[[Outbox], Awaitable[T]]) -> T:
    need_database(settings)
    database = open_database(settings)
    try:
        return await work(build_outbox(settings, database))
    finally:
        await database.close()
