"""Print what became of framed commands."""

from collections.abc import Sequence

from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.table import Table

from evals.frames.choosing import Chosen
from evals.frames.framing import Framed
from evals.frames.judging import Answer, Count, Outcome, counts, worst
from graph.cli.terminal.console import OUT, shown

_MOST_SHOWN = 12


def print_answers(pack: str, chosen: Chosen, framed: Framed, found: Sequence[Answer]) -> None:
    """Print counts by kind, the worst frames, and what was left out."""
    title = f"{len(found)} requests made of {len(chosen.commands)} commands of {pack}"
    OUT.print(_table(title, counts(found, lambda one: one.frame.shape.kind)))
    for one in worst(counts(found, lambda one: one.frame.shape.template), _MOST_SHOWN):
        OUT.print(_line(one))
    _print_left_out(chosen, framed)


def print_listed(found: Sequence[Answer], outcomes: Sequence[Outcome]) -> None:
    """Print the texts that came out so, by outcome."""
    for outcome in outcomes:
        for one in found:
            if one.outcome is outcome:
                verdict = one.verdict
                OUT.print(f"{outcome}: {shown(verdict.mutation.text)!r}")
                OUT.print(
                    f"    {verdict.mutation.action} → {verdict.action or 'no action'}"
                    f" {verdict.confidence:.2f} · {verdict.mood}"
                )


def listed_as(one: Answer) -> JsonValue:
    """Tell a text and what was made of it, for JSON."""
    verdict = one.verdict
    return {
        "outcome": one.outcome,
        "text": verdict.mutation.text,
        "frame": one.frame.shape.template,
        "wanted": verdict.mutation.action,
        "action": verdict.action,
        "confidence": verdict.confidence,
        "mood": verdict.mood,
    }


def _table(title: str, counted: Sequence[Count]) -> Table:
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("asked as", no_wrap=True)
    table.add_column("of")
    for column in ("texts", "right", "named", "offered", "nothing", "another", "mixed"):
        table.add_column(column, justify="right")
    for one in counted:
        by_outcome = (one.named, one.offered, one.nothing, one.another, one.mixed)
        table.add_row(
            shown(one.name),
            one.of,
            str(one.messages),
            f"{one.right / one.messages:.1%}",
            *(str(count or "") for count in by_outcome),
        )
    return table


def _line(one: Count) -> str:
    named = (
        (one.offered, "offered"),
        (one.nothing, "nothing"),
        (one.another, "another"),
        (one.mixed, "mixed up"),
    )
    wrong = ", ".join(f"{count} {what}" for count, what in named if count)
    return (
        f"{one.right / one.messages:6.1%} of {one.messages} {one.of}: {shown(one.name)}  ({wrong})"
    )


def _print_left_out(chosen: Chosen, framed: Framed) -> None:
    OUT.print(
        f"left out: {len(chosen.without_command)} actions no example of which is a command,"
        f" {len(chosen.never_named)} whose commands are not named as they stand"
    )
    OUT.print(
        f"          {chosen.not_named} commands that are not named as they stand,"
        f" {framed.unfilled} times a frame that a command has no words for"
    )
