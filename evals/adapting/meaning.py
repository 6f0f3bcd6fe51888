"""Learn the additions: texts of one intent come together, those of its neighbours apart.

Source of the loss: supervised contrastive learning (Khosla et al., 2020), with the other texts of a
batch, all of one domain, as what to keep apart from.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from evals.adapting.network import Additions, Array, first_additions, lower, padded, upper
from evals.adapting.requests import Domain, Forms
from tools.embedding.minilm_graph import LAYERS

_RANK = 8
_TEXTS, _LEAST_OF_ONE = 128, 2
"""In a batch, and of one intent in it."""
_FOREIGN = 12
"""Texts in a batch that no intent covers: they come near none, and near each other neither."""
_TEMPERATURE = 0.07
_RATE, _WARM_UP = 1e-3, 30
_BY_KIND = 0.6
"""Share of the texts in which things stand as their kinds, as the router gives them."""
_DRAWN = 0.5
"""Domains are drawn as the square root of how many texts they have."""


def learn_meaning(
    domains: Sequence[Domain],
    *,
    steps: int,
    seed: int = 0,
    told: Callable[[int, float], None] = lambda _step, _loss: None,
) -> Additions:
    """Learn from some domains, one of them a step; `told` learns the step and its loss."""
    generator = np.random.default_rng(seed)
    sizes = np.array([domain.texts for domain in domains], float) ** _DRAWN
    additions: Additions = first_additions(_RANK, LAYERS, seed)
    rate = optax.warmup_cosine_decay_schedule(0, _RATE, _WARM_UP, steps)
    optimizer = optax.adam(rate)
    state = optimizer.init(additions)
    gradient = jax.value_and_grad(_loss)

    def step(additions: Additions, state: Any, *batch: Array) -> tuple[Additions, Any, Array]:
        loss, slope = gradient(additions, *batch)
        change, state = optimizer.update(slope, state, additions)
        return optax.apply_updates(additions, change), state, loss

    compiled = jax.jit(step)
    for number in range(1, steps + 1):
        domain = domains[generator.choice(len(domains), p=sizes / sizes.sum())]
        texts, intents = _drawn(domain, generator)
        tokens, mask = padded(texts)
        additions, state, loss = compiled(additions, state, lower(tokens, mask), mask, intents)
        told(number, float(loss))
    return {name: (np.asarray(down), np.asarray(up)) for name, (down, up) in additions.items()}


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
