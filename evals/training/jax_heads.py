"""MiniLM in JAX with additions in all layers and linear heads over it: its parts and its file.

The reader and the judge of events are such networks. Import it lazily: the product has no JAX.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from evals.training.jax_minilm import (
    Array,
    Dropout,
    as_arrays,
    embedded,
    first_additions,
    layer,
    no_dropout,
)
from tools.adapters.embedding.minilm_weights import LAYERS, TAG_HEAD, WIDTH, read_reader

Floats = npt.NDArray[np.float32]
Labels = Mapping[str, Sequence[str]]
"""By head: its labels, in the order of its outputs."""

SMOOTHED = 0.05
"""Share of the truth that is spread over all labels."""
_STEP = 8
"""Texts are padded to a multiple: each length is compiled once."""


def first_parameters(labels: Labels, rank: int, seed: int) -> dict[str, Any]:
    """Start with nothing added and heads that tell nothing."""
    generator = np.random.default_rng(seed)

    def head(features: int, count: int) -> tuple[Array, Array]:
        drawn = generator.normal(0, 0.02, (features, count))
        return jnp.asarray(drawn, jnp.float32), jnp.zeros(count)

    return {
        "additions": first_additions(range(LAYERS), rank, seed),
        "pools": {name: jnp.zeros(WIDTH) for name in labels if name != TAG_HEAD},
        "heads": {
            name: head(WIDTH if name == TAG_HEAD else 2 * WIDTH, len(own))
            for name, own in labels.items()
        },
    }


def shipped_parameters(file: Path) -> dict[str, Any]:
    """Start with what a file of weights holds, to go on learning."""
    reader = read_reader(file)
    return {
        "additions": dict(reader.adapter.additions),
        "pools": {name: head.pool for name, head in reader.heads.items() if name != TAG_HEAD},
        "heads": {name: (head.weight, head.bias) for name, head in reader.heads.items()},
    }


def logits_of(
    parameters: Any, tokens: Array, mask: Array, drop: Dropout = no_dropout
) -> dict[str, Array]:
    """Compute the log odds of each head's labels, as build_reader_graph writes it."""
    states = drop(embedded(tokens))
    for number in range(LAYERS):
        states = layer(parameters["additions"], states, mask, number, drop)
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    found = {}
    for name, (weight, bias) in parameters["heads"].items():
        features = states
        if name != TAG_HEAD:
            shares = jax.nn.softmax(states @ parameters["pools"][name] + (mask - 1) * 1e9, -1)
            features = drop(jnp.concatenate([(shares[..., None] * states).sum(1), mean], -1))
        found[name] = features @ weight + bias
    return found


def cross_entropy(logits: Array, labels: Array) -> Array:
    """Average over what is labelled; a label of -1 is none."""
    count = logits.shape[-1]
    wanted = jax.nn.one_hot(jnp.maximum(labels, 0), count) * (1 - SMOOTHED) + SMOOTHED / count
    losses = -(wanted * jax.nn.log_softmax(logits, -1)).sum(-1)
    is_known = labels >= 0
    return (losses * is_known).sum() / jnp.maximum(is_known.sum(), 1)


def padded(ids: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.int32], Floats]:
    """Write texts below each other: tokens and mask, (texts, length)."""
    length = -(-max(map(len, ids)) // _STEP) * _STEP
    tokens, mask = np.zeros((len(ids), length), np.int32), np.zeros((len(ids), length), np.float32)
    for row, one in enumerate(ids):
        tokens[row, : len(one)], mask[row, : len(one)] = one, 1
    return tokens, mask


def write_weights(parameters: Any, temperatures: Mapping[str, float], file: Path) -> None:
    """Write what read_reader reads; the same weights give the same bytes on one Python."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for name, (down, up) in sorted(as_arrays(parameters["additions"]).items()):
        arrays |= {f"{name}:down": down.astype(np.float16), f"{name}:up": up.astype(np.float16)}
    for name, pool in parameters["pools"].items():
        arrays[f"pool:{name}"] = np.asarray(pool, np.float32)
    for name, (weight, bias) in parameters["heads"].items():
        arrays[f"head:{name}:weight"] = np.asarray(weight, np.float32)
        arrays[f"head:{name}:bias"] = np.asarray(bias, np.float32)
        arrays[f"temperature:{name}"] = np.array(temperatures.get(name, 1.0), np.float32)
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # its stubs take the names for options
    file.write_bytes(content.getvalue())
    read_reader.cache_clear()
