"""`prefrontal evals wishes`: learn what texts that want something sound like."""

import json
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from evals.roc import auc
from evals.wishes.learning import chances, learn
from evals.wishes.rows import Row, rows_of_ours
from graph.cli.console import OUT, print_json
from state.noun import Noun
from tools.routing.wishes.judge import LEARNT, WishJudge

EXAMPLE = "Example: prefrontal evals wishes --write"
_EVEN = 0.5


class Figures(Noun):
    """How well wishes are told where nothing was learnt."""

    measured_on: str
    texts: int
    wanted: int
    auroc: float
    right: float


def wishes(
    write: Annotated[
        bool, typer.Option("--write", help="Replace the weights that ship; else only measure.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Learn the weights by which a text that neither orders nor requests is taken for a wish.

    Measured on a quarter of the talk that is kept out, and on each domain with it left out. Takes
    two minutes; in the project's folder, as one of the domains is a pack of its tests.
    """
    rows = rows_of_ours()
    judge = learn([row for row in rows if not row.is_kept_out])
    found = [_figures("kept out", judge, [row for row in rows if row.is_kept_out])]
    for domain in dict.fromkeys(row.domain for row in rows):
        others = learn([row for row in rows if row.domain != domain])
        talk = [row for row in rows if row.domain == domain and row.is_talk]
        found.append(_figures(f"{domain}, left out", others, talk))
    if write:
        content = {"constant": judge.constant, "weights": dict(judge.weights)}
        LEARNT.write_text(json.dumps(content, indent=0, ensure_ascii=False) + "\n", "utf-8")
    if as_json:
        print_json([one.model_dump() for one in found])
        return
    OUT.print(_table(found))
    OUT.print(f"{len(judge.weights):,} weights" + (f" written to {LEARNT.name}" if write else ""))


def _figures(name: str, judge: WishJudge, rows: Sequence[Row]) -> Figures:
    chance = chances(judge, rows)
    wanted = np.array([row.is_wanted for row in rows])
    return Figures(
        measured_on=name,
        texts=len(rows),
        wanted=int(wanted.sum()),
        auroc=round(auc(chance[wanted], chance[~wanted]), 3),
        right=round(float(((chance >= _EVEN) == wanted).mean()), 3),
    )


def _table(found: Sequence[Figures]) -> Table:
    table = Table("measured on", "texts", "wanted", "AUROC", "right", box=SIMPLE_HEAD)
    for one in found:
        table.add_row(
            one.measured_on, str(one.texts), str(one.wanted), f"{one.auroc:.3f}", f"{one.right:.3f}"
        )
    return table
