"""`make train`: fit the reader, measure it, write weights and model card.

Needs the dependency group `train` (JAX, Optax), which the product does without.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from api.cli.terminal import OUT
from evals.training.reader_data import FOLDER, Labelled, Parts, data_hash, read_parts
from tools.adapters.embedding.minilm_weights import READER, TAG_HEAD
from tools.nlu.reader.reading import LABELS, TAGS, WANTS

METRICS, CARD = FOLDER / "metrics.json", FOLDER / "MODEL_CARD.md"

Judged = Mapping[str, tuple[npt.NDArray[Any], npt.NDArray[np.int64]]]  # float32 or float64
Figures = dict[str, Any]  # JSON: numbers, and by tag

_TEMPERATURES = np.geomspace(0.4, 3.0, 60)
_SAID_EVERY = 50
"""Steps."""


def train(  # every option is a parameter
    epochs: Annotated[float, typer.Option(min=0.01, help="How often each message is seen.")] = 8.0,
    seed: Annotated[int, typer.Option(help="Of the weights, the order and what is dropped.")] = 0,
    measure: Annotated[
        bool, typer.Option("--measure", help="Fit no network: measure the reader.npz that ships.")
    ] = False,
    further: Annotated[
        bool, typer.Option("--further", help="Go on from the reader.npz that ships.")
    ] = False,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Once measured, learn again from the held-out files too, and ship that."
        ),
    ] = False,
    out: Annotated[Path, typer.Option(help="A folder for the weights.")] = READER.parent,
    card: Annotated[Path, typer.Option(help="A folder for metrics and model card.")] = FOLDER,
) -> None:
    """Fit, measure on whole domains that were held out, and write what ships."""
    parts = read_parts()
    metrics = _known(card / METRICS.name)
    metrics |= {
        "data": data_hash(), "seed": seed, "learnt": len(parts.learnt),
        "held_out": sorted({row.domain for row in parts.held_out}),
        "held_out_talk": sorted({row.domain for row in parts.held_out_talk}),
    }  # fmt: skip
    metrics["reader"] = _network(
        parts, out / READER.name, epochs=epochs, seed=seed, measure=measure, whole=whole,
        further=further,
    )  # fmt: skip
    (card / METRICS.name).write_text(json.dumps(metrics, indent=1) + "\n", "utf-8")
    (card / CARD.name).write_text(model_card(metrics), "utf-8")
    OUT.print(model_card(metrics))


def _network(
    parts: Parts,
    file: Path,
    *,
    epochs: float,
    seed: int,
    measure: bool,
    whole: bool,
    further: bool,
) -> Figures:
    from evals.training.jax_heads import shipped_parameters, write_weights
    from evals.training.reader_network import judged, learn_reader

    def learnt(rows: Sequence[Labelled]) -> Any:  # a tree of arrays
        start = shipped_parameters(READER) if further else None
        return learn_reader(rows, epochs=epochs, seed=seed, told=_told, start=start)

    found = shipped_parameters(file) if measure else learnt(parts.learnt)
    figures, temperatures = measured(*(judged(found, rows) for rows in _asked(parts)))
    if measure:
        return figures
    if whole:
        found = learnt(parts.all)
    write_weights(found, temperatures, file)
    return {**figures, "epochs": epochs, "further": further, "whole": whole}


def _asked(parts: Parts) -> tuple[Sequence[Labelled], Sequence[Labelled]]:
    return parts.held_out, parts.held_out_talk


def _told(step: int, steps: int, loss: float) -> None:
    if step % _SAID_EVERY == 0 or step == steps:
        OUT.print(f"step {step} of {steps}: loss {loss:.3f}")


def measured(domains: Judged, talk: Judged) -> tuple[Figures, Mapping[str, float]]:
    """Measure each head where nothing was learnt, and fit its temperature there."""
    temperatures = {name: temperature(*domains[name]) for name in LABELS}
    figures = {
        "temperatures": {name: round(one, 3) for name, one in temperatures.items()},
        "domains": {name: _of_head(name, *domains[name], temperatures[name]) for name in LABELS},
        "talk": {
            name: _of_head(name, *talk[name], temperatures[name])
            for name in ("act", "want")
        },
    }  # fmt: skip
    return figures, temperatures


def temperature(odds: npt.NDArray[Any], truth: npt.NDArray[np.int64]) -> float:
    """Find what log odds are to be divided by, so that what is true is likeliest.

    Source: temperature scaling (Guo et al., 2017).
    """
    losses = [_log_loss(odds / one, truth) for one in _TEMPERATURES]
    return float(_TEMPERATURES[int(np.argmin(losses))])


def _log_loss(odds: npt.NDArray[Any], truth: npt.NDArray[np.int64]) -> float:
    shifted = odds - odds.max(axis=1, keepdims=True)
    likely = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-likely[np.arange(len(truth)), truth].mean())


def _of_head(
    name: str, odds: npt.NDArray[Any], truth: npt.NDArray[np.int64], cooled: float
) -> Figures:
    said = odds.argmax(axis=1)
    figures: Figures = {
        "n": len(truth),
        "accuracy": _share(said == truth),
        "log_loss": round(_log_loss(odds / cooled, truth), 3),
    }
    if name == "want":
        none, change = WANTS.index("none"), WANTS.index("change")
        figures["change_for_none"] = _share(said[truth == none] == change)
        figures["none_for_change"] = _share(said[truth == change] == none)
    if name == "control":
        figures["named"] = _share((said == truth)[truth > 0])
        figures["false"] = _share(said[truth == 0] > 0)
    if name == TAG_HEAD:
        figures["f1"] = {
            TAGS[letter]: _f1(said == place, truth == place) for place, letter in enumerate(TAGS)
        }
    return figures


def _share(hits: npt.NDArray[np.bool_]) -> float:
    return round(float(hits.mean()), 3) if len(hits) else float("nan")


def _f1(said: npt.NDArray[np.bool_], true: npt.NDArray[np.bool_]) -> float:
    total = int(said.sum() + true.sum())
    return round(2 * int((said & true).sum()) / total, 3) if total else 0.0


def _known(file: Path) -> Figures:
    found: Figures = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def model_card(metrics: Figures) -> str:
    """Write the card: what was learnt from, what it is worth, where it is weak."""
    models = {"MiniLM": metrics["reader"]}
    rows = []
    for head in LABELS:
        for part, where in (("domains", "domains"), ("talk", "talk")):
            own = {name: one[part][head] for name, one in models.items() if head in one[part]}
            for figure in next(iter(own.values()), {}):
                if figure in ("n", "f1"):
                    continue
                shown = [f"{own[name][figure]:.3f}" if name in own else "" for name in models]
                count = next(iter(own.values()))["n"]
                rows.append([head, where, figure.replace("_", " "), str(count), *shown])
    for tag in TAGS.values():
        shown = [f"{one['domains'][TAG_HEAD]['f1'][tag]:.2f}" for one in models.values()]
        rows.append([TAG_HEAD, "domains", f"F1 of {tag}", "", *shown])
    for head in LABELS:
        shown = [f"{one['temperatures'][head]:.2f}" for one in models.values()]
        rows.append([head, "", "temperature", "", *shown])
    names = ["head", "held-out", "figure", "n", *models]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (names, ["---"] * len(names), *rows))
    return f"""# Model card of the reader

Written by `make train` (evals/training/reader_training.py); the figures stand in `metrics.json`.

- **Says** of one message to an assistant: its act, what is wanted, whether it is about the
  assistant's own talk and memory, and the part that each word plays (GUIDE.md defines the labels).
- **Model**: all-MiniLM-L6-v2 with low-rank additions in every layer and linear heads
  (`reader.npz`).
- **Learnt from** {metrics["learnt"]:,} messages written for this, none public: the files of this
  folder and the talk of `evals/training/talk/`. Data {metrics["data"]}, seed {metrics["seed"]}.
- **Fitted**: {metrics.get("how", "in one run from nothing")}.
- **Held out**, and measured on: {", ".join(metrics["held_out"])}; talk of
  {", ".join(metrics["held_out_talk"])}. Temperatures are fitted on the first, so their log loss is
  told a little too well.
- **For** limits that an action has no slot for, orders that are not meant, several requests in one
  message, days and numbers of slots, requests about the assistant's own talk, and questions that a
  read answers in other words than a pack's. It never makes a change run by itself, and class C asks
  a person whatever it says.
- **Weak** in other languages than English and some German, in messages of several sentences, and
  in the rarer tags below.

{table}
"""


if __name__ == "__main__":
    typer.run(train)
