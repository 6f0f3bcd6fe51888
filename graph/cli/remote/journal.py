"""`prefrontal --url … journal`: decisions on record at a service elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from graph.cli.journal.files import is_markdown, lines, records
from graph.cli.journal.showing import show_decision, tell_chain, tell_found
from graph.cli.options import AsJson
from graph.cli.remote.service import Key, service_of
from graph.cli.terminal.console import note, print_json
from state.errors import BadInput
from state.journal import JournalMessage

journal = typer.Typer(no_args_is_help=True, help="The decisions people took, on record there.")
DecisionId = Annotated[str, typer.Argument(metavar="ID", help="As `journal search` gives it.")]


@journal.command("search")
def search(
    context: typer.Context,
    key: Key,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="Hits at most.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Find decisions by words and meaning. Exit code 1 when nothing is about it."""
    with service_of(context, key) as service:
        found = service.search(question, limit=limit)
    tell_found(found, as_json=as_json)


@journal.command("show")
def show(context: typer.Context, key: Key, decision: DecisionId, as_json: AsJson = False) -> None:
    """Show one decision with all that was said, and where."""
    with service_of(context, key) as service:
        found = service.on_record(decision)
        links = [] if as_json else service.chain(decision).links
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_decision(found, [one for one in links if decision in (one.newer, one.older)])


@journal.command("chain")
def chain(context: typer.Context, key: Key, decision: DecisionId, as_json: AsJson = False) -> None:
    """Show how a decision came to be what it is now, from the first to the one in force."""
    with service_of(context, key) as service:
        found = service.chain(decision)
    tell_chain(found, as_json=as_json)


@journal.command("export")
def export(context: typer.Context, key: Key) -> None:
    """Write every decision as a line of JSON, as `journal import` takes them here."""
    with service_of(context, key) as service:
        for one in service.exported():
            print_json(one.model_dump(mode="json"))


@journal.command("import")
def import_(
    context: typer.Context,
    key: Key,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE|FOLDER|-", help="Messages as JSON lines, Markdown records."),
    ],
) -> None:
    """Have conversations and decision records read there; the same again changes nothing."""
    with service_of(context, key) as service:
        conversations = [_messages(file) for file in files if not is_markdown(file)]
        written = records([file for file in files if is_markdown(file)])
        told = [{"path": one.path, "text": one.text} for one in written]
        done = [service.import_(messages=one) for one in conversations]
        done += [service.import_(records=told)] if told else []
    added, changed, same = (sum(counts) for counts in zip(*done, strict=True))
    note(f"{added} decisions added, {changed} changed, {same} were there already")


def _messages(file: Path) -> list[JournalMessage]:
    read = list(lines(file, "default"))
    found = [one for one in read if isinstance(one, JournalMessage)]
    if len(found) < len(read):
        raise BadInput(f"{file}: exported decisions are imported where the service runs")
    return found
