"""`prefrontal actions`, `prefrontal offers` and `prefrontal why`.

What was done, what may be chosen, and why.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from api.cli.options import (
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
from api.cli.presentation import answer_of, approval_of, clock_of, hit_json, offer_of
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.presenters.explanation import explain
from graph.settings import Settings
from state.approval import LedgerAction
from state.errors import BadInput, NotFound
from state.journal import FoundDecision
from state.note import NotedDecision
from state.offer import Offer
from state.reader import whole
from state.record import DecisionRecord, DecisionTrace
from tools.journal.decision_recall import answer_notes
from tools.journal.decision_recall import decision_line as told_note
from tools.journal.journal import Journal

EXAMPLE = "Example: prefrontal why --last"
MOST_TOLD = 3
Answered = list[tuple[FoundDecision, NotedDecision]]


def add_why(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(why)


def why(
    decision: Annotated[
        str | None,
        typer.Argument(
            metavar="DECISION|QUESTION",
            help="A decision's id, the start of it, or event id; or a question of several words, "
            "answered from the journal.",
        ),
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest decision.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say why: every stage, its numbers and reasons, and what would have changed it.

    Reads beside a running service.
    """
    if (decision is None) != last:
        raise BadInput("name one decision, or give --last for the newest")
    if decision is not None and " " in decision.strip():
        _answer(decision, read_settings(data_dir=data_dir), tenant, as_json=as_json)
        return
    trace = asyncio.run(_read(read_settings(data_dir=data_dir), decision, tenant))
    if as_json:
        print_json(trace.model_dump(mode="json"))
    else:
        OUT.print(explanation_text(trace))


def _answer(question: str, settings: Settings, tenant: str, *, as_json: bool) -> None:
    from api.cli.journal import from_journal  # it takes seconds, as the list must not

    async def work(journal: Journal) -> Answered:
        found = await journal.ask(question, whole(tenant), limit=MOST_TOLD)
        return list(zip(found, await answer_notes(journal, found, whole(tenant)), strict=True))

    answered = asyncio.run(from_journal(settings, work))
    for hit, noted in answered:
        if as_json:
            print_json(hit_json(hit))
        else:
            OUT.print(Text(printable(told_note(noted))))
    if not answered:
        print_note("no decision on record is about this")
        raise typer.Exit(1)


def explanation_text(trace: DecisionTrace) -> Text:
    """Lay an explanation out."""
    text = Text()
    for section in explain(trace):
        text.append(f"{section.title}\n", style="bold")
        for line in section.lines:
            text.append(f"  {printable(line)}\n".replace("\n", "\n  ").removesuffix("  "))
    text.right_crop(1)
    return text


async def _read(settings: Settings, name: str | None, tenant: str) -> DecisionTrace:
    from api.cli.data_folder import open_stored

    async with open_stored(settings) as stored:
        return await (stored.trace(name, tenant) if name else stored.last(tenant))


actions = typer.Typer(
    no_args_is_help=True,
    help="What was done, or asked for: list, show, undo.",
    epilog="Example: prefrontal actions list --undoable",
)

ActionId = Annotated[str, typer.Argument(metavar="ACTION", help="The id that list prints.")]


def add_actions(cli: typer.Typer) -> None:
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
    found = asyncio.run(_listed_actions(settings, tenant, undoable))
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
        from api.cli.interactive import open_embedded

        async with open_embedded(settings) as executive:
            return await executive.actions.undo(action, principal)

    record = asyncio.run(work())
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        OUT.print(answer_of(record))
    if record.outcome in ("failed", "refused"):
        raise typer.Exit(1)


def _covered(settings: Settings, found: list[LedgerAction]) -> Sequence[LedgerAction]:
    """Cover secrets; without its pack nothing tells which arguments are, and none are shown."""
    from api.cli.presentation import render_approvals

    return render_approvals(settings, found)


def _line(action: LedgerAction) -> str:
    note = _way_back(action)
    told = f"  ({note})" if note else ""
    return f"{action.action_id}  {action.state:<10} {printable(action.summary)}{told}"


def _way_back(action: LedgerAction) -> str:
    if action.undo_at is not None:
        return f"undone by {printable(action.undo_by or '')} at {clock_of(action.undo_at)}"
    if action.undo_until is not None:
        return f"can be undone until {clock_of(action.undo_until)}"
    return ""


async def _listed_actions(settings: Settings, tenant: str, undoable: bool) -> list[LedgerAction]:
    from api.cli.data_folder import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.actions(tenant, undoable_only=undoable)


async def _shown(settings: Settings, tenant: str, action_id: str) -> LedgerAction:
    from api.cli.data_folder import open_stored

    async with open_stored(settings) as stored:
        try:
            return await stored.approval(action_id, tenant)
        except NotFound:  # every row of the ledger is read by one way; here it is an action
            raise NotFound("action", action_id) from None


offers = typer.Typer(
    no_args_is_help=True,
    help="Suggestion chips: list the open ones, choose one.",
    epilog="Example: prefrontal offers list",
)


def add_offers(cli: typer.Typer) -> None:
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
    found = asyncio.run(_listed_offers(settings, tenant, open_only=not everything))
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
        from api.cli.interactive import choose as choose_chip
        from api.cli.interactive import open_embedded

        async with open_embedded(settings) as executive:
            return await choose_chip(executive, offer, chip, principal, typed)

    record = asyncio.run(work())
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        OUT.print(answer_of(record))
    if record.outcome == "failed":
        raise typer.Exit(1)


async def _listed_offers(settings: Settings, tenant: str, *, open_only: bool) -> list[Offer]:
    from api.cli.data_folder import has_database, open_stored

    if not has_database(settings):
        return []
    async with open_stored(settings) as stored:
        return await stored.offers(tenant, open_only=open_only)
