"""`prefrontal refusals`: what is refused beforehand, without asking anybody."""

import asyncio
from typing import Annotated

import typer

from graph.cli.doing import done_by
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
from state.refusal import NewRefusal, Refusal
from tools.visible import visible

refusals = typer.Typer(
    no_args_is_help=True,
    help="What is refused beforehand: list, add, withdraw.",
    epilog="Example: prefrontal refusals list --as marta:captain",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(refusals, name="refusals")


@refusals.command("list", epilog="Example: prefrontal refusals list --as marta:captain")
def list_refusals(
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List the standing refusals of actions that you may approve."""
    principal = read_speaker(speaker, tenant)
    settings = read_settings(pack, data_dir)
    found = asyncio.run(done_by(settings, lambda executive: executive.refusals(principal)))
    for refusal in found:
        _tell(refusal, as_json=as_json)
    if not found and not as_json:
        OUT.print("nothing is refused beforehand")


@refusals.command(epilog="Example: prefrontal refusals add order_part --as marta:captain")
def add(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="A name of the catalogue.")],
    speaker: Speaker,
    reason: Annotated[str, typer.Option("--reason", help="Why; whoever asks is told.")] = "",
    minutes: Annotated[
        float | None, typer.Option(help="How long; without it, until withdrawn.")
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Refuse an action from now on, whoever asks for it. It never allows anything."""
    principal = read_speaker(speaker, tenant)
    wanted = validated(NewRefusal, {"action": action, "reason": reason, "minutes": minutes})
    settings = read_settings(pack, data_dir)
    made = asyncio.run(done_by(settings, lambda executive: executive.refuse(wanted, principal)))
    _tell(made, as_json=as_json)


@refusals.command(
    epilog="Example: prefrontal refusals withdraw 5b8e6c0e-9d51-4b0e-b2b3-2f7f6f0f6c11 "
    "--as marta:captain"
)
def withdraw(
    refusal: Annotated[str, typer.Argument(metavar="REFUSAL", help="The id that list prints.")],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Let people be asked again."""
    principal = read_speaker(speaker, tenant)
    settings = read_settings(pack, data_dir)
    ended = asyncio.run(
        done_by(settings, lambda executive: executive.withdraw_refusal(refusal, principal))
    )
    _tell(ended, as_json=as_json)


def _tell(refusal: Refusal, *, as_json: bool) -> None:
    if as_json:
        print_json(refusal.model_dump(mode="json"))
        return
    asker = f" asked by {refusal.requester}" if refusal.requester else ""
    with_these = f" with {dict(refusal.arguments)}" if refusal.arguments else ""
    until = f" until {refusal.until:%Y-%m-%d %H:%M} UTC" if refusal.until else ""
    why = f": {refusal.reason}" if refusal.reason else ""
    withdrawn = " (withdrawn)" if refusal.withdrawn_at else ""
    told = f"{refusal.action}{with_these}{asker}{until}, by {refusal.created_by}{why}{withdrawn}"
    OUT.print(f"{refusal.refusal_id}  {shown(visible(told))}")
