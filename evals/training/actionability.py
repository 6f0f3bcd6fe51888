"""`prefrontal evals wishes`: fit, cross-validate and write the weights of actionability."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from api.cli.terminal import ERR, OUT, print_json
from evals.runner.measures import roc_auc
from evals.runner.options import app
from evals.training.actionability_data import MANNER_UNSEEN, EncodedText, encoded_rows
from evals.training.actionability_stages import (
    Numbers,
    VectorOf,
    WholeRow,
    chances,
    learn_all,
    learn_both,
    learn_left_out,
    odds_by_both,
    odds_of,
    odds_of_others,
    rows_of_all,
    shipped,
    unseen,
)
from graph.settings import Settings
from state.noun import Noun
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.nlu.actionability.classifier import WEIGHTS_FILE, ActionabilityClassifier

_EVEN = 0.5

Marks = npt.NDArray[np.bool_]


class Figures(Noun):
    """How well wishes are told where nothing was learnt."""

    measured_on: str
    texts: int
    wanted: int
    auroc: float
    right: float
    auroc_of_signs: float
    """Without the encoder; of all that is seen: by the text alone."""
    right_of_signs: float


@app.command(epilog="Example: prefrontal evals wishes --write")
def wishes(
    write: Annotated[
        bool, typer.Option("--write", help="Replace the weights that ship; else only measure.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Learn the weights by which a text that neither orders nor requests is taken for a wish.

    Measured on a quarter of the talk that is kept out (it says where the chance is even, so what is
    right of it is told a little too well), on what people say to ten domains with that left out,
    and by all that is seen, on our packs and on made-up ones. Takes ten minutes; in the project's
    folder, as one of the domains is a pack of its tests. `prefrontal evals adapt manner --write`
    comes before, when talk was added.
    """
    graphs = Settings().cache_folder / "encoder"
    ships, without = AdaptedMiniLM(graphs), AdaptedMiniLM(graphs, manner=MANNER_UNSEEN)
    rows = encoded_rows(ships.manner, without.manner)
    with ERR.status("learning"):
        left_out, shares = learn_left_out(rows, without.manner.name)
        judge = learn_both(rows, shares, ships.manner.name)
    found = [_figures("kept out", judge, [row for row in rows if row.is_kept_out], shipped)]
    for domain, others in left_out.items():
        talk = [row for row in rows if row.domain == domain and row.is_talk]
        found.append(_figures(f"{domain}, left out", others, talk, unseen))
    whole = rows_of_all(left_out, without, Settings().cache_folder)
    judge = replace(judge, by_all=learn_all(whole))
    odds = odds_of_others(whole)
    found += [
        _of_all(whole, odds, "ours, an author left out", is_ours=True),
        _of_all(whole, odds, "made up, its domain left out", is_ours=False),
    ]
    if write:
        content = json.dumps(asdict(judge), indent=0, ensure_ascii=False, default=dict)
        WEIGHTS_FILE.write_text(content + "\n", "utf-8")
    if as_json:
        print_json([one.model_dump() for one in found])
        return
    OUT.print(_table(found))
    count = f"{len(judge.by_signs.weights):,} signs"
    OUT.print(count + (f" written to {WEIGHTS_FILE.name}" if write else ""))


def _figures(
    name: str, judge: ActionabilityClassifier, rows: Sequence[EncodedText], vector_of: VectorOf
) -> Figures:
    wanted = np.array([row.is_wanted for row in rows])
    by_both = chances(odds_by_both(judge, rows, vector_of))
    by_signs = chances(odds_of(judge.by_signs, rows))
    return Figures(
        measured_on=name,
        texts=len(rows),
        wanted=int(wanted.sum()),
        auroc=_auroc(by_both, wanted),
        right=_right(by_both, wanted),
        auroc_of_signs=_auroc(by_signs, wanted),
        right_of_signs=_right(by_signs, wanted),
    )


def _of_all(rows: Sequence[WholeRow], odds: Numbers, name: str, *, is_ours: bool) -> Figures:
    """Measure where the grammar leaves it open, beside the text by itself.

    Args:
        odds: (rows,), by all that is seen.
    """
    counts = np.array([row.is_open and row.is_ours == is_ours for row in rows])
    wanted = np.array([row.is_wanted for row in rows])[counts]
    by_text = np.array([row.odds for row in rows])[counts]
    return Figures(
        measured_on=f"by all that is seen: {name}",
        texts=len(wanted),
        wanted=int(wanted.sum()),
        auroc=_auroc(odds[counts], wanted),
        right=_right(chances(odds[counts]), wanted),
        auroc_of_signs=_auroc(by_text, wanted),
        right_of_signs=_right(chances(by_text), wanted),
    )


def _auroc(chance: Numbers, wanted: Marks) -> float:
    return round(roc_auc(chance[wanted], chance[~wanted]), 3)


def _right(chance: Numbers, wanted: Marks) -> float:
    return round(float(((chance >= _EVEN) == wanted).mean()), 3)


def _table(found: Sequence[Figures]) -> Table:
    heads = ("measured on", "texts", "wanted", "AUROC", "right", "AUROC of signs", "right of signs")
    table = Table(*heads, box=SIMPLE_HEAD)
    for one in found:
        figures = (one.auroc, one.right, one.auroc_of_signs, one.right_of_signs)
        table.add_row(
            one.measured_on, str(one.texts), str(one.wanted), *(f"{each:.3f}" for each in figures)
        )
    return table
