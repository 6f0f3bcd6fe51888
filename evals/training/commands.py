"""`prefrontal evals adapt` and `wishes`: fit the encoder's additions and actionability.

Both measure, and write what ships where that is asked for; `adapt` needs JAX.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Protocol

import numpy as np
import numpy.typing as npt
import typer
from rich.box import SIMPLE_HEAD
from rich.progress import Progress
from rich.table import Table

from api.cli.terminal import ERR, OUT, print_json
from evals.measures import roc_auc
from evals.options import app
from evals.training.actionability_data import (
    LEFT_OUT,
    MANNER_UNSEEN,
    EncodedText,
    TalkText,
    domains,
    encoded_rows,
    talk_texts,
)
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
from state.errors import BadInput
from state.noun import Noun
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.adapters.embedding.minilm_weights import (
    MANNER,
    MEANING,
    Matrix,
    read_adapter,
    write_adapter,
)
from tools.nlu.actionability.classifier import WEIGHTS_FILE, ActionabilityClassifier

_SHIPPED = {"meaning": 600, "manner": 500}
"""Steps by which what ships was learnt, from the seed 0."""
_SAID_EVERY = 50
"""Steps."""
_Additions = Mapping[str, tuple[Matrix, Matrix]]


class _Learn(Protocol):
    """Learns so many steps; `told` learns each step and its loss."""

    def __call__(self, *, steps: int, told: Callable[[int, float], None]) -> _Additions: ...


@app.command(epilog="Example: prefrontal evals adapt manner --write")
def adapt(
    what: Annotated[
        Literal["meaning", "manner"],
        typer.Argument(help="What is asked for, or whether anything is."),
    ],
    steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Batches: of 128 texts for meaning, of 64 for manner.",
            show_default="600 for meaning, 500 for manner",
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Replace the adapter that ships; else only learn.")
    ] = False,
) -> None:
    """Learn an adapter of the encoder from texts that were written for it.

    `meaning` learns from 36 invented domains and the examples of the packs, about a second a step
    on two cores. `manner` learns from talk, what wants something and what wants nothing, a third of
    a second a step, and does so twice: the first time without what is said to ten of the domains,
    so that `prefrontal evals wishes --write`, which comes afterwards, can judge what it is worth.
    Both need JAX, which nothing else here does: `pip install jax optax`.
    """
    try:
        from evals.training.encoder_adapter import learn_manner, learn_meaning
    except ImportError as error:
        raise BadInput(f"{error}; it is needed to learn: pip install jax optax") from error
    steps = steps or _SHIPPED[what]
    if what == "meaning":
        listed = domains()
        OUT.print(f"{sum(one.texts for one in listed):,} texts of {len(listed)} domains")
        _learn(partial(learn_meaning, listed), MEANING, steps, write=write)
        return
    for file, texts in training_digest(talk_texts()).items():
        OUT.print(f"{len(texts):,} texts of {len({one.domain for one in texts})} domains")
        _learn(partial(learn_manner, texts), file, steps, write=write)


def training_digest(said: Iterable[TalkText]) -> Mapping[Path, Sequence[TalkText]]:
    """Give what each adapter for manner learns from, by its file, in the order of learning."""
    shipped = [one for one in said if not one.is_kept_out]
    unseen = [one for one in shipped if one.domain not in LEFT_OUT]
    return {MANNER_UNSEEN: unseen, MANNER: shipped}


def _learn(learn: _Learn, file: Path, steps: int, *, write: bool) -> None:
    losses: list[float] = []
    with Progress(console=ERR, transient=True) as progress:
        task = progress.add_task("learning", total=steps)

        def told(step: int, loss: float) -> None:
            losses.append(loss)
            progress.update(task, completed=step)
            if step % _SAID_EVERY == 0:
                OUT.print(f"step {step}: loss {np.mean(losses[-_SAID_EVERY:]):.3f}")

        additions = learn(steps=steps, told=told)
    if write:
        write_adapter(additions, file)
        read_adapter.cache_clear()
        OUT.print(f"{file.name} written: {read_adapter(file).name}")


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
