"""`prefrontal evals adapt`: fit the encoder's additions on texts of many domains; needs JAX."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Protocol

import numpy as np
import typer
from rich.progress import Progress

from api.cli.terminal import ERR, OUT
from evals.runner.options import app
from evals.training.actionability_data import (
    LEFT_OUT,
    MANNER_UNSEEN,
    NONE,
    SYNTHETIC_DOMAINS,
    TalkText,
    read_texts,
    talk_texts,
)
from state.errors import BadInput
from tools.adapters.embedding.minilm_weights import (
    MANNER,
    MEANING,
    Matrix,
    read_adapter,
    write_adapter,
)
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.nlu.intents.utterance import UtteranceParser

PACKS = ("vessel", "research")
"""With examples enough; what they say of things they name is learnt by name and by kind."""

Forms = tuple[str, str]
"""A text with each thing as its kind, and with things by their names."""


@dataclass(frozen=True)
class Domain:
    """The texts of one domain; those of one intent mean the same to its assistant."""

    name: str
    intents: Sequence[Sequence[Forms]]
    foreign: Sequence[Forms] = ()
    """What none of them covers: it is to lie apart from all."""

    @property
    def texts(self) -> int:
        """Count them."""
        return sum(map(len, self.intents))


def domains() -> list[Domain]:
    """Read all that is learnt from."""
    files = sorted(SYNTHETIC_DOMAINS.glob("*.txt"))
    return [*(_plain(file.stem, read_texts(file)) for file in files), *map(_of_pack, PACKS)]


def _plain(name: str, texts: Mapping[str, Sequence[str]]) -> Domain:
    forms = {intent: [(text, text) for text in own] for intent, own in texts.items()}
    foreign = forms.pop(NONE, [])
    return Domain(name, list(forms.values()), foreign)


def _of_pack(name: str) -> Domain:
    catalogue = Catalogue.of([load_pack(find_pack(name))])
    reader = UtteranceParser(catalogue)
    intents = [list(_read(reader, action.examples)) for action in catalogue.actions.values()]
    return Domain(name, [texts for texts in intents if texts])


def _read(reader: UtteranceParser, texts: Sequence[str]) -> Iterator[Forms]:
    for text in texts:
        learnt = reader.example(text)
        yield learnt.said, learnt.plain


_SHIPPED = {"meaning": 600, "manner": 500}
"""Steps by which what ships was learnt, from the seed 0."""
_SAID_EVERY = 50
"""Steps."""
_Additions = Mapping[str, tuple[Matrix, Matrix]]


class _Learn(Protocol):
    """Learns so many steps; `told` learns each step and its loss."""

    def __call__(self, *, steps: int, told: Callable[[int, float], None]) -> _Additions: ...


@app.command(epilog="Example: prefrontal evals adapt manner --write")
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
        from evals.training.encoder_adapter import learn_manner, learn_meaning
    except ImportError as error:
        raise BadInput(f"{error}; it is needed to learn: pip install jax optax") from error
    steps = steps or _SHIPPED[what]
    if what == "meaning":
        listed = domains()
        OUT.print(f"{sum(one.texts for one in listed):,} texts of {len(listed)} domains")
        _learn(partial(learn_meaning, listed), MEANING, steps, write=write)
        return
    for file, texts in training_digest(talk_texts()).items():
        OUT.print(f"{len(texts):,} texts of {len({one.domain for one in texts})} domains")
        _learn(partial(learn_manner, texts), file, steps, write=write)


def training_digest(said: Iterable[TalkText]) -> Mapping[Path, Sequence[TalkText]]:
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
