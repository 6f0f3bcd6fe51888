"""Make a loss small: Adam, with a warm-up and a slow end."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import optax

from evals.adapting.network import Array

_RATE, _WARM_UP = 1e-3, 30


def minimised(
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
