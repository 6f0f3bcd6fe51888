"""Fit the encoder's low-rank additions for intent and for dialogue act, in JAX.

Import it lazily: the product has no JAX.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from evals.training.actionability_data import Domain, Forms, TalkText
from evals.training.jax_minilm import (
    Additions,
    Array,
    as_arrays,
    embedded,
    first_additions,
    layer,
    minimise,
    tokenizer_of,
)
from tools.adapters.embedding.minilm_weights import LAYERS, MIDDLE_LAYER, WIDTH

_MOST_TOKENS, _STEP = 48, 8
"""Texts are cut there, and padded to a multiple: each length is compiled once."""
SEED = 0
_RANK = 8


_TOKENIZER = tokenizer_of(_MOST_TOKENS)


def _additions(layers: int) -> dict[str, tuple[Array, Array]]:
    return first_additions(range(MIDDLE_LAYER, layers), _RANK, SEED)


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
    states = embedded(tokens)
    for number in range(MIDDLE_LAYER):
        states = layer({}, states, mask, number)
    return states


def upper(additions: Additions, states: Array, mask: Array, layers: int) -> Array:
    """Give the adapted vectors: (texts, 384), unit length."""
    for number in range(MIDDLE_LAYER, layers):
        states = layer(additions, states, mask, number)
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


_LOWER = jax.jit(_lower)


_RATE, _WARM_UP = 1e-3, 30


def _optimizer(steps: int) -> optax.GradientTransformation:
    return optax.adam(optax.warmup_cosine_decay_schedule(0, _RATE, _WARM_UP, steps))


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
        _additions(LAYERS),
        _meaning_batches(domains, generator),
        _optimizer(steps),
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
        (_additions(_LAYERS), jnp.zeros(WIDTH), jnp.zeros(())),
        _manner_batches(learnt, np.random.default_rng(SEED)),
        _optimizer(steps),
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
