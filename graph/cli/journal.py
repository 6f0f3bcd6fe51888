"""`prefrontal journal`: decisions people took, read from conversations and records, and found."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from graph.cli.console import OUT, note, print_json, shown
from graph.cli.journal_files import is_markdown, lines, records, told
from graph.cli.journal_showing import show_chain, show_decision, show_found, told_hit
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.compose import build_journal
from graph.data_folder import hold_folder, open_database
from graph.encoding import build_encoder
from graph.settings import Settings
from graph.thresholds import read_tuning
from state.errors import BadInput
from state.event import parse_instant
from state.journal import Decision, DecisionFilters, DecisionStatus, JournalMessage
from tools.clock import SystemClock
from tools.journal.chains import chain_of, linked
from tools.journal.conversation import read_conversations
from tools.journal.detector import Detector
from tools.journal.formats import Shape, as_markdown, file_name
from tools.journal.search import JournalSearch
from tools.journal.store import AT_ONCE, Stored

T = TypeVar("T")

app = typer.Typer(
    no_args_is_help=True,
    help="Import, search and export the decisions people took.",
    epilog='Example: prefrontal journal search "why did we choose Postgres?"',
)


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
    threshold = read_tuning(settings.policy_file).journal.detection_threshold

    async def work(search: JournalSearch) -> Stored:
        done = Stored()
        for file in files:
            found: list[Decision] = []
            for decision in _decisions(file, threshold, tenant, as_json=as_json):
                found.append(decision)
                if len(found) == AT_ONCE:
                    done, found = done.plus(await search.store.put(found)), []
            done = done.plus(await search.store.put(found))
        return done

    with hold_folder(settings.data_dir.resolve()):
        done = asyncio.run(_with_journal(settings, work))
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
    """Find decisions by words and meaning; times and @names in the question narrow it.

    Exit code 1 when nothing is about it.
    """
    settings = read_settings(None, data_dir)
    filters = DecisionFilters(since=_instant(since), until=_instant(until), status=status)
    found = asyncio.run(
        _with_journal(
            settings,
            lambda journal: journal.search(
                question, tenant, now=datetime.now(UTC), filters=filters, limit=limit
            ),
        )
    )
    for one in found if as_json else ():
        print_json(told_hit(one))
    if not as_json:
        show_found(found)
    if not found:
        note("no decision on record is about this")
        raise typer.Exit(1)


@app.command(epilog="Example: prefrontal journal show dec-0f3a5b7c9d1e2f40")
def show(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="As `journal search` gives it.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show one decision with all that was said, and where."""
    found = asyncio.run(
        _with_journal(
            read_settings(None, data_dir), lambda journal: journal.store.get(decision_id, tenant)
        )
    )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_decision(found)


@app.command(epilog="Example: prefrontal journal chain rec-0f3a5b7c9d1e2f40")
def chain(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="Any member of the chain.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Show how a decision came to be what it is now, from the first to the one in force."""
    found = asyncio.run(
        _with_journal(
            read_settings(None, data_dir),
            lambda journal: chain_of(journal.store, decision_id, tenant),
        )
    )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_chain(found)


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
        _with_journal(
            read_settings(None, data_dir),
            lambda journal: journal.store.all(tenant, status=status),
        )
    )
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    for one in found:
        if out is None:
            typer.echo(one.model_dump_json())
        else:
            (out / file_name(one)).write_text(as_markdown(one, shape), "utf-8")
    note(f"{len(found)} decisions")


@app.command(epilog="Example: prefrontal journal reindex")
def reindex(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Build words and meanings anew from the tables, which are the truth, and check them."""
    settings = read_settings(None, data_dir)
    with hold_folder(settings.data_dir.resolve()):
        drift = asyncio.run(_with_journal(settings, lambda journal: journal.store.reindex()))
    if as_json:
        print_json(drift.model_dump(mode="json"))
    note(f"{drift.entries} decisions, {drift.without_vectors} without vectors")
    if not drift.text_is_whole:
        raise typer.Exit(1)


def _decisions(file: Path, threshold: float, tenant_id: str, *, as_json: bool) -> list[Decision]:
    if str(file) != "-" and is_markdown(file):
        found = linked(list(records(file, tenant_id)))
        for one in found if as_json else ():
            print_json({"source": one.source, "decision_id": one.id, "status": one.status.value})
        return found
    messages: list[JournalMessage] = []
    kept: list[Decision] = []
    for row in lines(file, tenant_id):
        if isinstance(row, Decision):
            kept.append(row)
        else:
            messages.append(row)
    for read in read_conversations(messages, Detector(threshold), tenant_id=tenant_id):
        if as_json:
            print_json(told(read))
        elif read.decision:
            OUT.print(f"{read.decision.id}  {shown(read.decision.title)}")
        if read.decision:
            kept.append(read.decision)
    return kept


def _instant(given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return parse_instant(given)
    except ValueError as error:
        raise BadInput(f"{shown(str(error))}") from error


async def _with_journal(settings: Settings, work: Callable[[JournalSearch], Awaitable[T]]) -> T:
    async with _journal(settings) as journal:
        return await work(journal)


@asynccontextmanager
async def _journal(settings: Settings) -> AsyncIterator[JournalSearch]:
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    database = open_database(settings)
    try:
        yield build_journal(database, encoder, tuning.journal, SystemClock()).search
    finally:
        await database.close()
        if encoder is not None:
            encoder.close()
