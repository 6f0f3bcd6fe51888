"""Decisions, offers and approvals as text on a terminal."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text

from api.cli.terminal import counted, printable
from state.approval import LedgerAction
from state.dialog import ShownApproval
from state.event import Event
from state.offer import Offer
from state.record import DecisionRecord, Outcome
from tools.platform.unicode_safety import neutralize_and_warn, show_hidden

MARKS: Mapping[Outcome, tuple[str, str]] = {
    "passed": ("·", "dim"),
    "held": ("…", "yellow"),
    "merged": ("+", "dim"),
    "spoke": ("»", "bold cyan"),
    "silent": ("-", "dim"),
    "offered": ("?", "bold blue"),
    "awaiting_approval": ("!", "bold yellow"),
    "permitted": ("→", "bold green"),
    "executed": ("✓", "bold green"),
    "refused": ("×", "bold red"),
    "failed": ("×", "bold red"),
    "rejected": ("×", "magenta"),
}
"""Sign and style of an outcome."""

INDENT = " " * 12
GLANCE = 120
"""Characters of a value in a list."""
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
    line.append(INDENT).append(_ending_of(record))
    is_own_words = event.kind == "tick" and record.text == event.text
    if record.text and record.outcome != "passed" and not is_own_words:
        for said in _shortened(record.text):
            line.append(f"\n{INDENT}{said}")
    return line


def answer_of(record: DecisionRecord) -> Text:
    """Lay out what was answered, whole."""
    mark, style = MARKS[record.outcome]
    line = Text(f"{mark} ", style=style).append(_ending_of(record))
    if record.text:
        line.append(f"\n{printable(record.text)}")
    return line


def offer_of(offer: Offer) -> Text:
    """Lay chips out, numbered."""
    from graph.presenters.reasons import meaning_of

    lines = Text(f"{offer.offer_id}  ", style="bold")
    lines.append(f"{meaning_of(offer.reason)} · until {clock_of(offer.expires_at)}", style="dim")
    if offer.proposed_by:
        lines.append(f" · proposed by {printable(offer.proposed_by)}", style="dim")
    for chip in offer.chips:
        lines.append(f"\n  {chip.chip_id}: {_glance(chip.summary)} ({chip.confidence:.2f})")
        values = (f"{name}={_glance(value)}" for name, value in chip.arguments.items())
        lines.append(f"\n    {' '.join((chip.action, *values))}", style="dim")
        if chip.missing_slots:
            lines.append(f", needs {', '.join(chip.missing_slots)}", style="yellow")
        if chip.chip_id == offer.yes_means:
            lines.append(" · answering yes chooses this one", style="dim")
    if offer.chosen:
        lines.append(
            f"\n  chosen: {offer.chosen} by {printable(offer.chosen_by or '')}", style="green"
        )
    return lines


def _glance(value: Any) -> str:  # one JSON value of an argument
    """Write a value on one line, a long one shortened; `--json` shows it whole."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    shown = printable(" ".join(neutralize_and_warn(text[:GLANCE]).split()))
    return shown if len(text) <= GLANCE else f"{shown}… ({len(text):,} characters)"


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


def _ending_of(record: DecisionRecord) -> Text:
    """Lay out the summary of a decision, its outcome in colour, with the action behind it."""
    from graph.presenters.reasons import decision_summary, outcome_label

    outcome, summary = outcome_label(record.outcome), decision_summary(record)
    class_ = f"class {record.execution_class}" if record.execution_class else ""
    parts = (summary.removeprefix(outcome), record.action or "", class_)
    line = Text(outcome, style=MARKS[record.outcome][1])
    return line.append(" · ".join(filter(None, parts)), style="dim")


def _shortened(text: str) -> Iterator[str]:
    lines = printable(text).split("\n")
    yield from lines[:SHOWN_LINES]
    if len(lines) > SHOWN_LINES:
        yield f"… {counted(len(lines) - SHOWN_LINES, 'more line')}"
