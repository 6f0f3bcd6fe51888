"""`prefrontal webhooks`: who is told of events, what waits, what was given up, and trying again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from graph.cli.console import OUT, print_json, shown
from graph.cli.options import AsJson, DataDir, read_settings
from graph.cli.stored import need_database
from graph.data_folder import open_database
from graph.settings import Settings
from graph.webhooks import build_outbox
from state.errors import BadInput
from state.webhook import Delivery, DeliveryStanding
from tools.webhooks.outbox import Outbox

T = TypeVar("T")
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
    """List the endpoints with how many events are where. Reads beside a service."""
    settings = read_settings(None, data_dir)
    if dead or waiting:
        standing: DeliveryStanding = "dead" if dead else "pending"
        found = asyncio.run(_with(settings, lambda outbox: outbox.list(standing)))
        _tell(found, as_json=as_json)
        return
    backlog = asyncio.run(_with(settings, lambda outbox: outbox.backlog()))
    if as_json:
        print_json([one.model_dump(mode="json") for one in backlog])
        return
    for one in backlog:
        OUT.print(shown(f"{one.endpoint}  {one.standing}  {one.count}"))
    if not backlog:
        OUT.print("nothing was to be told yet")


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
    OUT.print(f"{revived} to be sent again")


def _tell(found: list[Delivery], *, as_json: bool) -> None:
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        why = f": {one.problem}" if one.problem else ""
        OUT.print(
            shown(
                f"{one.delivery_id}  {one.made_at:%Y-%m-%d %H:%M:%S}  {one.endpoint}  {one.kind}  "
                f"{one.attempts} attempts{why}"
            )
        )
    if not found:
        OUT.print("none")


async def _with(settings: Settings, work: Callable[[Outbox], Awaitable[T]]) -> T:
    need_database(settings)
    database = open_database(settings)
    try:
        return await work(build_outbox(settings, database))
    finally:
        await database.close()
