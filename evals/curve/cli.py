"""`prefrontal evals curve`: what a pack's examples have taught, and what more would."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from evals.curve.measuring import Point, asking, gain_of_doubling
from evals.dataset import find_datasets, read_dataset
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, print_json, progress
from state.errors import BadInput

EXAMPLE = "Example: prefrontal evals curve vessel_phrasings --share .5 --share 1"


def curve(
    names: Annotated[list[str], typer.Argument(metavar="DATASET...", help="Names or paths.")],
    share: Annotated[
        list[float] | None,
        typer.Option(help="Of the examples; give it several times. Default: .25, .5 and 1."),
    ] = None,
    draws: Annotated[
        int, typer.Option(min=1, help="Draw each part so often, with the next seed.")
    ] = 3,
    as_json: AsJson = False,
) -> None:
    """Learn from parts of a pack's examples, and see what a doubling of them is worth.

    Asked are the test cases that want an action and that no example says word for word. The whole
    is learnt once, as it has no other draw. Takes a minute or so a draw and ten thousand examples.
    """
    shares = share or [0.25, 0.5, 1.0]
    if not all(0 < one <= 1 for one in shares):
        raise BadInput("a share is above 0 and at most 1")
    plan = [(one, seed) for one in shares for seed in range(1, 1 + (draws if one < 1 else 1))]
    points = []
    with (
        TemporaryDirectory(prefix="prefrontal-evals-") as folder,
        asking([read_dataset(path) for path in find_datasets(names)], Path(folder)) as asked,
        progress("learning", len(plan)) as show,
    ):
        for one, seed in plan:
            points.append(asked.point(one, seed))
            show(len(points))
            if as_json:
                print_json(points[-1].model_dump(mode="json"))
    if not as_json:
        OUT.print(_table(points))


def _table(points: Sequence[Point]) -> Table:
    by_share: dict[float, list[Point]] = defaultdict(list)
    for one in points:
        by_share[one.share].append(one)
    gain = gain_of_doubling(points)
    told = "" if gain is None else f", {100 * gain:+.1f} points named a doubling"
    table = Table(box=SIMPLE_HEAD, title=f"{points[0].asked} messages{told}")
    for column in ("share", "examples", "named", "from", "to", "named or first offered"):
        table.add_column(column, justify="right")
    for share, drawn in by_share.items():
        named = [one.named for one in drawn]
        table.add_row(
            f"{share:.2f}",
            f"{mean(one.examples for one in drawn):.0f}",
            *(f"{value:.3f}" for value in (mean(named), min(named), max(named))),
            f"{mean(one.first for one in drawn):.3f}",
        )
    return table
