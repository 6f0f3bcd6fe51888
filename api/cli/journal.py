"""`prefrontal journal`: import, search, show, chain, export, reindex, links, watch."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer
from pydantic import JsonValue
from rich.console import Group
from rich.table import Table
from rich.text import Text

from api.cli.journal_files import is_markdown, lines, read_message, records
from api.cli.options import Speaker, with_service
from api.cli.service import Service
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.presenters.status import index_words
from state.errors import BadInput
from state.event import parse_instant
from state.journal import (
    Decision,
    DecisionChain,
    DecisionLink,
    DecisionStatus,
    FoundDecision,
    JournalMessage,
    LinkStanding,
)
from state.principal import Principal
from tools.adapters.vector_index.indexer import IndexState
from tools.journal.records.writer import Shape, as_markdown, file_name, status_words
from tools.journal.store.import_rules import TERMINAL
from tools.journal.store.store import Drift
from tools.platform.texts import t

if TYPE_CHECKING:
    from api.cli.in_process import InProcess

T = TypeVar("T")

app = typer.Typer(
    no_args_is_help=True, epilog='Example: prefrontal journal search "why did we choose Postgres?"'
)
DecisionId = Annotated[str, typer.Argument(metavar="ID", help="As `journal search` prints it.")]
MOST_MESSAGES = 300
"""New messages of one call; the API takes 500 with those of the context."""
MOST_RECORDS = 50
MOST_CHARACTERS = 300_000
"""Of one call; the API takes a body of a megabyte."""
CONTEXT_MESSAGES = 200
"""Messages of the call before that are sent again: a message is read with those before it."""
LOOKS_EVERY_SECONDS = 0.5


@app.command("import", epilog="Example: prefrontal journal import meeting.jsonl docs/adr")
@with_service
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|FOLDER|-",
            help="Messages as JSON lines (content; message_id, session_id, speaker, timestamp), "
            "exported decisions, or Markdown decision records.",
        ),
    ],
    service: Service,
) -> None:
    """Import conversations and decision records; importing the same again changes nothing."""
    written = [
        {"path": one.path, "text": one.text}
        for one in records([one for one in files if is_markdown(one)])
    ]
    # A conversation a file: what was said in another is no context of it.
    read = [list(lines(one, service.tenant)) for one in files if not is_markdown(one)]
    said = [[one for one in rows if isinstance(one, JournalMessage)] for rows in read]
    brought = [one for rows in read for one in rows if isinstance(one, Decision)]
    done: Counter[str] = Counter()
    if written or any(said):
        with service.acting(None, _importer(service)) as client:
            taken = [
                (client.import_(records=texts), 0)
                for texts in _parts(written, MOST_RECORDS, lambda one: len(one["text"]))
            ]
            for talk in said:
                known: list[JournalMessage] = []
                for some in _parts(talk, MOST_MESSAGES, lambda one: len(one.content)):
                    taken.append((client.import_([*known, *some]), len(known)))
                    known = [*known, *some][-CONTEXT_MESSAGES:]
            # Only once: it is everything that was ever decided.
            kept = {one.id: one for one in client.exported()} if taken else {}
        for told, before in taken:
            done += _show_taken(service, kept, told, before)
    if brought:
        with _held(service) as here:
            taking = here.executive.journal.take([], [], service.tenant, decisions=brought)
            done += Counter(here.run(taking).stored.model_dump())
    added, changed, same = done["added"], done["changed"], done["same"]
    print_note(f"{added} decisions added, {changed} changed, {same} were there already")


def _importer(service: Service) -> Principal:
    return service.owner("operator").model_copy(update={"user": TERMINAL})


@contextmanager
def _held(service: Service) -> "Iterator[InProcess]":
    """Open the journal of a folder that no service runs on, for what no route of the API takes."""
    from api.cli.in_process import InProcess

    with InProcess(service.in_folder(), makes_folder=True) as here:
        yield here


def _parts(all_of_them: Sequence[T], most: int, length: Callable[[T], int]) -> Iterator[list[T]]:
    """Cut a list into parts that each fit a call."""
    part: list[T] = []
    for one in all_of_them:
        if part and (len(part) == most or sum(map(length, part)) + length(one) > MOST_CHARACTERS):
            yield part
            part = []
        part.append(one)
    if part:
        yield part


def _show_taken(
    service: Service, kept: Mapping[str, Decision], told: Any, known: int
) -> Counter[str]:
    """Print what an import was taken for, but its first `known` messages, and count decisions."""
    before = {one["decision_id"] for one in told["messages"][:known] if one["decision_id"]}
    for one in told["messages"][known:]:
        if service.as_json:
            print_json(one)
        elif one["is_decision"] and (made := kept.get(one["decision_id"])):
            OUT.print(f"{made.id}  {printable(made.title)}")
    for link in map(DecisionLink.model_validate, told["links"]):
        if service.as_json:
            print_json({"link": link.model_dump(mode="json")})
        else:
            OUT.print(Text(printable(link_line(link))))
    for record in (kept[one] for one in told["records"] if one in kept):
        status = {"decision_id": record.id, "status": record.status.value}
        if service.as_json:
            print_json({"source": record.source, **status})
        elif record.status is DecisionStatus.UNKNOWN:
            OUT.print(Text(printable(f"{record.source}: unknown status, so not in force")))
    counted = Counter({name: told[name] for name in ("added", "changed", "same")})
    return counted - Counter({"same": len(before)})


@app.command(epilog="Example: chat-export --follow | prefrontal journal watch -")
@with_service
def watch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-", help="Messages as JSON lines; - is standard input.")
    ],
    service: Service,
    once: Annotated[bool, typer.Option("--once", help="Stop at the end of the file.")] = False,
) -> None:
    """Record decisions from messages as they come, until the input ends or Ctrl-C."""
    from tools.journal import ConversationReader
    from tools.journal.store.import_rules import mark_imported

    kept = 0
    with _held(service) as here:
        journal = here.executive.journal
        reader = ConversationReader(journal.confirmer, service.tenant)
        followed = _followed(file, is_followed=not once and str(file) != "-")
        for number, line in enumerate(followed, 1):  # a message without an id is named by its line
            if not line.strip():
                continue
            message = read_message(line, number, file)
            journal.not_ahead([message])
            if (read := reader.read(message)).decision is not None:
                (made,) = mark_imported([read.decision], TERMINAL)
                here.run(journal.keep([made], service.tenant, [message]))
                kept += 1
                service.show(made, lambda one: f"{one.id}  {printable(one.title)}")
    print_note(f"{kept} decisions")


def _followed(file: Path, *, is_followed: bool) -> Iterator[bytes]:
    """Give whole lines; the last one of a file that is followed waits for its end of line."""
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as given:
        rest = b""
        while line := given.readline() or is_followed:
            if line is True:
                time.sleep(LOOKS_EVERY_SECONDS)
            elif line.endswith(b"\n"):
                yield rest + line
                rest = b""
            else:
                rest += line
        if rest:
            yield rest


@app.command(epilog='Example: prefrontal journal search "databases in Q2 2024 @alice" --json')
@with_service
def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    service: Service,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Results at most.")] = 10,
    status: Annotated[
        DecisionStatus | None, typer.Option(help="Only decisions with this status.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Taken then or later; ISO time.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Taken before then; ISO time.")
    ] = None,
) -> None:
    """Find decisions by words and meaning; times, @names and "about Kafka" narrow the search.

    Exit code 1 when there is none.
    """
    filters = {"status": status, "since": _instant(since), "until": _instant(until)}
    with service.reading() as client:
        found, missed = client.search_journal(question, limit=limit, **filters)
    for one in missed:
        print_note(t("cli.journal.not_understood", field=one["field"], said=one["text"]))
    for hit in map(hit_json, found if service.as_json else ()):
        print_json(hit)
    if not service.as_json:
        show_found(found)
    if not found:
        print_none_found()


def print_none_found() -> None:
    """Note that no decision was found, and exit with code 1."""
    print_note("no decision on record is about this")
    raise typer.Exit(1)


@app.command(epilog="Example: prefrontal journal show dec-0f3a5b7c9d1e2f40")
@with_service
def show(decision_id: DecisionId, service: Service) -> None:
    """Show a decision in full, with the places it was said in."""
    with service.reading() as client:
        found = client.on_record(decision_id)
        links = [] if service.as_json else client.chain(decision_id).links
    own = [one for one in links if decision_id in (one.newer, one.older)]
    service.show(found, lambda one: decision_of(one, own))


@app.command(epilog="Example: prefrontal journal chain rec-0f3a5b7c9d1e2f40")
@with_service
def chain(
    decision_id: Annotated[str, typer.Argument(metavar="ID", help="Any decision of the chain.")],
    service: Service,
) -> None:
    """Show how a decision evolved, from the first version to the one in force."""
    with service.reading() as client:
        service.show(client.chain(decision_id), chain_of)


@app.command(epilog="Example: prefrontal journal export --out decisions/ --shape nygard")
@with_service
def export(
    service: Service,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write Markdown files there. Default: JSON lines."),
    ] = None,
    shape: Annotated[Shape, typer.Option(help="The form of the Markdown files.")] = "madr",
    status: Annotated[
        DecisionStatus | None, typer.Option(help="Only decisions with this status.")
    ] = None,
) -> None:
    """Write the journal: JSON lines that `journal import` reads, or Markdown records."""
    with service.reading() as client:
        found = [one for one in client.exported() if status in (None, one.status)]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    for one in found:
        if out is None:
            print_json(one.model_dump(mode="json"))
        else:
            (out / file_name(one)).write_text(as_markdown(one, shape), "utf-8")
    print_note(f"{len(found)} decisions")


@app.command(epilog="Example: prefrontal journal reindex")
@with_service
def reindex(service: Service) -> None:
    """Rebuild the indexes of words and vectors from the tables, and check them.

    Dates in the future are removed from imported decisions, and set to their arrival on others.
    """
    with service.acting(None, service.owner("operator")) as client:
        drift = client.call("POST", "/v1/journal/reindex", Drift)
    if service.as_json:
        print_json(drift.model_dump(mode="json"))
    mended = f", {drift.dates_mended} dates in the future mended" if drift.dates_mended else ""
    print_note(f"{drift.entries} decisions, {drift.without_vectors} without vectors{mended}")
    index = drift.index or IndexState()
    print_note(f"{index.vectors} vectors in the index" if index.is_whole else index_words(index))
    if not (drift.text_is_whole and index.is_whole):
        raise typer.Exit(1)


LINKS = "/v1/journal/links"


@app.command(epilog="Example: prefrontal journal link dec-2f40 dec-1e2f --reason slow")
@with_service
def link(
    newer: Annotated[str, typer.Argument(metavar="NEWER", help="The decision that came after.")],
    older: Annotated[str, typer.Argument(metavar="OLDER", help="The one that it replaces.")],
    service: Service,
    reason: Annotated[str, typer.Option(help="The reason; it goes on record.")] = "",
    partial: Annotated[
        bool, typer.Option("--partial", help="It revises the older one, which stays in force.")
    ] = False,
    speaker: Speaker = None,
) -> None:
    """Record that one decision replaces another."""
    scope = "partial" if partial else "full"
    given = {"newer": newer, "older": older, "reason": reason, "scope": scope}
    with service.acting(speaker, service.owner("operator")) as client:
        service.show(client.call("POST", LINKS, DecisionLink, given), _link_text)


@app.command(epilog="Example: prefrontal journal links --standing proposed")
@with_service
def links(
    service: Service,
    standing: Annotated[
        str | None, typer.Option(metavar="proposed|accepted|refused", help="Only those.")
    ] = None,
) -> None:
    """List which decision replaces which, newest first; `proposed` ones wait for a person."""
    if standing is not None and standing not in get_args(LinkStanding):
        raise BadInput(f"--standing takes {', '.join(get_args(LinkStanding))}")
    with service.reading() as client:
        found = list(client.pages(LINKS, "links", DecisionLink, standing=standing))
    for one in found:
        service.show(one, _link_text)
    if not found:
        print_note("no links")


@app.command(epilog="Example: prefrontal journal settle 3 --accept --as ann:engineer")
@with_service
def settle(
    link_id: Annotated[int, typer.Argument(metavar="LINK", help="The number that links prints.")],
    accept: Annotated[
        bool, typer.Option("--accept/--refuse", help="Whether it replaces the older one.")
    ],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """Accept or refuse a proposed link; refusing an accepted one removes it."""
    with service.acting(speaker, service.owner("operator")) as client:
        settled = client.call("POST", (LINKS, str(link_id)), DecisionLink, {"accept": accept})
        service.show(settled, _link_text)


def _link_text(link: DecisionLink) -> Text:
    return Text(printable(link_line(link)))


def _instant(given: str | None) -> str | None:
    if given is None:
        return None
    try:
        return parse_instant(given).isoformat()
    except ValueError as error:
        raise BadInput(printable(str(error))) from error


def link_line(link: DecisionLink) -> str:
    """Give a link as a line."""
    verb = "replaces" if link.scope == "full" else "revises"
    by = link.made_by or f"rules, {link.confidence:.2f}"
    why = f": {link.reason}" if link.reason else ""
    said = f"{link.newer} {verb} {link.older}"
    if link.standing != "refused":
        return f"link {link.link_id}  {said}  {link.standing} ({by}{why})"
    refused = f"refused by {link.settled_by}, {link.settled_at:%Y-%m-%d}"
    return f"link {link.link_id}  {said}  {refused} (it was said by {by}{why})"


def hit_json(one: FoundDecision) -> dict[str, JsonValue]:
    """Give a hit as `journal search --json` tells it."""
    made = one.decision
    return {
        "id": made.id,
        "score": one.score,
        "decision": made.decision,
        "status": made.status.value,
        "timestamp": made.timestamp.isoformat() if made.timestamp else None,
        "title": made.title,
        "source": made.source,
        "imported_by": made.imported_by,
        "superseded_by": made.superseded_by,
        "snippet": one.snippet,
        "lexical": one.lexical,
        "similarity": one.similarity,
    }


def show_found(found: Sequence[FoundDecision]) -> None:
    """Print hits, best first, each with the place its words stand in."""
    for number, one in enumerate(found, 1):
        made = one.decision
        day = f"{made.timestamp:%Y-%m-%d}" if made.timestamp else "no date"
        OUT.print(Text(f"{number}. {printable(made.title)}", "bold"))
        by = f" · {printable(made.decision_maker)}" if made.decision_maker else ""
        by += f" · imported by {printable(made.imported_by)}" if made.imported_by else ""
        OUT.print(Text(f"   {day} · {status_words(made)}{by} · {one.score:.2f} · {made.id}", "dim"))
        OUT.print(Text(f"   {printable(one.snippet)}"))


def chain_of(chain: DecisionChain) -> Text:
    """Draw a chain, the first decision first; the one in force is marked."""
    drawn = []
    for one in (chain.original, *chain.revisions):
        day = f"{one.timestamp:%Y-%m-%d}" if one.timestamp else "no date   "
        is_current = one.id == chain.current.id
        mark = "→" if is_current else " "
        line = f"{mark} {day}  {printable(one.title)}  ({status_words(one)}, {one.id})"
        drawn.append(Text(line, "bold" if is_current else ""))
    if chain.left_out:
        drawn.append(Text(f"  {chain.left_out} more in between, not shown", "dim"))
    open_links = [one for one in chain.links if one.standing != "accepted"]
    drawn += [Text(f"  {printable(link_line(one))}", "dim") for one in open_links]
    return Text("\n").join(drawn)


def decision_of(decision: Decision, links: Sequence[DecisionLink]) -> Group:
    """Draw a decision field by field; empty fields are left out."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    for name, text in _fields(decision):
        if text:
            table.add_row(name, Text(printable(text)))
    for link in links:
        table.add_row("link", Text(printable(link_line(link))))
    return Group(Text(printable(decision.title), "bold"), table)


