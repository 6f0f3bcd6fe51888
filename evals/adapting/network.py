"""all-MiniLM-L6-v2 in JAX, so that what is added to it can be learnt; the product needs no JAX.

Layers up to the middle one are as published and never differentiated.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

from tools.embedding.architecture import HEADS, LINEAR, MIDDLE_LAYER, WIDTH
from tools.embedding.weights import find_folder, map_weights, places_of, read_tokenizer

Array = Any  # jax.Array, or numpy's: JAX takes either
Additions = Mapping[str, tuple[Array, Array]]
"""By the layer's name: (inputs, rank), (rank, outputs). See tools/embedding/adapter.py."""

_EPSILON = 1e-12
_MOST_TOKENS, _STEP = 48, 8
"""Texts are cut there, and padded to a multiple: each length is compiled once."""
SEED = 0
_RANK = 8


def _weights() -> dict[str, Array]:
    mapped = map_weights(find_folder())
    return {
        name: jnp.asarray(
            np.frombuffer(mapped, np.float32, place.length // 4, place.offset).reshape(place.shape)
        )
        for name, place in places_of(mapped).items()
    }


def _tokenizer() -> Any:
    tokenizer = Tokenizer.from_str(read_tokenizer(find_folder()))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    return tokenizer


_WEIGHTS, _TOKENIZER = _weights(), _tokenizer()


def first_additions(layers: int) -> dict[str, tuple[Array, Array]]:
    """Start where nothing is added: the second matrix is zero.

    Args:
        layers: of the network; those from the middle one on can be added to.
    """
    generator = np.random.default_rng(SEED)
    found = {}
    for layer in range(MIDDLE_LAYER, layers):
        for part in LINEAR:
            name = f"encoder.layer.{layer}.{part}"
            outputs, inputs = _WEIGHTS[f"{name}.weight"].shape
            down = generator.normal(0, inputs**-0.5, (inputs, _RANK))
            found[name] = (jnp.asarray(down, jnp.float32), jnp.zeros((_RANK, outputs), jnp.float32))
    return found


def as_arrays(additions: Additions) -> Additions:
    """Give what was learnt as numpy's arrays, to be kept."""
    return {name: (np.asarray(down), np.asarray(up)) for name, (down, up) in additions.items()}


def padded(texts: Sequence[str]) -> tuple[Array, Array]:
    """Cut texts into tokens: (texts, length) of them, and where they are, 1 or 0."""
    ids = [_TOKENIZER.encode(text).ids for text in texts]
    length = -(-max(map(len, ids)) // _STEP) * _STEP
    tokens, mask = np.zeros((len(ids), length), np.int32), np.zeros((len(ids), length), np.float32)
    for row, own in enumerate(ids):
        tokens[row, : len(own)], mask[row, : len(own)] = own, 1
    return tokens, mask


def lower(tokens: Array, mask: Array) -> Array:
    """Give the states of the middle layer: (texts, length, 384)."""
    return _LOWER(tokens, mask)


def _lower(tokens: Array, mask: Array) -> Array:
    states = _WEIGHTS["embeddings.word_embeddings.weight"][tokens]
    states += _WEIGHTS["embeddings.position_embeddings.weight"][: tokens.shape[1]]
    states += _WEIGHTS["embeddings.token_type_embeddings.weight"][0]
    states = _normalised(states, "embeddings.LayerNorm")
    for layer in range(MIDDLE_LAYER):
        states = _layer({}, states, mask, layer)
    return states


def upper(additions: Additions, states: Array, mask: Array, layers: int) -> Array:
    """Give the adapted vectors: (texts, 384), unit length."""
    for layer in range(MIDDLE_LAYER, layers):
        states = _layer(additions, states, mask, layer)
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def _layer(additions: Additions, states: Array, mask: Array, layer: int) -> Array:
    name = f"encoder.layer.{layer}"

    def linear(rows: Array, part: str) -> Array:
        key = f"{name}.{part}"
        found = rows @ _WEIGHTS[f"{key}.weight"].T + _WEIGHTS[f"{key}.bias"]
        if key not in additions:
            return found
        down, up = additions[key]
        return found + (rows @ down) @ up

    def of_heads(part: str) -> Array:
        rows = linear(states, f"attention.self.{part}")
        return rows.reshape(*states.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    asked, known, given = (of_heads(part) for part in ("query", "key", "value"))
    scores = asked @ known.transpose(0, 1, 3, 2) / np.sqrt(WIDTH // HEADS)
    shares = jax.nn.softmax(scores + (mask[:, None, None, :] - 1) * 1e9, -1)
    mixed = (shares @ given).transpose(0, 2, 1, 3).reshape(states.shape)
    middle = _normalised(
        states + linear(mixed, "attention.output.dense"), f"{name}.attention.output.LayerNorm"
    )
    wide = jax.nn.gelu(linear(middle, "intermediate.dense"), approximate=False)
    return _normalised(middle + linear(wide, "output.dense"), f"{name}.output.LayerNorm")


def _normalised(rows: Array, name: str) -> Array:
    centred = rows - rows.mean(-1, keepdims=True)
    spread = jnp.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
    return centred / spread * _WEIGHTS[f"{name}.weight"] + _WEIGHTS[f"{name}.bias"]


_LOWER = jax.jit(_lower)
