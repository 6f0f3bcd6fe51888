"""Decisions, offers, approvals and journal entries as text on a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from graph.wiring.external_services import load_packs
from graph.wiring.thresholds import read_tuning
from state.approval import LedgerAction
from state.dialog import ShownApproval
from state.errors import AgentError
from state.event import Event
from state.journal import Decision, DecisionChain, DecisionLink, DecisionStatus, FoundDecision
from state.offer import Offer
from state.record import DecisionRecord, Outcome
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import Pack, packs_named
from tools.gate.approvals.dialog import approval_view, approval_view_without_dialog
from tools.journal.journal import Taken
from tools.journal.records.writer import status_words
from tools.memory.heuristics.administration import own_actions
from tools.platform.unicode_safety import neutralize_and_warn, show_hidden

MARKS: Mapping[Outcome, tuple[str, str]] = {
    "passed": ("·", "dim"),
    "held": ("…", "yellow"),
    "merged": ("+", "dim"),
    "spoke": ("»", "bold cyan"),
    "silent": ("-", "dim"),
    "offered": ("?", "bold blue"),
    "awaiting_approval": ("!", "bold yellow"),
    "executed": ("✓", "bold green"),
    "refused": ("×", "bold red"),
    "failed": ("×", "bold red"),
    "rejected": ("×", "magenta"),
}
"""Sign and style of an outcome."""

INDENT = " " * 12
SHOWN_LINES = 6


def decision_of(event: Event, record: DecisionRecord) -> Text:
    """Lay a decision out: what came, what was made of it, why."""
    mark, style = MARKS[record.outcome]
    who = f"{event.user}: " if event.user else f"{event.source}: "
    line = Text(f"{clock_of(event.occurred_at or record.recorded_at)}  ", style="dim")
    line.append(f"{mark} ", style=style)
    line.append(
        f"{printable(who + event.text)}\n", style="" if record.outcome != "passed" else "dim"
    )
    line.append(f"{INDENT}{record.outcome.replace('_', ' ')}", style=style)
    line.append(f" · {' · '.join(_why(record))}", style="dim")
    is_own_words = event.kind == "tick" and record.text == event.text
    if record.text and record.outcome != "passed" and not is_own_words:
        for said in _shortened(record.text):
            line.append(f"\n{INDENT}{said}")
    return line


def answer_of(record: DecisionRecord) -> Text:
    """Lay out what was answered, whole."""
    mark, style = MARKS[record.outcome]
    line = Text(f"{mark} {record.outcome.replace('_', ' ')}", style=style)
    line.append(f" · {' · '.join(_why(record))}", style="dim")
    if record.text:
        line.append(f"\n{printable(record.text)}")
    return line


def offer_of(offer: Offer) -> Text:
    """Lay chips out, numbered."""
    lines = Text(f"{offer.offer_id}  ", style="bold")
    lines.append(f"{offer.reason} · until {clock_of(offer.expires_at)}", style="dim")
    for chip in offer.chips:
        lines.append(f"\n  {chip.chip_id}: {printable(chip.summary)} ({chip.confidence:.2f})")
        if chip.missing_slots:
            lines.append(f", needs {', '.join(chip.missing_slots)}", style="yellow")
        if chip.chip_id == offer.yes_means:
            lines.append(", and yes means it", style="dim")
    if offer.chosen:
        lines.append(
            f"\n  chosen: {offer.chosen} by {printable(offer.chosen_by or '')}", style="green"
        )
    return lines


def approval_row(action: LedgerAction) -> str:
    """Write an approval on a line: how it stands, what and how much, and who asked for it."""
    dialog = action.dialog if isinstance(action, ShownApproval) else None
    waits = action.state == "pending" and action.expires_at
    parts = [
        f"{action.action_id}  {action.state:<10} "
        + (f"until {clock_of(action.expires_at)} UTC  " if waits else " ")
        + printable(dialog.title if dialog else show_hidden(action.summary)),
        *([printable(dialog.headline)] if dialog and dialog.headline else []),
        f"asked by {neutralize_and_warn(action.requester, is_exact=True)}",
    ]
    return " · ".join(parts)


def approval_of(action: LedgerAction) -> Text:
    """Lay out how an action stands, under its dialog when it is shown with one."""
    dialog = action.dialog if isinstance(action, ShownApproval) else None
    first, *others = dialog.lines if dialog else _without_dialog(action)
    lines = Text(f"{printable(first)}\n", style="bold")
    for line in others:
        lines.append(f"  {printable(line)}\n")
    rows = {
        "approval": action.action_id,
        "state": _state(action),
        "reason": action.reason or "",
        "result": str((action.result or {}).get("text", "")),
    }
    for name, value in rows.items():
        if value:
            # A line break in a value must not look like a line of ours.
            told = value if name == "result" else show_hidden(value)
            lines.append(f"  {name}: ", style="dim")
            lines.append(f"{printable(told)}\n")
    lines.right_crop(1)
    return lines


def _without_dialog(action: LedgerAction) -> Iterator[str]:
    # Without its pack nothing tells which arguments are secret: the summary covers those.
    yield show_hidden(action.summary)
    yield f"action: {action.action} of the pack {action.pack}, class {action.execution_class}"
    roles = ", ".join(action.requester_roles) or "no role"
    yield show_hidden(f"asked by: {action.requester} ({roles})")
    yield f"digest: {action.digest}"


def clock_of(instant: datetime | None) -> str:
    """Write the time of day, in UTC."""
    return f"{instant:%H:%M:%S}" if instant else "--:--:--"


def _state(action: LedgerAction) -> str:
    votes = f", {action.approvals} of {action.quorum} said yes" if action.quorum > 1 else ""
    decided = f" by {action.decided_by}" if action.decided_by else ""
    return f"{action.state}{decided}{votes}"


def _why(record: DecisionRecord) -> Iterator[str]:
    yield record.reason
    if record.reason == "llm_unavailable":
        yield "no model (EXECUTIVE_MODEL)"
    if record.action:
        yield record.action
    if record.execution_class:
        yield f"class {record.execution_class}"
    if record.confidence is not None and record.action:
        yield f"confidence {record.confidence:.2f}"
    if record.relevance is not None and record.reason != "addressed" and not record.action:
        yield f"relevance {record.relevance:.2f}, threshold {record.threshold or 0:.2f}"
    if record.threat:
        yield f"threat {record.threat:.2f}"


def _shortened(text: str) -> Iterator[str]:
    lines = printable(text).split("\n")
    yield from lines[:SHOWN_LINES]
    if len(lines) > SHOWN_LINES:
        yield f"… {len(lines) - SHOWN_LINES} more lines"


def render_approvals(settings: Settings, actions: Sequence[LedgerAction]) -> list[ShownApproval]:
    """Draw actions of the ledger as people are shown them, and say which ones cannot be."""
    try:
        tuning = read_tuning(settings.policy_file)
        catalogue = Catalogue.of(_packs(settings, actions)).with_own(own_actions(tuning.changes))
    except AgentError:  # told by whatever needs the packs; here they only make it clearer
        return [approval_view_without_dialog(action) for action in actions]
    for name in sorted({each.action for each in actions} - set(catalogue.actions)):
        print_note(f"{show_hidden(name)} is not loaded; its arguments cannot be shown")
    return [approval_view(action, catalogue, tuning.execution) for action in actions]


def _packs(settings: Settings, actions: Sequence[LedgerAction]) -> Sequence[Pack]:
    """Load the packs; their MCP servers are asked only when an action may be a tool of one."""
    packs = packs_named(settings.packs)
    written = {name for pack in packs for name in pack.actions}
    tools_of = {pack.name for pack in packs if pack.mcp}
    if not any(each.pack in tools_of and each.action not in written for each in actions):
        return packs
    loaded = load_packs(settings)
    for line in loaded.degraded:
        print_note(line)
    return loaded.packs


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


def print_taken(taken: Taken, *, as_json: bool) -> None:
    """Print what an import was taken for: every message and record, or the decisions alone."""
    for one in taken.messages:
        if as_json:
            print_json(one.model_dump(mode="json", exclude={"decision"}))
        elif one.decision:
            OUT.print(f"{one.decision.id}  {printable(one.decision.title)}")
    for link in taken.links:
        if as_json:
            print_json({"link": link.model_dump(mode="json")})
        else:
            OUT.print(Text(printable(link_line(link))))
    for record in taken.records:
        if as_json:
            print_json(
                {"source": record.source, "decision_id": record.id, "status": record.status.value}
            )
        elif record.status is DecisionStatus.UNKNOWN:
            OUT.print(
                Text(printable(f"{record.source}: status unknown, so it counts as not in force"))
            )


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


def show_chain(chain: DecisionChain) -> None:
    """Print a chain, the first decision first; the one in force is marked."""
    for one in (chain.original, *chain.revisions):
        day = f"{one.timestamp:%Y-%m-%d}" if one.timestamp else "no date   "
        is_current = one.id == chain.current.id
        mark = "→" if is_current else " "
        line = f"{mark} {day}  {printable(one.title)}  ({status_words(one)}, {one.id})"
        OUT.print(Text(line, "bold" if is_current else ""))
    if chain.left_out:
        OUT.print(Text(f"  {chain.left_out} more in between, not shown", "dim"))
    for link in chain.links:
        if link.standing != "accepted":
            OUT.print(Text(f"  {printable(link_line(link))}", "dim"))


def show_decision(decision: Decision, links: Sequence[DecisionLink]) -> None:
    """Print a decision field by field; what it does not have is left out."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    for name, text in _fields(decision):
        if text:
            table.add_row(name, Text(printable(text)))
    for link in links:
        table.add_row("link", Text(printable(link_line(link))))
    OUT.print(Text(printable(decision.title), "bold"))
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


def print_found(found: Sequence[FoundDecision], *, as_json: bool) -> None:
    """Print hits, wherever they were looked for; exit code 1 when there are none."""
    for one in found if as_json else ():
        print_json(hit_json(one))
    if not as_json:
        show_found(found)
    if not found:
        print_note("no decision on record is about this")
        raise typer.Exit(1)


def print_chain(chain: DecisionChain, *, as_json: bool) -> None:
    """Print a chain."""
    if as_json:
        print_json(chain.model_dump(mode="json"))
    else:
        show_chain(chain)
