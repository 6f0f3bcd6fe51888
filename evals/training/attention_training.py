"""`make train-attention`: fit the judge of events, measure it, write weights and model card.

Needs the dependency group `train` (JAX, Optax), which the product does without.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from api.cli.terminal import OUT
from evals.training.attention_data import (
    FOLDER,
    HELD_OUT,
    EventLine,
    data_hash,
    read_events,
    read_situations,
)
from evals.training.reader_training import temperature
from tools.adapters.embedding.minilm_weights import JUDGE
from tools.attention.judge import LABELS, LEVELS, judged_text

METRICS, CARD = FOLDER / "metrics.json", FOLDER / "MODEL_CARD.md"

_RANK, _RATE, _DROPPED = 16, 6e-4, 0.1
_WEIGHTS: Mapping[str, float] = {"level": 1.5, "harm": 0.6, "state": 0.5, "reality": 0.5}
_MARGIN = 1.0
"""Log odds by which an event has to stand above its twin."""
_MOST_TOKENS, _PAIRS, _AT_ONCE, _ASKED = 80, 16, 16, 64
"""Texts are cut there; pairs in a batch, batches drawn together and sorted by length, and texts
asked at once."""
_LEFT_OUT, _LOWERED, _SLIPPED, _FOLLOWED = 0.3, 0.12, 0.1, 0.5
"""Shares of texts that lose their source, are written small, get two letters swapped, or say what
was before, where that is known."""
_SAID_EVERY = 50
_BARS = (0.3, 0.4, 0.5, 0.6)


class _Batch(NamedTuple):
    """Events in pairs: tokens and mask (texts, length), labels (texts, heads), twins (pairs,)."""

    tokens: npt.NDArray[np.int32]
    mask: npt.NDArray[np.float32]
    labels: npt.NDArray[np.int32]
    twins: npt.NDArray[np.float32]
    number: int


def train(
    epochs: Annotated[float, typer.Option(min=0.01, help="How often each line is seen.")] = 4.0,
    seed: Annotated[int, typer.Option(help="Of the weights, the order and what is dropped.")] = 0,
    measure: Annotated[
        bool, typer.Option("--measure", help="Fit nothing: measure the judge.npz that ships.")
    ] = False,
    further: Annotated[
        bool, typer.Option("--further", help="Go on from the judge.npz that ships.")
    ] = False,
    out: Annotated[Path, typer.Option(help="A folder for the weights.")] = JUDGE.parent,
    card: Annotated[Path, typer.Option(help="A folder for metrics and model card.")] = FOLDER,
) -> None:
    """Fit, measure on whole domains that were held out, and write what ships."""
    from evals.training.jax_heads import shipped_parameters, write_weights

    rows = read_events()
    own = [*(row for row in rows if row.domain not in HELD_OUT), *read_situations()]
    kept_out = [row for row in rows if row.domain in HELD_OUT]
    file = out / JUDGE.name
    start = shipped_parameters(JUDGE) if further else None
    found = shipped_parameters(file) if measure else _learnt(own, epochs, seed, start)
    odds, truth = _judged(found, kept_out)
    heads = {head: temperature(odds[head], truth[head]) for head in LABELS}
    if measure:
        OUT.print_json(json.dumps(measured(kept_out, odds, truth, heads["level"])))
        return
    metrics: dict[str, Any] = {  # JSON: numbers and names
        "data": data_hash(), "seed": seed, "epochs": epochs, "further": further,
        "learnt": len(own),
        "domains": len({row.domain for row in own}), "held_out": sorted(HELD_OUT),
        "temperatures": {head: round(one, 3) for head, one in heads.items()},
        "figures": measured(kept_out, odds, truth, heads["level"]),
    }  # fmt: skip
    write_weights(found, heads, file)
    (card / METRICS.name).write_text(json.dumps(metrics, indent=1) + "\n", "utf-8")
    (card / CARD.name).write_text(model_card(metrics), "utf-8")
    OUT.print(model_card(metrics))


def _learnt(rows: Sequence[EventLine], epochs: float, seed: int, start: Any) -> Any:
    """Fit the network; parameters are a tree of arrays, and `start` what to go on from, if any."""
    import jax
    import jax.numpy as jnp

    from evals.training.jax_heads import cross_entropy, first_parameters, logits_of
    from evals.training.jax_minilm import Array, dropout, minimise, optimizer_of

    steps = max(1, round(len(rows) / (2 * _PAIRS) * epochs))
    key = jax.random.PRNGKey(seed)

    def loss(parameters: Any, *batch: Array) -> Array:
        tokens, mask, labels, twins, number = batch
        drop = dropout(jax.random.fold_in(key, number), _DROPPED)
        found = logits_of(parameters, tokens, mask, drop)
        own = sum(
            _WEIGHTS[head] * cross_entropy(found[head], labels[:, at])
            for at, head in enumerate(LABELS)
        )
        shares = jax.nn.log_softmax(found["level"], -1)
        above = shares[:, 0] - jax.nn.logsumexp(shares[:, 1:], -1)
        gap = above[0::2] - above[1::2]
        apart = jax.nn.softplus(_MARGIN - gap) * twins
        return own + apart.sum() / jnp.maximum(twins.sum(), 1)

    def told(step: int, found: float) -> None:
        if step % _SAID_EVERY == 0 or step == steps:
            OUT.print(f"step {step} of {steps}: loss {found:.3f}")

    return minimise(
        loss,
        first_parameters(LABELS, _RANK, seed) if start is None else start,
        _batches(rows, random.Random(seed)),  # noqa: S311 - an order, not a secret
        optimizer_of(_RATE, steps),
        steps=steps,
        told=told,
    )


def _batches(rows: Sequence[EventLine], chance: random.Random) -> Iterator[_Batch]:
    """Give pairs of an event and its twin, and of any two others, sorted by length."""
    encode, number = _encoder(), 0
    twins = [at for at, row in enumerate(rows) if row.is_twin]
    paired = {*twins, *(at - 1 for at in twins)}
    others = [at for at in range(len(rows)) if at not in paired]
    while True:
        chance.shuffle(others)
        pairs = [(at - 1, at) for at in twins]
        pairs += list(zip(others[::2], others[1::2], strict=False))
        chance.shuffle(pairs)
        size = _PAIRS * _AT_ONCE
        for start in range(0, len(pairs), size):
            drawn = [
                (pair, [encode(_slipped(rows[at], chance)) for at in pair])
                for pair in pairs[start : start + size]
            ]
            drawn.sort(key=lambda one: max(map(len, one[1])))
            parts = [drawn[at : at + _PAIRS] for at in range(0, len(drawn), _PAIRS)]
            chance.shuffle(parts)
            for part in (one for one in parts if len(one) == _PAIRS):
                yield _batch(rows, part, number)
                number += 1


def _batch(
    rows: Sequence[EventLine],
    part: Sequence[tuple[tuple[int, int], list[list[int]]]],
    number: int,
) -> _Batch:
    from evals.training.jax_heads import padded

    tokens, mask = padded([ids for _pair, both in part for ids in both])
    labels = [_labels(rows[at]) for pair, _both in part for at in pair]
    is_twin = [float(rows[second].is_twin) for (_first, second), _both in part]
    return _Batch(tokens, mask, np.array(labels, np.int32), np.array(is_twin, np.float32), number)


def _labels(row: EventLine) -> list[int]:
    said = {head: getattr(row, head) for head in LABELS}
    return [-1 if said[head] is None else list(LABELS[head]).index(said[head]) for head in LABELS]


def _encoder() -> Callable[[str], list[int]]:
    from evals.training.jax_minilm import tokenizer_of

    tokenizer = tokenizer_of(_MOST_TOKENS)
    return lambda text: list(tokenizer.encode(text).ids)


def _slipped(row: EventLine, chance: random.Random) -> str:
    """Write an event without its source, with what was before, in small letters or in haste."""
    text = row.text
    if chance.random() < _SLIPPED and len(text) > 3:
        at = chance.randrange(len(text) - 2)
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    before = chance.choice(row.befores) if row.befores and chance.random() < _FOLLOWED else ""
    text = judged_text("" if chance.random() < _LEFT_OUT else row.source, text, before)
    return text.lower() if chance.random() < _LOWERED else text


_Odds = Mapping[str, npt.NDArray[Any]]  # float32 or float64


def _judged(
    parameters: Any, rows: Sequence[EventLine]
) -> tuple[_Odds, Mapping[str, npt.NDArray[np.int64]]]:
    """Give the log odds of each head, (rows, labels), and what is true."""
    import jax

    from evals.training.jax_heads import logits_of, padded

    asked, encode = jax.jit(logits_of), _encoder()
    ids = [encode(row.read) for row in rows]
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    odds = {head: np.zeros((len(rows), len(own)), np.float64) for head, own in LABELS.items()}
    for start in range(0, len(order), _ASKED):
        places = order[start : start + _ASKED]
        part = [ids[at] for at in places]
        found = asked(parameters, *padded([*part, *[part[-1]] * (_ASKED - len(part))]))
        for head in LABELS:
            odds[head][places] = np.asarray(found[head])[: len(places)]
    labels = np.array([_labels(row) for row in rows], np.int64)
    return odds, {head: labels[:, at] for at, head in enumerate(LABELS)}


def measured(
    rows: Sequence[EventLine],
    odds: _Odds,
    truth: Mapping[str, npt.NDArray[np.int64]],
    cooled: float,
) -> dict[str, Any]:  # JSON: numbers, by name
    """Measure how well what deserves a word now stands apart from all else, and each head."""
    shifted = np.exp((odds["level"] - odds["level"].max(1, keepdims=True)) / cooled)
    now = shifted[:, 0] / shifted.sum(1)
    known = shifted[:, :2].sum(1) / shifted.sum(1)
    kinds = np.array(["twin" if row.is_twin and row.level != "now" else row.level for row in rows])
    told = {
        str(bar): {kind: _share(now[kinds == kind] >= bar) for kind in ("twin", *LEVELS)}
        for bar in _BARS
    }
    others = {kind: kinds == kind for kind in ("twin", "later", "quiet")}
    return {
        "n": len(rows),
        "auc": _auc(now[kinds == "now"], now[kinds != "now"]),
        "auc_against": {kind: _auc(now[kinds == "now"], now[own]) for kind, own in others.items()},
        "auc_digest": _auc(known[kinds == "later"], known[kinds == "quiet"]),
        "told_from": told,
        "accuracy": {head: _share(odds[head].argmax(1) == truth[head]) for head in LABELS},
    }


def _share(hits: npt.NDArray[np.bool_]) -> float:
    return round(float(hits.mean()), 3) if len(hits) else float("nan")


def _auc(above: npt.NDArray[Any], below: npt.NDArray[Any]) -> float:
    """Give the chance that one drawn from the first stands above one of the second."""
    wins = (above[:, None] > below[None]) + 0.5 * (above[:, None] == below[None])
    return round(float(wins.mean()), 3)


def model_card(metrics: Mapping[str, Any]) -> str:
    """Write the card: what was learnt from, what it is worth, where it is weak."""
    figures = metrics["figures"]
    rows = [("AUC, now against all others", figures["auc"])]
    rows += [(f"AUC, now against {kind}", one) for kind, one in figures["auc_against"].items()]
    rows += [("AUC, later against quiet (no twin)", figures["auc_digest"])]
    rows += [(f"accuracy of {head}", one) for head, one in figures["accuracy"].items()]
    rows += [
        (f"told from a chance of {bar}: {kind}", share)
        for bar, shares in figures["told_from"].items()
        for kind, share in shares.items()
    ]
    table = "\n".join(f"| {name} | {value:.3f} |" for name, value in rows)
    return f"""# Model card of the judge of events

Written by `make train-attention` (evals/training/attention_training.py); figures: `metrics.json`.

- **Says** of one event whether a word about it is wanted now, later or never, what is at stake,
  how it stands, and whether it is real (GUIDE.md defines the labels).
- **Model**: all-MiniLM-L6-v2 with low-rank additions in every layer and linear heads (`judge.npz`).
- **Learnt from** {metrics["learnt"]:,} event lines of {metrics["domains"]} domains, written by hand
  for this, none public, each grave one with a harmless twin. The loss also asks that an event stand
  above its twin. Data {metrics["data"]}, seed {metrics["seed"]}, {metrics["epochs"]:g} rounds.
- **Fitted**: {metrics.get("how", "in one run from nothing")}.
- **Held out**, and measured on: {", ".join(metrics["held_out"])}. Temperatures are fitted there.
- **For** events that bring no salience of their own; what a pack says of its domain counts beside
  it. It runs nothing.
- **Weak** in other languages than English, where only a number tells good from bad, and where the
  listener's own plans decide.

| held-out domains ({figures["n"]} events) | |
| --- | --- |
{table}
"""


if __name__ == "__main__":
    typer.run(train)
