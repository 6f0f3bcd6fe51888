"""`prefrontal approvals`: what waits for a person's yes, and the person's answer."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import typer

from graph.cli.console import OUT, print_json, shown
from graph.cli.options import (
    AsJson,
    DataDir,
    Packs,
    Speaker,
    Tenant,
    Values,
    read_settings,
    read_speaker,
    read_values,
)
from graph.cli.showing import approval_of, clock_of
from graph.settings import Settings
from state.approval import ActionState, LedgerAction
from state.errors import BadInput
from state.principal import Principal
from state.record import DecisionRecord

approvals = typer.Typer(
    no_args_is_help=True,
    help="What waits for a person's yes: list, show, approve, reject, edit.",
    epilog="Example: prefrontal approvals list",
)

ActionId = Annotated[str, typer.Argument(metavar="APPROVAL", help="The id that list prints.")]
Digest = Annotated[
    str,
    typer.Argument(
        metavar="DIGEST", help="The digest that show prints: all of it, or 12 characters or more."
    ),
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; it is kept.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(approvals, name="approvals")


@approvals.command("list", epilog="Example: prefrontal approvals list --state all --json")
def list_approvals(
    state: Annotated[
        str, typer.Option(help="pending, another state such as succeeded, or all.")
    ] = "pending",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what waits for a yes, newest first. Reads beside a running service."""
    wanted = _state(state)
    found = asyncio.run(_listed(read_settings(data_dir=data_dir), tenant, wanted))
    for action in found:
        if as_json:
            print_json(action.model_dump(mode="json"))
        else:
            until = f"until {clock_of(action.expires_at)}" if action.state == "pending" else ""
            OUT.print(f"{action.action_id}  {action.state:<10} {until}  {shown(action.summary)}")
    if not found and not as_json:
        OUT.print("nothing waits for a yes" if wanted == "pending" else "there is none")


@approvals.command(epilog="Example: prefrontal approvals show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
def show(
    approval: ActionId,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show exactly what would run, with its digest. Reads beside a running service."""
    action = asyncio.run(_shown(read_settings(data_dir=data_dir), tenant, approval))
    if as_json:
        print_json(action.model_dump(mode="json"))
    else:
        OUT.print(approval_of(action))


@approvals.command(
    epilog="Example: prefrontal approvals approve 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer"
)
def approve(
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to exactly what was shown; it runs at once."""
    settings = read_settings(pack, data_dir)
    principal = read_speaker(speaker, tenant)
    _answer(settings, principal, approval, digest, "approve", as_json=as_json)


@approvals.command(
    epilog="Example: prefrontal approvals reject 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --reason 'the old filter stays'"
)
def reject(
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    reason: Reason = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say no; nothing is changed."""
    settings = read_settings(pack, data_dir)
    principal = read_speaker(speaker, tenant)
    _answer(settings, principal, approval, digest, "reject", as_json=as_json, reason=reason)


@approvals.command(
    epilog="Example: prefrontal approvals edit 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --set quantity=2"
)
def edit(
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    values: Values = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to it with other values; an empty VALUE leaves a slot out."""
    if not values:
        raise BadInput("an edit changes something; give --set SLOT=VALUE")
    settings = read_settings(pack, data_dir)
    principal, typed = read_speaker(speaker, tenant), read_values(values)
    _answer(settings, principal, approval, digest, "edit", as_json=as_json, typed=typed)


def _answer(
    settings: Settings,
    principal: Principal,
    approval: str,
    digest: str,
    decision: Literal["approve", "reject", "edit"],
    *,
    as_json: bool,
    typed: Mapping[str, str] | None = None,
    reason: str | None = None,
) -> None:
    async def work() -> tuple[LedgerAction, DecisionRecord]:
        from graph.cli.answering import answer
        from graph.cli.embedded import at_work

        async with at_work(settings) as executive:
            return await answer(
                executive, approval, digest, decision, principal, typed=typed, reason=reason
            )

    action, record = asyncio.run(work())
    if as_json:
        print_json(action.model_dump(mode="json"))
    elif action.state == "pending":
        OUT.print(f"{action.approvals} of {action.quorum} people said yes; it waits for the others")
    else:
        OUT.print(f"{action.state}: {shown(record.text)}")
    if action.state in ("failed", "unknown", "stale"):
        raise typer.Exit(1)


async def _listed(settings: Settings, tenant: str, state: ActionState | None) -> list[LedgerAction]:
    from graph.cli.stored import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.approvals(tenant, state)


async def _shown(settings: Settings, tenant: str, approval: str) -> LedgerAction:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        return await stored.approval(approval, tenant)


def _state(given: str) -> ActionState | None:
    for state in get_args(ActionState):
        if state == given:
            known: ActionState = state
            return known
    if given == "all":
        return None
    raise BadInput(f"no state {given!r}; there are {', '.join(get_args(ActionState))} and all")
