"""`prefrontal evals speaking`: does it speak when people wanted a word, and only then?"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from evals.options import Misses, WordsOnly
from evals.playground import Playground
from evals.speaking.figures import Figures, figures_of
from evals.speaking.playing import Judged, play
from evals.speaking.reading import STARTS_AT, Labelled, read_labelled
from graph.cli.terminal.console import OUT, print_json, shown, stepping

PLAIN = Path(__file__).parent / "plain"
_MOST_SHOWN = 40


def speaking(
    stream: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.jsonl",
            help="An event a line (text or context, label 0 or 1, perhaps stream, source, "
            "salience, occurred_at or at_seconds), or a stream a line (trace, events).",
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Labels of the streams: trace, i, label."),
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option(metavar="NAME|PATH", help="Whose attention; default: no domain, at home."),
    ] = None,
    step: Annotated[
        float, typer.Option(min=0.001, help="Seconds between events without a time of theirs.")
    ] = 60.0,
    words_only: WordsOnly = False,
    by_stream: Annotated[bool, typer.Option("--by-stream", help="One line a stream.")] = False,
    misses: Misses = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: the figures and one object an event.")
    ] = False,
) -> None:
    """Play labelled streams through the graph and count words that were wanted and were not.

    Each stream, or each line without one, has a session of its own. What was told after a wait
    counts as told. Beside ours stand the figures of whoever always speaks, and of who never does.
    """
    cases = read_labelled(stream, labels, step_seconds=step)
    with stepping("listening", len(cases)) as told:
        judged = asyncio.run(_played(cases, pack or str(PLAIN), told, words_only=words_only))
    found = figures_of(judged)
    if as_json:
        print_json(
            {
                "file": stream.name,
                "figures": [one.model_dump(mode="json") for one in found],
                "events": [one.model_dump(mode="json", exclude={"text"}) for one in judged],
            }
        )
        return
    OUT.print(_table(f"{len(judged)} events of {stream.name}", found))
    if by_stream:
        names = dict.fromkeys(one.stream for one in judged)
        rows = [_of(name, [one for one in judged if one.stream == name]) for name in names]
        OUT.print(_table("by stream", rows))
    if misses:
        _show(judged)


async def _played(
    cases: Sequence[Labelled], pack: str, told: Callable[[], None], *, words_only: bool
) -> tuple[Judged, ...]:
    settings = {"embedder": "none"} if words_only else {}
    playground = Playground((pack,), STARTS_AT, settings=settings)
    try:
        await playground.open()
        return await play(playground, cases, told)
    finally:
        await playground.close()


def _of(name: str, judged: Sequence[Judged]) -> Figures:
    return figures_of(judged)[0].model_copy(update={"who": name})


def _table(title: str, rows: Sequence[Figures]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in ("balanced", "95 %", "wanted said", "unwanted not", "false of 100", "AUC", "n"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            shown(row.who),
            f"{row.balanced_accuracy:.3f}",
            f"{row.low:.3f} – {row.high:.3f}",
            f"{row.sensitivity:.3f}",
            f"{row.specificity:.3f}",
            f"{row.false_alarms:.1f}",
            "" if row.auc is None else f"{row.auc:.3f}",
            str(row.cases),
        )
    return table


def _show(judged: Sequence[Judged]) -> None:
    wrong = sorted((one for one in judged if one.told != one.wanted), key=lambda one: one.margin)
    for one in wrong[:_MOST_SHOWN]:
        what = "unwanted" if one.told else "missed"
        OUT.print(f"{what} {one.margin:+.2f} ({one.reason}): {shown(one.text[:120])}")
    if len(wrong) > _MOST_SHOWN:
        OUT.print(f"… and {len(wrong) - _MOST_SHOWN} more")
