"""`prefrontal why`: a decision in words, stage by stage."""

import asyncio
from typing import Annotated

import typer
from rich.text import Text

from graph.cli.journal.showing import told_hit
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.terminal.console import OUT, note, print_json, shown
from graph.settings import Settings
from graph.words.explain import explain
from state.errors import BadInput
from state.journal import FoundDecision
from state.note import NotedDecision
from state.reader import whole
from state.record import DecisionTrace
from tools.journal.journal import Journal
from tools.journal.remembered import notes_of
from tools.journal.searching.telling import told as told_note

EXAMPLE = "Example: prefrontal why --last"
MOST_TOLD = 3
Answered = list[tuple[FoundDecision, NotedDecision]]


def add_to(cli: typer.Typer) -> None:
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
        OUT.print(told(trace))


def _answer(question: str, settings: Settings, tenant: str, *, as_json: bool) -> None:
    from graph.cli.journal.opening import from_journal  # it takes seconds, as the list must not

    async def work(journal: Journal) -> Answered:
        found = await journal.ask(question, whole(tenant), limit=MOST_TOLD)
        return list(zip(found, await notes_of(journal, found, whole(tenant)), strict=True))

    answered = asyncio.run(from_journal(settings, work))
    for hit, noted in answered:
        if as_json:
            print_json(told_hit(hit))
        else:
            OUT.print(Text(shown(told_note(noted))))
    if not answered:
        note("no decision on record is about this")
        raise typer.Exit(1)


def told(trace: DecisionTrace) -> Text:
    """Lay an explanation out."""
    text = Text()
    for section in explain(trace):
        text.append(f"{section.title}\n", style="bold")
        for line in section.lines:
            text.append(f"  {shown(line)}\n".replace("\n", "\n  ").removesuffix("  "))
    text.right_crop(1)
    return text


async def _read(settings: Settings, name: str | None, tenant: str) -> DecisionTrace:
    from graph.cli.stored import open_stored

    async with open_stored(settings) as stored:
        return await (stored.trace(name, tenant) if name else stored.last(tenant))