def _fields(decision: Decision) -> Iterator[tuple[str, str]]:
    yield "id", decision.id
    yield "taken", f"{decision.timestamp:%Y-%m-%d %H:%M}" if decision.timestamp else "not known"
    yield "status", status_words(decision)
    yield "decision", decision.decision
    yield "why", decision.rationale
    yield "context", decision.context
    for one in decision.alternatives:
        yield "instead of", "\n".join((one.option, *_weighed(one.pros, one.cons)))
    if decision.trade_offs:
        yield "for", "\n".join(decision.trade_offs.pros)
        yield "against", "\n".join(decision.trade_offs.cons)
        yield "risks", "\n".join(decision.trade_offs.risks)
        yield "assuming", "\n".join(decision.trade_offs.assumptions)
    yield "made by", decision.decision_maker or ""
    yield "imported by", decision.imported_by or ""
    yield "with", ", ".join(decision.stakeholders)
    yield "votes", ", ".join(f"{name} {vote}" for name, vote in decision.votes.items())
    yield "code", "\n".join(decision.related_code)
    yield "issues", "\n".join(decision.related_features)
    yield "documents", "\n".join(decision.related_docs)
    yield "read from", decision.source or ""
    yield "heard in", decision.heard_in or ""
    for field, spans in decision.evidence.items():
        places = ", ".join(f"{span.message_id}:{span.start}-{span.end}" for span in spans[:6])
        yield f"{field} said in", places


def _weighed(pros: Sequence[str], cons: Sequence[str]) -> Iterator[str]:
    yield from (f"+ {text}" for text in pros)
    yield from (f"- {text}" for text in cons)
