"""`prefrontal journal`: import, search, show, chain, export, reindex, links, watch.

Imported when used: it opens the journal with its encoders.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar, get_args

import typer
from rich.text import Text

from api.cli.data_folder import require_database
from api.cli.journal_files import is_markdown, lines, read_message, records
from api.cli.options import AsJson, DataDir, Speaker, Tenant, read_settings, read_speaker
from api.cli.presentation import link_line, print_chain, print_found, print_taken, show_decision
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.presenters.status import index_words
from graph.settings import Settings
from graph.wiring.data_folder import lock_folder, open_database
from graph.wiring.external_services import build_outbox
from graph.wiring.models import build_encoder, build_indexing, build_journal, build_model
from graph.wiring.thresholds import read_tuning
from state.errors import BadInput
from state.event import parse_instant
from state.journal import (
    Decision,
    DecisionFilters,
    DecisionLink,
    DecisionStatus,
    JournalMessage,
    LinkStanding,
    Scope,
)
from state.reader import whole
from tools.adapters.vector_index.indexer import IndexState
from tools.journal.conversation import ConversationReader
from tools.journal.journal import Journal
from tools.journal.records.writer import Shape, as_markdown, file_name
from tools.journal.store.import_rules import TERMINAL, mark_imported
from tools.journal.store.store import Stored
from tools.platform.clock import SystemClock

T = TypeVar("T")


async def from_journal(settings: Settings, work: Callable[[Journal], Awaitable[T]]) -> T:
    """Do something with the journal of a folder that has one."""
    require_database(settings)
    return await with_journal(settings, work)


async def with_journal(
    settings: Settings, work: Callable[[Journal], Awaitable[T]], *, is_indexing: bool = False
) -> T:
    """Do something with the journal of a folder, which is made if need be.

    Args:
        is_indexing: whoever holds the folder may have the index of vectors too.
    """
    async with _journal(settings, is_indexing=is_indexing) as journal:
        return await work(journal)


@asynccontextmanager
async def _journal(settings: Settings, *, is_indexing: bool) -> AsyncIterator[Journal]:
    tuning = read_tuning(settings.policy_file)
    encoder = build_encoder(settings, tuning.encoder)
    database = open_database(settings)
    model = build_model(settings, tuning)
    indexing = build_indexing(settings, database) if is_indexing else None
    try:
        outbox = build_outbox(settings, database, tuning.sessions)
        yield build_journal(
            database,
            encoder,
            tuning,
            SystemClock(),
            model=model,
            outbox=outbox,
            indexing=indexing,
        )
    finally:
        if indexing is not None:
            await indexing.close()
        await database.close()
        if model is not None:
            await model.close()
        if encoder is not None:
            encoder.close()


def add_links(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: prefrontal journal link dec-2f40 dec-1e2f --reason slow")(link)
    app.command(epilog="Example: prefrontal journal links --standing proposed")(links)
    app.command(epilog="Example: prefrontal journal settle 3 --accept --as ann")(settle)


def link(
    newer: Annotated[str, typer.Argument(metavar="NEWER", help="The decision that came after.")],
    older: Annotated[str, typer.Argument(metavar="OLDER", help="The one that it replaces.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")] = "",
    partial: Annotated[
        bool, typer.Option("--partial", help="It revises the older one, which stays in force.")
    ] = False,
    speaker: Speaker = "owner",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say that one decision replaces another."""
    principal = read_speaker(speaker, tenant)

    async def work(journal: Journal) -> DecisionLink:
        scope: Scope = "partial" if partial else "full"
        return await journal.link(newer, older, principal, reason=reason, scope=scope)

    _print_links([asyncio.run(from_journal(read_settings(None, data_dir), work))], as_json=as_json)


