"""`prefrontal offers`: the suggestion chips that stand, and a person's choice."""

import asyncio
from typing import Annotated

import typer

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
from graph.cli.terminal.console import OUT, print_json
from graph.cli.terminal.showing import offer_of, said_of
from graph.settings import Settings
from state.offer import Offer
from state.record import DecisionRecord

offers = typer.Typer(
    no_args_is_help=True,
    help="Suggestion chips: list the open ones, choose one.",
    epilog="Example: prefrontal offers list",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(offers, name="offers")


@offers.command("list", epilog="Example: prefrontal offers list --all --json")
def list_offers(
    everything: Annotated[bool, typer.Option("--all", help="Chosen and expired ones too.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List offers, newest first. Reads beside a running service."""
    settings = read_settings(data_dir=data_dir)
    found = asyncio.run(_listed(settings, tenant, open_only=not everything))
    for offer in found:
        if as_json:
            print_json(offer.model_dump(mode="json"))
        else:
            OUT.print(offer_of(offer))
    if not found and not as_json:
        OUT.print("nothing is offered")


@offers.command(epilog="Example: prefrontal offers choose offer-2f6f0a chip-1 --as ben:engineer")
def choose(
    offer: Annotated[str, typer.Argument(metavar="OFFER", help="The id that list prints.")],
    chip: Annotated[str, typer.Argument(metavar="CHIP", help="Such as chip-1.")],
    speaker: Speaker,
    values: Values = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Choose a chip: a message of its own, judged again, and done when it may be."""
    principal, typed = read_speaker(speaker, tenant), read_values(values)
    settings = read_settings(pack, data_dir)

    async def work() -> DecisionRecord:
        from graph.cli.embedded import at_work
        from graph.cli.people.answering import choose as choose_chip

        async with at_work(settings) as executive:
            return await choose_chip(executive, offer, chip, principal, typed)

    record = asyncio.run(work())
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        OUT.print(said_of(record))
    if record.outcome == "failed":
        raise typer.Exit(1)


async def _listed(settings: Settings, tenant: str, *, open_only: bool) -> list[Offer]:
    from graph.cli.stored import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.offers(tenant, open_only=open_only)
