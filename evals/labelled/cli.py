"""`prefrontal evals labelled`: how well somebody's labelled messages are routed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from evals.labelled.drawing import Plan, drawn
from evals.labelled.measuring import Measured, measure
from evals.options import WordsOnly
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, print_json, progress
from graph.cli.validating import faults_of
from state.errors import BadInput
from state.event import Event

EXAMPLE = "Example: prefrontal evals labelled requests.jsonl --per-action 10 --actions 50 --draws 3"

_READ = ("text", "intent")


def labelled(  # noqa: PLR0913, PLR0917  # every option is a parameter
    file: Annotated[
        Path,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help="A message a line: text, intent (oos: none of them), split.",
        ),
    ],
    split: Annotated[str, typer.Option(help="The split that examples are drawn from.")] = "train",
    asked: Annotated[
        str, typer.Option(help="The split that is asked; may be the same: then what is left of it.")
    ] = "val",
    actions: Annotated[
        int | None,
        typer.Option(min=1, help="Draw so many labels; the others are foreign. Default: all."),
    ] = None,
    per_action: Annotated[
        int | None, typer.Option(min=1, help="Draw so many examples a label. Default: all.")
    ] = None,
    asked_per_action: Annotated[
        int | None, typer.Option(min=1, help="Ask so many messages a label. Default: all.")
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="Draw so often, with the next seed.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the first draw.")] = 1,
    words_only: WordsOnly = False,
    as_json: AsJson = False,
) -> None:
    """Make a pack of labelled messages, one read an intent, and route others of them.

    Tells how often the right action is found, how well what no action covers is told apart, what
    would run by itself, how honest the stated confidence is, and how long all of it takes.
    Nothing is learnt but the drawn examples.
    """
    plan = Plan(split, asked, actions, per_action, asked_per_action)
    rows = _rows(file)
    found = []
    for place in range(draws):
        draw = drawn(rows, plan, seed + place)
        with (
            TemporaryDirectory(prefix="prefrontal-evals-") as folder,
            progress("routing", len(draw.asked)) as show,
        ):
            measured = measure(
                draw, Path(folder), seed=seed + place, words_only=words_only, told=show
            )
        found.append(measured)
        if as_json:
            print_json(measured.model_dump(mode="json"))
    if not as_json:
        OUT.print(_table(found))


def _rows(file: Path) -> Sequence[Mapping[str, str]]:
    rows: list[Mapping[str, str]] = []
    try:
        lines = file.read_text("utf-8").split("\n")  # U+2028 is text
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{file}:{number}: no JSON ({error})") from error
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _READ):
            raise BadInput(f"{file}:{number}: {' and '.join(_READ)} have to be strings")
        try:
            Event(text=row["text"])
        except ValidationError as error:
            raise BadInput(f"{file}:{number}: {faults_of(error)}") from error
        rows.append(row)
    return rows


def _table(found: Sequence[Measured]) -> Table:
    """Draw a column a draw, and their mean where there are several."""
    table = Table(
        box=SIMPLE_HEAD, title=f"{found[0].actions} actions, {found[0].examples} examples"
    )
    table.add_column("figure")
    columns = [
        {**one.figures.model_dump(), **one.model_dump(exclude={"figures", "actions", "examples"})}
        for one in found
    ]
    for column in columns:
        table.add_column(f"seed {column.pop('seed')}", justify="right")
    if len(columns) > 1:
        table.add_column("mean", justify="right")
    for name in columns[0]:
        values: list[float | None] = [column[name] for column in columns]
        known = [value for value in values if value is not None]
        if len(columns) > 1:
            values.append(mean(known) if known else None)
        table.add_row(name, *(_shown(value) for value in values))
    return table


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
