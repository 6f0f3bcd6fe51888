"""all-MiniLM-L6-v2 in JAX with low-rank additions, and the loop that fits them.

Import it lazily: the product has no JAX.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tokenizers import Tokenizer

from tools.adapters.embedding.minilm_weights import (
    HEADS,
    LINEAR,
    WIDTH,
    find_folder,
    map_weights,
    places_of,
    read_tokenizer,
)

Array = Any  # jax.Array, or numpy's: JAX takes either
Additions = Mapping[str, tuple[Array, Array]]
"""By the layer's name: (inputs, rank), (rank, outputs). See minilm_weights.py."""
Dropout = Callable[[Array], Array]

_EPSILON = 1e-12


def _weights() -> dict[str, Array]:
    mapped = map_weights(find_folder())
    return {
        name: jnp.asarray(
            np.frombuffer(mapped, np.float32, place.length // 4, place.offset).reshape(place.shape)
        )
        for name, place in places_of(mapped).items()
    }


_WEIGHTS = _weights()


def tokenizer_of(most_tokens: int) -> Any:
    """Make the tokenizer; it cuts a text after so many tokens and pads nothing."""
    tokenizer = Tokenizer.from_str(read_tokenizer(find_folder()))
    tokenizer.no_padding()
    tokenizer.enable_truncation(most_tokens)
    return tokenizer


def first_additions(layers: range, rank: int, seed: int) -> dict[str, tuple[Array, Array]]:
    """Start where nothing is added: the second matrix is zero."""
    generator = np.random.default_rng(seed)
    found = {}
    for layer in layers:
        for part in LINEAR:
            name = f"encoder.layer.{layer}.{part}"
            outputs, inputs = _WEIGHTS[f"{name}.weight"].shape
            down = generator.normal(0, inputs**-0.5, (inputs, rank))
            found[name] = (jnp.asarray(down, jnp.float32), jnp.zeros((rank, outputs), jnp.float32))
    return found


def as_arrays(additions: Additions) -> Additions:
    """Give what was learnt as numpy's arrays, to be kept."""
    return {name: (np.asarray(down), np.asarray(up)) for name, (down, up) in additions.items()}


def no_dropout(states: Array) -> Array:
    """Keep everything, as the product does."""
    return states


def dropout(key: Array, share: float) -> Dropout:
    """Drop another share of the states at each call."""
    calls = 0

    def drop(states: Array) -> Array:
        nonlocal calls
        calls += 1
        kept = jax.random.bernoulli(jax.random.fold_in(key, calls), 1 - share, states.shape)
        return jnp.where(kept, states / (1 - share), 0)

    return drop


def embedded(tokens: Array) -> Array:
    """Give the states below the first layer: (texts, length, 384)."""
    states = _WEIGHTS["embeddings.word_embeddings.weight"][tokens]
    states += _WEIGHTS["embeddings.position_embeddings.weight"][: tokens.shape[1]]
    states += _WEIGHTS["embeddings.token_type_embeddings.weight"][0]
    return _normalised(states, "embeddings.LayerNorm")


def layer(
    additions: Additions, states: Array, mask: Array, number: int, drop: Dropout = no_dropout
) -> Array:
    """Run one layer with what is added to it: (texts, length, 384)."""
    name = f"encoder.layer.{number}"

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
    attended = drop(linear(mixed, "attention.output.dense"))
    middle = _normalised(states + attended, f"{name}.attention.output.LayerNorm")
    wide = jax.nn.gelu(linear(middle, "intermediate.dense"), approximate=False)
    return _normalised(middle + drop(linear(wide, "output.dense")), f"{name}.output.LayerNorm")


def _normalised(rows: Array, name: str) -> Array:
    centred = rows - rows.mean(-1, keepdims=True)
    spread = jnp.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
    return centred / spread * _WEIGHTS[f"{name}.weight"] + _WEIGHTS[f"{name}.bias"]


_WARM_UP, _DECAY, _STEEPEST = 100, 0.01, 1.0


def optimizer_of(rate: float, steps: int) -> optax.GradientTransformation:
    """Rise to a rate over the first steps and fall in a cosine; no slope is steeper than 1."""
    warm = min(_WARM_UP, steps // 10 + 1)
    rates = optax.warmup_cosine_decay_schedule(0, rate, warm, max(steps, warm + 1))
    adam = optax.adamw(rates, weight_decay=_DECAY)
    return optax.chain(optax.clip_by_global_norm(_STEEPEST), adam)


def minimise(
    loss: Callable[..., Array],
    parameters: Any,
    batches: Iterator[Sequence[Array]],
    optimizer: optax.GradientTransformation,
    *,
    steps: int,
    told: Callable[[int, float], None],
) -> Any:
    """Take one step a batch, and give what the parameters have become.

    Args:
        loss: of the parameters and what a batch has.
        parameters: a tree of arrays.
        batches: as many as there are steps, or more; `told` learns each step and its loss.
    """
    state = optimizer.init(parameters)
    gradient = jax.value_and_grad(loss)

    def step(parameters: Any, state: Any, *batch: Array) -> tuple[Any, Any, Array]:
        found, slope = gradient(parameters, *batch)
        change, state = optimizer.update(slope, state, parameters)
        return optax.apply_updates(parameters, change), state, found

    compiled = jax.jit(step)
    for number, batch in zip(range(1, steps + 1), batches, strict=False):
        parameters, state, found = compiled(parameters, state, *batch)
        told(number, float(found))
    return parameters
