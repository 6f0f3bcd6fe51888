"""Learn the additions by which texts that want something now stand apart from all other talk."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

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
from evals.wishes.rows import Said
from tools.embedding.architecture import WIDTH

_LAYERS = 4
"""Of the network, the last one with additions. Measured on eight domains of authors whose talk was
not learnt from: AUROC with the signs .945, .947 and .946 with four, five and six; each layer more
costs every text that is no order."""
_TEXTS, _AT_ONCE = 64, 4
"""In a batch, and batches drawn together: each gets texts of about one length, to pad little."""
_STEEP = 10.0
"""Log odds at most a vector of length 1 is taken to, before what is learnt of it."""
_PENALTY = 1e-4
_BEYOND = "out_of_scope"
"""A wish that no action of its domain covers: how it is said, it is as good as any."""


def learn_manner(
    said: Sequence[Said],
    *,
    steps: int,
    told: Callable[[int, float], None] = lambda _step, _loss: None,
) -> Additions:
    """Learn from texts that the grammar leaves open; `told` learns the step and its loss."""
    learnt = [one for one in said if one.kind != _BEYOND]
    additions, _weights, _constant = minimised(
        _loss,
        (first_additions(_LAYERS), jnp.zeros(WIDTH), jnp.zeros(())),
        _batches(learnt, np.random.default_rng(SEED)),
        steps=steps,
        told=told,
    )
    return as_arrays(additions)


def _loss(parameters: Any, states: Array, mask: Array, wanted: Array) -> Array:
    additions, weights, constant = parameters
    odds = _STEEP * upper(additions, states, mask, _LAYERS) @ weights + constant
    found = optax.sigmoid_binary_cross_entropy(odds, wanted).mean()
    return found + _PENALTY * (weights**2).sum()


def _batches(said: Sequence[Said], generator: np.random.Generator) -> Iterator[Sequence[Array]]:
    shares = _shares(said)
    while True:
        places = generator.choice(len(said), _TEXTS * _AT_ONCE, p=shares).tolist()
        drawn = sorted((said[place] for place in places), key=lambda one: len(one.text))
        for part in generator.permutation(_AT_ONCE).tolist():
            batch = drawn[part * _TEXTS : (part + 1) * _TEXTS]
            tokens, mask = padded([one.text for one in batch])
            wanted = np.array([one.is_wanted for one in batch], np.float32)
            yield lower(tokens, mask), mask, wanted


def _shares(said: Sequence[Said]) -> npt.NDArray[np.float64]:
    """Draw from each domain, wishes and talk, as the square root of how many there are."""
    counts = Counter((one.domain, one.is_wanted) for one in said)
    shares = np.array([counts[one.domain, one.is_wanted] ** -0.5 for one in said])
    return np.asarray(shares / shares.sum(), float)
