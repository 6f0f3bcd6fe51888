"""`prefrontal approvals`: what waits for a person's yes, and the person's answer."""

import asyncio
from typing import Annotated, get_args

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
from graph.cli.people.answerer import Person
from graph.cli.people.long_parts import Seen
from graph.cli.people.said import Said
from graph.cli.terminal.console import OUT, print_json
from graph.cli.terminal.drawing import drawn
from graph.cli.terminal.showing import approval_of, approval_row
from graph.cli.validating import validated
from graph.settings import Settings
from state.approval import ActionState, LedgerAction
from state.errors import BadInput
from state.refusal import RefusalWish

approvals = typer.Typer(
    no_args_is_help=True,
    help="What waits for a person's yes: list, show, approve, reject, edit, respond.",
    epilog="Example: prefrontal approvals list",
)

ActionId = Annotated[str, typer.Argument(metavar="APPROVAL", help="The id that list prints.")]
Digest = Annotated[
    str,
    typer.Argument(
        metavar="DIGEST", help="The digest that show prints: all of it, or 12 characters or more."
    ),
]
Pairs = Annotated[
    list[str],
    typer.Argument(metavar="APPROVAL DIGEST ...", help="Each approval with the digest you saw."),
]
Phrase = Annotated[
    str | None, typer.Option("--type", help="What the dialog asks to be typed with a yes.")
]
Minutes = Annotated[
    float | None, typer.Option(help="How long it stands; without it, until withdrawn.")
]
MOST_AT_ONCE = 50
Reason = Annotated[str | None, typer.Option("--reason", help="Why; it is kept.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(approvals, name="approvals")


@approvals.command("list", epilog="Example: prefrontal approvals list --state all --json")
def list_approvals(
    state: Annotated[
        str, typer.Option(help="pending, another state such as succeeded, or all.")
    ] = "pending",
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List what waits for a yes, newest first. Reads beside a running service."""
    wanted = _state(state)
    settings = read_settings(pack, data_dir)
    found = drawn(settings, asyncio.run(_listed(settings, tenant, wanted)))
    for action in found:
        if as_json:
            print_json(action.model_dump(mode="json"))
        else:
            OUT.print(approval_row(action))
    if not found and not as_json:
        OUT.print("nothing waits for a yes" if wanted == "pending" else "there is none")


@approvals.command(epilog="Example: prefrontal approvals show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
def show(
    approval: ActionId,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show exactly what would run, with its digest. Reads beside a running service."""
    settings = read_settings(pack, data_dir)
    (action,) = drawn(settings, [asyncio.run(_shown(settings, tenant, approval))])
    if as_json:
        print_json(action.model_dump(mode="json"))
    else:
        OUT.print(approval_of(action))


@approvals.command(
    epilog="Example: prefrontal approvals approve 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer"
)
def approve(
    pairs: Pairs,
    speaker: Speaker,
    phrase: Phrase = None,
    seen: Seen = False,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to exactly what was shown; each runs at once, and on its own."""
    if len(pairs) % 2 or len(pairs) > 2 * MOST_AT_ONCE:
        raise BadInput(f"give APPROVAL DIGEST, up to {MOST_AT_ONCE} times")
    if phrase is not None and len(pairs) > 2:
        raise BadInput("--type goes with one approval: what has to be typed is its own")
    person = Person(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all(
        list(zip(pairs[::2], pairs[1::2], strict=True)),
        Said("approve", phrase=phrase, seen=seen),
    )


@approvals.command(
    epilog="Example: prefrontal approvals reject 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --reason 'the old filter stays'"
)
def reject(  # noqa: PLR0913, PLR0917  # every option is a parameter
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    reason: Reason = None,
    same: Annotated[
        str | None,
        typer.Option(
            "--refuse-same",
            metavar="action|arguments|requester",
            help="Refuse what comes like it from now on, without asking.",
        ),
    ] = None,
    minutes: Minutes = None,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say no; nothing is changed."""
    wish = None if same is None else validated(RefusalWish, {"same": same, "minutes": minutes})
    person = Person(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all([(approval, digest)], Said("reject", reason=reason, refuse=wish))


@approvals.command(
    epilog="Example: prefrontal approvals respond 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e 'order the filter first' --as marta:chief_engineer"
)
def respond(
    approval: ActionId,
    digest: Digest,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What you want instead.")],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Close it without doing it, and say what you want instead; that is decided like a message."""
    person = Person(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    person.answer_all([(approval, digest)], Said("respond", reason=words))


@approvals.command(
    epilog="Example: prefrontal approvals edit 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e "
    "5d2c7b0a9f1e --as marta:chief_engineer --set quantity=2"
)
def edit(  # noqa: PLR0913, PLR0917  # every option is a parameter
    approval: ActionId,
    digest: Digest,
    speaker: Speaker,
    values: Values = None,
    phrase: Phrase = None,
    seen: Seen = False,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say yes to it with other values; an empty VALUE leaves a slot out."""
    if not values:
        raise BadInput("an edit changes something; give --set SLOT=VALUE")
    person = Person(read_settings(pack, data_dir), read_speaker(speaker, tenant), as_json)
    said = Said("edit", values=read_values(values), phrase=phrase, seen=seen)
    person.answer_all([(approval, digest)], said)


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
