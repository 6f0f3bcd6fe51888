"""The reader in JAX: MiniLM with additions in all layers and the heads of reading.py, and its fit.

Import it lazily: the product has no JAX.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
import numpy.typing as npt

from evals.training.jax_heads import cross_entropy, first_parameters, logits_of, padded
from evals.training.jax_minilm import Array, dropout, minimise, optimizer_of, tokenizer_of
from evals.training.reader_data import Labelled, tags_at
from tools.adapters.embedding.minilm_weights import TAG_HEAD
from tools.nlu.reader.reading import LABELS

Floats = npt.NDArray[np.float32]
TEXT_HEADS = tuple(name for name in LABELS if name != TAG_HEAD)

_MOST_TOKENS = 64
"""Texts are cut there."""
_TEXTS, _AT_ONCE, _ASKED = 32, 16, 64
"""In a batch, batches that are drawn together and sorted by length, and texts asked at once."""
_RANK, _RATE = 32, 8e-4
_DROPPED, _TAG_WEIGHT = 0.1, 1.5
_UNTAGGED = 0.4
"""Share of the rows without tags that an epoch sees: they tell less, and are alike."""
_NO_MARK, _SLIP, _LEAST_LETTERS = 0.25, 0.1, 5
"""Share of texts whose last mark goes, and in which two letters inside a long word are swapped."""
_LONG_WORD = re.compile(rf"[^\W\d_]{{{_LEAST_LETTERS},}}")
_TOKENIZER = tokenizer_of(_MOST_TOKENS)


class _Encoded(NamedTuple):
    ids: Sequence[int]
    tags: Sequence[int]
    labels: Sequence[int]


class Batch(NamedTuple):
    """Texts of about one length: tokens, mask and tags (texts, length), labels (texts, heads)."""

    tokens: npt.NDArray[np.int32]
    mask: Floats
    tags: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int32]
    number: int


def learn_reader(
    rows: Sequence[Labelled],
    *,
    epochs: float,
    seed: int,
    told: Callable[[int, int, float], None],
    steps: int | None = None,
    start: Any = None,
) -> Any:
    """Fit additions and heads; the same rows, seed and machine give the same.

    Args:
        epochs: how often each row with tags is seen; of the others a share is.
        start: parameters to go on from; None: nothing is known yet.
        told: learns each step, how many there are, and its loss.
        steps: instead of epochs.
    """
    a_round = sum(1 if row.spans is not None else _UNTAGGED for row in rows)
    total = steps or max(1, round(a_round * epochs / _TEXTS))
    key = jax.random.PRNGKey(seed)

    def loss(parameters: Any, *batch: Array) -> Array:
        tokens, mask, tags, labels, number = batch
        drop = dropout(jax.random.fold_in(key, number), _DROPPED)
        found = logits_of(parameters, tokens, mask, drop)
        own = sum(cross_entropy(found[h], labels[:, i]) for i, h in enumerate(TEXT_HEADS))
        return own + _TAG_WEIGHT * cross_entropy(found[TAG_HEAD], tags)

    return minimise(
        loss,
        first_parameters(LABELS, _RANK, seed) if start is None else start,
        _batches(rows, random.Random(seed)),  # noqa: S311 - an order, not a secret
        optimizer_of(_RATE, total),
        steps=total,
        told=lambda step, found: told(step, total, found),
    )


def _batches(rows: Sequence[Labelled], chance: random.Random) -> Iterator[Batch]:
    number = 0
    while True:
        own = [
            at
            for at, row in enumerate(rows)
            if row.spans is not None or chance.random() < _UNTAGGED
        ]
        order = chance.sample(own, len(own))
        size = _TEXTS * _AT_ONCE
        for start in range(0, len(order), size):
            drawn = [_encoded(rows[place], chance) for place in order[start : start + size]]
            drawn.sort(key=lambda one: len(one.ids))
            parts = [drawn[at : at + _TEXTS] for at in range(0, len(drawn), _TEXTS)]
            chance.shuffle(parts)
            for part in parts:
                full = [*part, *chance.choices(drawn, k=_TEXTS - len(part))]
                yield _batch(full, number)
                number += 1


def _encoded(row: Labelled, chance: random.Random | None = None) -> _Encoded:
    text = row.text if chance is None else _slipped(row.text, chance)
    cut = _TOKENIZER.encode(text)
    labels = [
        -1 if getattr(row, head) is None else LABELS[head].index(getattr(row, head))
        for head in TEXT_HEADS
    ]
    return _Encoded(cut.ids, tags_at(row, cut.offsets), labels)


def _slipped(text: str, chance: random.Random) -> str:
    """Write it in haste, so that every span stays where it is."""
    if chance.random() < _NO_MARK and text.endswith((".", "!", "?")):
        text = text[:-1]
    if chance.random() < _SLIP and (words := list(_LONG_WORD.finditer(text))):
        word = chance.choice(words)
        at = chance.randrange(word.start() + 1, word.end() - 2)
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text


def _batch(encoded: Sequence[_Encoded], number: int = 0) -> Batch:
    tokens, mask = padded([one.ids for one in encoded])
    tags = np.full(tokens.shape, -1, np.int32)
    for row, one in enumerate(encoded):
        tags[row, : len(one.ids)] = one.tags
    return Batch(tokens, mask, tags, np.array([one.labels for one in encoded], np.int32), number)


_FOUND = jax.jit(logits_of)


def judged(
    parameters: Any, rows: Sequence[Labelled]
) -> Mapping[str, tuple[Floats, npt.NDArray[np.int64]]]:
    """Give the log odds of each head and what is true, of all that is labelled."""
    encoded = sorted(map(_encoded, rows), key=lambda one: len(one.ids))
    odds: dict[str, list[Floats]] = {name: [] for name in LABELS}
    truth: dict[str, list[npt.NDArray[np.int32]]] = {name: [] for name in LABELS}
    for start in range(0, len(encoded), _ASKED):
        part = encoded[start : start + _ASKED]
        batch = _batch([*part, *[part[-1]] * (_ASKED - len(part))])
        found = _FOUND(parameters, batch.tokens, batch.mask)
        true = dict(zip(TEXT_HEADS, batch.labels.T, strict=True)) | {TAG_HEAD: batch.tags}
        for name in LABELS:
            own = np.asarray(true[name])[: len(part)]
            odds[name].append(np.asarray(found[name])[: len(part)][own >= 0])
            truth[name].append(own[own >= 0])
    return {
        name: (np.concatenate(odds[name]), np.concatenate(truth[name]).astype(np.int64))
        for name in LABELS
    }
