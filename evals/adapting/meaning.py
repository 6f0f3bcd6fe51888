"""Learn the additions: texts of one intent come together, those of its neighbours apart.

Source of the loss: supervised contrastive learning (Khosla et al., 2020), with the other texts of a
batch, all of one domain, as what to keep apart from.
"""

from collections.abc import Callable, Iterator, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from evals.adapting.minimising import minimised
from evals.adapting.network import (
    SEED,
    Additions,
    Array,
    as_arrays,
    first_additions,
    lower,
    padded,
    upper,
)
from evals.adapting.requests import Domain, Forms
from tools.embedding.architecture import LAYERS

_TEXTS, _LEAST_OF_ONE = 128, 2
"""In a batch, and of one intent in it."""
_FOREIGN = 12
"""Texts in a batch that no intent covers: they come near none, and near each other neither."""
_TEMPERATURE = 0.07
_BY_KIND = 0.6
"""Share of the texts in which things stand as their kinds, as the router gives them."""
_DRAWN = 0.5
"""Domains are drawn as the square root of how many texts they have."""


def learn_meaning(
    domains: Sequence[Domain],
    *,
    steps: int,
    told: Callable[[int, float], None] = lambda _step, _loss: None,
) -> Additions:
    """Learn from some domains, one of them a step; `told` learns the step and its loss."""
    generator = np.random.default_rng(SEED)
    additions = minimised(
        _loss,
        first_additions(LAYERS),
        _batches(domains, generator),
        steps=steps,
        told=told,
    )
    return as_arrays(additions)


def _batches(
    domains: Sequence[Domain], generator: np.random.Generator
) -> Iterator[Sequence[Array]]:
    sizes = np.array([domain.texts for domain in domains], float) ** _DRAWN
    while True:
        domain = domains[generator.choice(len(domains), p=sizes / sizes.sum())]
        texts, intents = _drawn(domain, generator)
        tokens, mask = padded(texts)
        yield lower(tokens, mask), mask, intents


def _loss(additions: Additions, states: Array, mask: Array, intents: Array) -> Array:
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
    own_texts = _TEXTS - len(foreign)
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
