"""Fit the encoder's low-rank additions for intent and for dialogue act, in JAX.

Holds all-MiniLM-L6-v2 in JAX and the Adam optimiser. Import it lazily: the product has no JAX.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax
from tokenizers import Tokenizer

from evals.training.actionability_data import Domain, Forms, TalkText
from tools.adapters.embedding.minilm_weights import (
    HEADS,
    LAYERS,
    LINEAR,
    MIDDLE_LAYER,
    WIDTH,
    find_folder,
    map_weights,
    places_of,
    read_tokenizer,
)

Array = Any  # jax.Array, or numpy's: JAX takes either
Additions = Mapping[str, tuple[Array, Array]]
"""By the layer's name: (inputs, rank), (rank, outputs). See minilm_weights.py."""

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


_RATE, _WARM_UP = 1e-3, 30


def minimise(
    loss: Callable[..., Array],
    parameters: Any,
    batches: Iterator[Sequence[Array]],
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
    optimizer = optax.adam(optax.warmup_cosine_decay_schedule(0, _RATE, _WARM_UP, steps))
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


_MEANING_TEXTS, _LEAST_OF_ONE = 128, 2
"""In a batch, and of one intent in it."""
_FOREIGN = 12
"""Texts in a batch that no intent covers: they come near none, and near each other neither."""
_TEMPERATURE = 0.07
_BY_KIND = 0.6
"""Share of the texts in which things stand as their kinds, as the router gives them."""
_DRAWN = 0.5
"""Domains are drawn as the square root of how many texts they have."""


def learn_meaning(
    domains: Sequence[Domain], *, steps: int, told: Callable[[int, float], None]
) -> Additions:
    """Learn from some domains, one of them a step; `told` learns the step and its loss."""
    generator = np.random.default_rng(SEED)
    additions = minimise(
        _meaning_loss,
        first_additions(LAYERS),
        _meaning_batches(domains, generator),
        steps=steps,
        told=told,
    )
    return as_arrays(additions)


def _meaning_batches(
    domains: Sequence[Domain], generator: np.random.Generator
) -> Iterator[Sequence[Array]]:
    sizes = np.array([domain.texts for domain in domains], float) ** _DRAWN
    while True:
        domain = domains[generator.choice(len(domains), p=sizes / sizes.sum())]
        texts, intents = _drawn(domain, generator)
        tokens, mask = padded(texts)
        yield lower(tokens, mask), mask, intents


def _meaning_loss(additions: Additions, states: Array, mask: Array, intents: Array) -> Array:
    vectors = upper(additions, states, mask, LAYERS)
    is_self = jnp.eye(len(intents))
    is_same = (intents[:, None] == intents[None]) * (1 - is_self)
    counts = is_same.sum(1)
    cosines = vectors @ vectors.T / _TEMPERATURE - is_self * 1e9
    likelihoods = cosines - jax.nn.logsumexp(cosines, 1, keepdims=True)
    of_each = (is_same * likelihoods).sum(1) / jnp.maximum(counts, 1)
    return -of_each.sum() / (counts > 0).sum()


def _drawn(
    domain: Domain, generator: np.random.Generator
) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Draw a batch: some of each of some intents, and some of none; always 128 texts."""
    foreign = generator.permutation(len(domain.foreign))[:_FOREIGN].tolist()
    own_texts = _MEANING_TEXTS - len(foreign)
    count = min(own_texts // _LEAST_OF_ONE, len(domain.intents))
    each = max(_LEAST_OF_ONE, -(-own_texts // count))
    drawn: list[Forms] = []
    labels: list[int] = []
    while len(drawn) < own_texts:
        for intent in generator.choice(len(domain.intents), count, replace=False).tolist():
            own = domain.intents[intent]
            places = generator.choice(len(own), min(each, len(own)), replace=False).tolist()
            drawn += [own[place] for place in places]
            labels += [intent] * len(places)
    drawn = [*drawn[:own_texts], *(domain.foreign[place] for place in foreign)]
    labels = [*labels[:own_texts], *(-1 - place for place in foreign)]
    texts = [forms[0 if generator.random() < _BY_KIND else 1] for forms in drawn]
    return texts, np.array(labels, np.int32)


_LAYERS = 4
"""Of the network, the last one with additions. Measured on eight domains of authors whose talk was
not learnt from: AUROC with the signs .945, .947 and .946 with four, five and six; each layer more
costs every text that is no order."""
_MANNER_TEXTS, _AT_ONCE = 64, 4
"""In a batch, and batches drawn together: each gets texts of about one length, to pad little."""
_STEEP = 10.0
"""Log odds at most a vector of length 1 is taken to, before what is learnt of it."""
_PENALTY = 1e-4
_BEYOND = "out_of_scope"
"""A wish that no action of its domain covers: how it is said, it is as good as any."""


def learn_manner(
    said: Sequence[TalkText], *, steps: int, told: Callable[[int, float], None]
) -> Additions:
    """Learn from texts that the grammar leaves open; `told` learns the step and its loss."""
    learnt = [one for one in said if one.kind != _BEYOND]
    additions, _weights, _constant = minimise(
        _manner_loss,
        (first_additions(_LAYERS), jnp.zeros(WIDTH), jnp.zeros(())),
        _manner_batches(learnt, np.random.default_rng(SEED)),
        steps=steps,
        told=told,
    )
    return as_arrays(additions)


def _manner_loss(parameters: Any, states: Array, mask: Array, wanted: Array) -> Array:
    additions, weights, constant = parameters
    odds = _STEEP * upper(additions, states, mask, _LAYERS) @ weights + constant
    found = optax.sigmoid_binary_cross_entropy(odds, wanted).mean()
    return found + _PENALTY * (weights**2).sum()


def _manner_batches(
    said: Sequence[TalkText], generator: np.random.Generator
) -> Iterator[Sequence[Array]]:
    shares = _shares(said)
    while True:
        places = generator.choice(len(said), _MANNER_TEXTS * _AT_ONCE, p=shares).tolist()
        drawn = sorted((said[place] for place in places), key=lambda one: len(one.text))
        for part in generator.permutation(_AT_ONCE).tolist():
            batch = drawn[part * _MANNER_TEXTS : (part + 1) * _MANNER_TEXTS]
            tokens, mask = padded([one.text for one in batch])
            wanted = np.array([one.is_wanted for one in batch], np.float32)
            yield lower(tokens, mask), mask, wanted


def _shares(said: Sequence[TalkText]) -> npt.NDArray[np.float64]:
    """Draw from each domain, wishes and talk, as the square root of how many there are."""
    counts = Counter((one.domain, one.is_wanted) for one in said)
    shares = np.array([counts[one.domain, one.is_wanted] ** -0.5 for one in said])
    return np.asarray(shares / shares.sum(), float)
