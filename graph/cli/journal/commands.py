"""`prefrontal journal`: decisions people took, read from conversations and records, and found."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from graph.assembly.data_folder import hold_folder
from graph.cli.journal import links as journal_links
from graph.cli.journal import watching as journal_watching
from graph.cli.journal.files import is_markdown, lines, records
from graph.cli.journal.opening import from_journal, with_journal
from graph.cli.journal.showing import (
    show_decision,
    show_taken,
    tell_chain,
    tell_found,
)
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.terminal.console import note, print_json, shown
from graph.words.index import told_index
from state.errors import BadInput
from state.event import parse_instant
from state.journal import (
    Decision,
    DecisionFilters,
    DecisionLink,
    DecisionStatus,
    JournalMessage,
)
from state.reader import whole
from tools.journal.journal import Journal
from tools.journal.keeping.store import Stored
from tools.journal.records.formats import Shape, as_markdown, file_name
from tools.vector_index.comparing import IndexState

app = typer.Typer(
    no_args_is_help=True,
    help="Import, search and export the decisions people took.",
    epilog='Example: prefrontal journal search "why did we choose Postgres?"',
)

journal_links.add_to(app)
journal_watching.add_to(app)


@app.command("import", epilog="Example: prefrontal journal import meeting.jsonl docs/adr")
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|FOLDER|-",
            help="Messages as JSON lines (content; message_id, session_id, speaker, timestamp), "
            "decisions that were exported, or Markdown decision records.",
        ),
    ],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Read conversations and decision records; the same again changes nothing."""
    settings = read_settings(None, data_dir)

    async def work(journal: Journal) -> Stored:
        taken = await journal.take([], records([one for one in files if is_markdown(one)]), tenant)
        show_taken(taken, as_json=as_json)
        done = taken.stored
        for file in files:
            if not is_markdown(file):
                # A conversation a file: what was said in another is no context of it.
                rows = list(lines(file, tenant))
                taken = await journal.take(
                    [one for one in rows if isinstance(one, JournalMessage)],
                    [],
                    tenant,
                    decisions=[one for one in rows if isinstance(one, Decision)],
                )
                show_taken(taken, as_json=as_json)
                done = done.plus(taken.stored)
        return done

    with hold_folder(settings.data_dir.resolve()):
        done = asyncio.run(with_journal(settings, work))
    note(f"{done.added} decisions added, {done.changed} changed, {done.same} were there already")


@app.command(epilog='Example: prefrontal journal search "databases in Q2 2024 @alice" --json')
def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="Hits at most.")] = 10,
    status: Annotated[
        DecisionStatus | None, typer.Option(help="Only those that stand like this.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Taken then or later; ISO time.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Taken before then; ISO time.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Find decisions by words and meaning; times, @names and "about Kafka" in it narrow it.

    Exit code 1 when nothing is about it.
    """
    settings = read_settings(None, data_dir)
    filters = DecisionFilters(since=_instant(since), until=_instant(until), status=status)
    found = asyncio.run(
        from_journal(
            settings,
            lambda journal: journal.ask(question, whole(tenant), filters=filters, limit=limit),
        )
    )
    tell_found(found, as_json=as_json)


@app.command(epilog="Example: prefrontal journal show dec-0f3a5b7c9d1e2f40")
def show(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="As `journal search` gives it.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show one decision with all that was said, and where."""

    async def work(journal: Journal) -> tuple[Decision, list[DecisionLink]]:
        found = await journal.store.get(decision_id, whole(tenant))
        return found, await journal.links(decision_id, whole(tenant))

    found, links = asyncio.run(from_journal(read_settings(None, data_dir), work))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_decision(found, links)


@app.command(epilog="Example: prefrontal journal chain rec-0f3a5b7c9d1e2f40")
def chain(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="Any member of the chain.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show how a decision came to be what it is now, from the first to the one in force."""
    found = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.chain(decision_id, whole(tenant)),
        )
    )
    tell_chain(found, as_json=as_json)


@app.command(epilog="Example: prefrontal journal export --out decisions/ --shape nygard")
def export(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="A Markdown file each, there; none: JSON lines."),
    ] = None,
    shape: Annotated[Shape, typer.Option(help="The form of the Markdown files.")] = "madr",
    status: Annotated[
        DecisionStatus | None, typer.Option(help="Only those that stand like this.")
    ] = None,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Write the journal: JSON lines that `journal import` takes back, or Markdown records."""
    found = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.store.all(whole(tenant), status=status),
        )
    )
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    for one in found:
        if out is None:
            print_json(one.model_dump(mode="json"))
        else:
            (out / file_name(one)).write_text(as_markdown(one, shape), "utf-8")
    note(f"{len(found)} decisions")


@app.command(epilog="Example: prefrontal journal reindex")
def reindex(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Build both indexes, of words and of vectors, anew from the tables, and check them.

    A date in the future goes: what was imported has none then, what was heard is of when it came.
    """
    settings = read_settings(None, data_dir)
    with hold_folder(settings.data_dir.resolve()):
        drift = asyncio.run(
            with_journal(settings, lambda journal: journal.store.reindex(), is_indexing=True)
        )
    if as_json:
        print_json(drift.model_dump(mode="json"))
    mended = f", {drift.dates_mended} dates in the future mended" if drift.dates_mended else ""
    note(f"{drift.entries} decisions, {drift.without_vectors} without vectors{mended}")
    index = drift.index or IndexState()
    note(f"{index.vectors} vectors in the index" if index.is_whole else told_index(index))
    if not (drift.text_is_whole and index.is_whole):
        raise typer.Exit(1)


def _instant(given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return parse_instant(given)
    except ValueError as error:
        raise BadInput(f"{shown(str(error))}") from error
