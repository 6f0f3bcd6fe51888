"""`prefrontal evals adapt`: learn what is added to the encoder so that it tells requests apart."""

from typing import Annotated

import typer
from rich.progress import Progress

from evals.adapting.requests import domains
from graph.cli.terminal.console import ERR, OUT
from state.errors import BadInput
from tools.embedding.adapter import FILE, shipped_adapter, write_adapter

EXAMPLE = "Example: prefrontal evals adapt --steps 1200 --write"
_SAID_EVERY = 50
"""Steps."""


def adapt(
    steps: Annotated[int, typer.Option(min=1, help="Batches of 128 texts.")] = 1000,
    write: Annotated[
        bool, typer.Option("--write", help="Replace the adapter that ships; else only learn.")
    ] = False,
) -> None:
    """Learn the adapter from 36 invented domains and the examples of the packs.

    Takes about a second a step on two cores, and JAX, which nothing else here needs: `pip install
    jax optax`. Afterwards `prefrontal evals wishes --write`: what it learns hears this encoder.
    """
    try:
        from evals.adapting.training import learn
    except ImportError as error:
        raise BadInput(f"{error}; it is needed to learn: pip install jax optax") from error
    listed = domains()
    OUT.print(f"{sum(one.texts for one in listed):,} texts of {len(listed)} domains")
    losses: list[float] = []
    with Progress(console=ERR, transient=True) as progress:
        task = progress.add_task("learning", total=steps)

        def told(step: int, loss: float) -> None:
            losses.append(loss)
            progress.update(task, completed=step)
            if step % _SAID_EVERY == 0:
                mean = sum(losses[-_SAID_EVERY:]) / len(losses[-_SAID_EVERY:])
                OUT.print(f"step {step}: loss {mean:.3f}")

        additions = learn(listed, steps=steps, told=told)
    if write:
        write_adapter(additions)
        shipped_adapter.cache_clear()
        OUT.print(f"{FILE.name} written: {shipped_adapter().name}")