def links(
    standing: Annotated[
        str | None, typer.Option(metavar="proposed|accepted|refused", help="Only those.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """List which decision replaces which, newest first; what rules found waits as `proposed`."""
    wanted = next((one for one in get_args(LinkStanding) if one == standing), None)
    if standing is not None and wanted is None:
        raise BadInput(f"--standing takes {', '.join(get_args(LinkStanding))}")
    found = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.succession.list(whole(tenant), standing=wanted),
        )
    )
    _print_links(found, as_json=as_json)
    if not found:
        print_note("no links")


def settle(
    link_id: Annotated[int, typer.Argument(metavar="LINK", help="The number that links prints.")],
    accept: Annotated[
        bool, typer.Option("--accept/--refuse", help="Whether it replaces the older one.")
    ],
    speaker: Speaker = "owner",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Accept a link that was proposed, or refuse one; a refused one is taken back."""
    principal = read_speaker(speaker, tenant)
    settled = asyncio.run(
        from_journal(
            read_settings(None, data_dir),
            lambda journal: journal.settle(link_id, principal, accept=accept),
        )
    )
    _print_links([settled], as_json=as_json)


def _print_links(found: Sequence[DecisionLink], *, as_json: bool) -> None:
    for one in found:
        if as_json:
            print_json(one.model_dump(mode="json"))
        else:
            OUT.print(Text(printable(link_line(one))))


LOOKS_EVERY_SECONDS = 0.5


def add_watch(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chat-export --follow | prefrontal journal watch -")(watch)


def watch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-", help="Messages as JSON lines; - is standard input.")
    ],
    once: Annotated[bool, typer.Option("--once", help="Stop at the end of the file.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Read messages as they come and keep what they decide, until the input ends or Ctrl-C."""
    settings = read_settings(None, data_dir)

    async def work(journal: Journal) -> int:
        reader = ConversationReader(journal.confirmer, tenant)
        lines = _lines(file, is_followed=not once and str(file) != "-")
        kept = number = 0
        while (line := await asyncio.to_thread(next, lines, None)) is not None:
            number += bool(line)  # a message without an id is named by its line
            if line.strip():
                message = read_message(line, number, file)
                journal.not_ahead([message])
                read = reader.read(message)
                if read.decision is not None:
                    (made,) = mark_imported([read.decision], TERMINAL)
                    await journal.keep([made], tenant, [message])
                    kept += 1
                    _print_decision(made, as_json=as_json)
        return kept

    with lock_folder(settings.data_dir.resolve()):
        kept = asyncio.run(with_journal(settings, work))
    print_note(f"{kept} decisions")


def _lines(file: Path, *, is_followed: bool) -> Iterator[bytes]:
    """Give whole lines; the last one of a file that is followed waits for its end of line."""
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as given:
        rest = b""
        while True:
            line = given.readline()
            if line.endswith(b"\n"):
                yield rest + line
                rest = b""
            elif line:
                rest += line
            elif is_followed:
                time.sleep(LOOKS_EVERY_SECONDS)
                yield b""  # nothing yet: whoever waits may be interrupted here
            else:
                break
        if rest:
            yield rest


def _print_decision(decision: Decision, *, as_json: bool) -> None:
    if as_json:
        print_json(decision.model_dump(mode="json"))
    else:
        OUT.print(f"{decision.id}  {printable(decision.title)}")


app = typer.Typer(
    no_args_is_help=True,
    help="Import, search and export the decisions people took.",
    epilog='Example: prefrontal journal search "why did we choose Postgres?"',
)

add_links(app)
add_watch(app)


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
        print_taken(taken, as_json=as_json)
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
                print_taken(taken, as_json=as_json)
                done = done.plus(taken.stored)
        return done

    with lock_folder(settings.data_dir.resolve()):
        done = asyncio.run(with_journal(settings, work))
    print_note(
        f"{done.added} decisions added, {done.changed} changed, {done.same} were there already"
    )


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
    print_found(found, as_json=as_json)


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
    print_chain(found, as_json=as_json)


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
    print_note(f"{len(found)} decisions")


@app.command(epilog="Example: prefrontal journal reindex")
def reindex(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Build both indexes, of words and of vectors, anew from the tables, and check them.

    A date in the future goes: what was imported has none then, what was heard is of when it came.
    """
    settings = read_settings(None, data_dir)
    with lock_folder(settings.data_dir.resolve()):
        drift = asyncio.run(
            with_journal(settings, lambda journal: journal.store.reindex(), is_indexing=True)
        )
    if as_json:
        print_json(drift.model_dump(mode="json"))
    mended = f", {drift.dates_mended} dates in the future mended" if drift.dates_mended else ""
    print_note(f"{drift.entries} decisions, {drift.without_vectors} without vectors{mended}")
    index = drift.index or IndexState()
    print_note(f"{index.vectors} vectors in the index" if index.is_whole else index_words(index))
    if not (drift.text_is_whole and index.is_whole):
        raise typer.Exit(1)


def _instant(given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return parse_instant(given)
    except ValueError as error:
        raise BadInput(f"{printable(str(error))}") from error
