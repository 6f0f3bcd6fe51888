"""Decisions on the terminal."""

from collections.abc import Iterator, Sequence

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from graph.cli.terminal.console import OUT, note, print_json, shown
from state.journal import Decision, DecisionChain, DecisionLink, DecisionStatus, FoundDecision
from tools.journal.records.formats import status_words
from tools.journal.taken import Taken


def told_link(link: DecisionLink) -> str:
    """Give a link as a line."""
    verb = "replaces" if link.scope == "full" else "revises"
    by = link.made_by or f"rules, {link.confidence:.2f}"
    why = f": {link.reason}" if link.reason else ""
    said = f"{link.newer} {verb} {link.older}"
    if link.standing != "refused":
        return f"link {link.link_id}  {said}  {link.standing} ({by}{why})"
    refused = f"refused by {link.settled_by}, {link.settled_at:%Y-%m-%d}"
    return f"link {link.link_id}  {said}  {refused} (it was said by {by}{why})"


def show_taken(taken: Taken, *, as_json: bool) -> None:
    """Print what an import was taken for: every message and record, or the decisions alone."""
    for one in taken.messages:
        if as_json:
            print_json(one.model_dump(mode="json", exclude={"decision"}))
        elif one.decision:
            OUT.print(f"{one.decision.id}  {shown(one.decision.title)}")
    for link in taken.links:
        if as_json:
            print_json({"link": link.model_dump(mode="json")})
        else:
            OUT.print(Text(shown(told_link(link))))
    for record in taken.records:
        if as_json:
            print_json(
                {"source": record.source, "decision_id": record.id, "status": record.status.value}
            )
        elif record.status is DecisionStatus.UNKNOWN:
            OUT.print(Text(shown(f"{record.source}: status unknown, so it counts as not in force")))


def told_hit(one: FoundDecision) -> dict[str, JsonValue]:
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
        OUT.print(Text(f"{number}. {shown(made.title)}", "bold"))
        by = f" · {shown(made.decision_maker)}" if made.decision_maker else ""
        by += f" · imported by {shown(made.imported_by)}" if made.imported_by else ""
        OUT.print(Text(f"   {day} · {status_words(made)}{by} · {one.score:.2f} · {made.id}", "dim"))
        OUT.print(Text(f"   {shown(one.snippet)}"))


def show_chain(chain: DecisionChain) -> None:
    """Print a chain, the first decision first; the one in force is marked."""
    for one in (chain.original, *chain.revisions):
        day = f"{one.timestamp:%Y-%m-%d}" if one.timestamp else "no date   "
        is_current = one.id == chain.current.id
        mark = "→" if is_current else " "
        line = f"{mark} {day}  {shown(one.title)}  ({status_words(one)}, {one.id})"
        OUT.print(Text(line, "bold" if is_current else ""))
    if chain.left_out:
        OUT.print(Text(f"  {chain.left_out} more in between, not shown", "dim"))
    for link in chain.links:
        if link.standing != "accepted":
            OUT.print(Text(f"  {shown(told_link(link))}", "dim"))


def show_decision(decision: Decision, links: Sequence[DecisionLink]) -> None:
    """Print a decision field by field; what it does not have is left out."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    for name, text in _fields(decision):
        if text:
            table.add_row(name, Text(shown(text)))
    for link in links:
        table.add_row("link", Text(shown(told_link(link))))
    OUT.print(Text(shown(decision.title), "bold"))
    OUT.print(table)


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


def tell_found(found: Sequence[FoundDecision], *, as_json: bool) -> None:
    """Print hits, wherever they were looked for; exit code 1 when there are none."""
    for one in found if as_json else ():
        print_json(told_hit(one))
    if not as_json:
        show_found(found)
    if not found:
        note("no decision on record is about this")
        raise typer.Exit(1)


def tell_chain(chain: DecisionChain, *, as_json: bool) -> None:
    """Print a chain."""
    if as_json:
        print_json(chain.model_dump(mode="json"))
    else:
        show_chain(chain)
