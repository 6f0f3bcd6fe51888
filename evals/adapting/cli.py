"""`prefrontal evals adapt`: learn what is added to the encoder so that it tells requests apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Protocol

import numpy as np
import typer
from rich.progress import Progress

from evals.adapting.requests import domains
from evals.wishes.rows import LEFT_OUT, MANNER_UNSEEN, Said, said_to_us
from graph.cli.terminal.console import ERR, OUT
from state.errors import BadInput
from tools.embedding.adapter import MANNER, MEANING, Matrix, read_adapter, write_adapter

EXAMPLE = "Example: prefrontal evals adapt manner --write"
_SHIPPED = {"meaning": 600, "manner": 500}
"""Steps by which what ships was learnt, from the seed 0."""
_SAID_EVERY = 50
"""Steps."""
_Additions = Mapping[str, tuple[Matrix, Matrix]]


class _Learn(Protocol):
    """Learns so many steps; `told` learns each step and its loss."""

    def __call__(self, *, steps: int, told: Callable[[int, float], None]) -> _Additions: ...


def adapt(
    what: Annotated[
        Literal["meaning", "manner"],
        typer.Argument(help="What is asked for, or whether anything is."),
    ],
    steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Batches: of 128 texts for meaning, of 64 for manner.",
            show_default="600 for meaning, 500 for manner",
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Replace the adapter that ships; else only learn.")
    ] = False,
) -> None:
    """Learn an adapter of the encoder from texts that were written for it.

    `meaning` learns from 36 invented domains and the examples of the packs, about a second a step
    on two cores. `manner` learns from talk, what wants something and what wants nothing, a third of
    a second a step, and does so twice: the first time without what is said to ten of the domains,
    so that `prefrontal evals wishes --write`, which comes afterwards, can judge what it is worth.
    Both need JAX, which nothing else here does: `pip install jax optax`.
    """
    try:
        from evals.adapting.manner import learn_manner
        from evals.adapting.meaning import learn_meaning
    except ImportError as error:
        raise BadInput(f"{error}; it is needed to learn: pip install jax optax") from error
    steps = steps or _SHIPPED[what]
    if what == "meaning":
        listed = domains()
        OUT.print(f"{sum(one.texts for one in listed):,} texts of {len(listed)} domains")
        _learn(partial(learn_meaning, listed), MEANING, steps, write=write)
        return
    for file, texts in learnt_from(said_to_us()).items():
        OUT.print(f"{len(texts):,} texts of {len({one.domain for one in texts})} domains")
        _learn(partial(learn_manner, texts), file, steps, write=write)


def learnt_from(said: Iterable[Said]) -> Mapping[Path, Sequence[Said]]:
    """Give what each adapter for manner learns from, by its file, in the order of learning."""
    shipped = [one for one in said if not one.is_kept_out]
    unseen = [one for one in shipped if one.domain not in LEFT_OUT]
    return {MANNER_UNSEEN: unseen, MANNER: shipped}


def _learn(learn: _Learn, file: Path, steps: int, *, write: bool) -> None:
    losses: list[float] = []
    with Progress(console=ERR, transient=True) as progress:
        task = progress.add_task("learning", total=steps)

        def told(step: int, loss: float) -> None:
            losses.append(loss)
            progress.update(task, completed=step)
            if step % _SAID_EVERY == 0:
                OUT.print(f"step {step}: loss {np.mean(losses[-_SAID_EVERY:]):.3f}")

        additions = learn(steps=steps, told=told)
    if write:
        write_adapter(additions, file)
        read_adapter.cache_clear()
        OUT.print(f"{file.name} written: {read_adapter(file).name}")
