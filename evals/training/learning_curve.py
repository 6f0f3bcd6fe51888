"""`prefrontal evals curve`: routing accuracy by the share of a pack's examples that is learned."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, log2
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Annotated

import numpy as np
import typer
from pydantic import Field
from rich.box import SIMPLE_HEAD
from rich.table import Table

from api.cli.options import AsJson
from api.cli.route import routed_of
from api.cli.terminal import OUT, print_json, progress
from evals.evaluators.scoring import answers_of
from evals.runner.datasets import Case, Dataset, RequestInputs, find_datasets
from evals.runner.options import app
from graph.settings import Settings
from graph.wiring.composition import build_toolbox
from graph.wiring.toolbox import Toolbox
from state.errors import BadInput
from state.event import Event
from state.noun import Noun
from tools.catalog.action_catalog import Catalogue
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import words_of


class Point(Noun):
    """What a router is worth that knew a part of the examples."""

    share: float
    seed: int
    examples: int
    asked: int
    named: float = Field(description="the right action was named")
    first: float = Field(description="it was named, or stood first among what is only offered")


@dataclass(frozen=True)
class Asking:
    """A pack, and requests for its actions that stand in none of its examples."""

    box: Toolbox
    cases: Sequence[Case]

    def point(self, share: float, seed: int) -> Point:
        """Learn from so many of the examples of each action, and ask."""
        catalogue = thinned(self.box.catalogue, share, seed)
        router = Router(catalogue, embedder=self.box.hearing.encoder)
        named = first = 0
        for case in self.cases:
            wanted = {action for action, _class in answers_of(case.outputs)}
            action, shown = self._answer(case, router)
            named += action in wanted
            first += (action or shown) in wanted
        return Point(
            share=share,
            seed=seed,
            examples=_count(catalogue),
            asked=len(self.cases),
            named=named / len(self.cases),
            first=first / len(self.cases),
        )

    def _answer(self, case: Case, router: Router) -> tuple[str | None, str | None]:
        inputs = RequestInputs.model_validate(case.inputs)
        event = Event(text=inputs.text, kind="message", user=inputs.user, role=inputs.role)
        messages = replace(self.box.messages, router=router)
        routed = routed_of(event, messages.read(event), self.box.classifier)
        return routed.action, next((one.action for one in routed.alternatives), None)


@contextmanager
def asking(datasets: Sequence[Dataset], folder: Path) -> Iterator[Asking]:
    """Open the pack of some datasets, and take the test cases of them that want an action.

    Raises:
        BadInput: a dataset is blind, holds no messages or is of another pack, or nothing is left.
    """
    packs = {dataset.header.pack for dataset in datasets}
    if len(packs) != 1 or any(one.is_blind or one.header.target != "requests" for one in datasets):
        raise BadInput("a curve is drawn on messages for one pack that are not blind")
    settings = Settings(data_dir=folder, packs=tuple(packs), database_url=None)
    box = build_toolbox(settings)
    said = {_plain(text) for one in box.catalogue.actions.values() for text in one.examples}
    cases = [
        case
        for dataset in datasets
        for case in dataset.cases
        if case.metadata.get("split") == "test"
        and case.outputs["action"] is not None
        and _plain(str(case.inputs["text"])) not in said
    ]
    try:
        if not cases:
            raise BadInput("no test case wants an action and is no example of the pack")
        yield Asking(box, cases)
    finally:
        asyncio.run(box.database.close())


def thinned(catalogue: Catalogue, share: float, seed: int) -> Catalogue:
    """Leave so many of each action's examples, at least one, drawn by chance."""
    chance = Random(seed)  # noqa: S311 - the same draw again, not a secret
    actions = {}
    for name, action in catalogue.actions.items():
        kept = chance.sample(action.examples, ceil(share * len(action.examples)))
        actions[name] = action.model_copy(update={"examples": tuple(kept)})
    return replace(catalogue, actions=MappingProxyType(actions))


def gain_of_doubling(points: Sequence[Point]) -> float | None:
    """Fit a line through the shares named, by the logarithm of how many examples were known."""
    if len({one.examples for one in points}) < 2:
        return None
    doublings = [log2(one.examples) for one in points]
    return float(np.polyfit(doublings, [one.named for one in points], 1)[0])


def _count(catalogue: Catalogue) -> int:
    return sum(len(action.examples) for action in catalogue.actions.values())


def _plain(text: str) -> str:
    return " ".join(words_of(text))


@app.command(epilog="Example: prefrontal evals curve vessel_phrasings --share .5 --share 1")
def curve(
    names: Annotated[list[str], typer.Argument(metavar="DATASET...", help="Names or paths.")],
    share: Annotated[
        list[float] | None,
        typer.Option(help="Of the examples; give it several times. Default: .25, .5 and 1."),
    ] = None,
    draws: Annotated[
        int, typer.Option(min=1, help="Draw each part so often, with the next seed.")
    ] = 3,
    as_json: AsJson = False,
) -> None:
    """Learn from parts of a pack's examples, and see what a doubling of them is worth.

    Asked are the test cases that want an action and that no example says word for word. The whole
    is learnt once, as it has no other draw. Takes a minute or so a draw and ten thousand examples.
    """
    shares = share or [0.25, 0.5, 1.0]
    if not all(0 < one <= 1 for one in shares):
        raise BadInput("a share is above 0 and at most 1")
    plan = [(one, seed) for one in shares for seed in range(1, 1 + (draws if one < 1 else 1))]
    points = []
    with (
        TemporaryDirectory(prefix="prefrontal-evals-") as folder,
        asking(find_datasets(names), Path(folder)) as asked,
        progress("learning", len(plan)) as show,
    ):
        for one, seed in plan:
            points.append(asked.point(one, seed))
            show(len(points))
            if as_json:
                print_json(points[-1].model_dump(mode="json"))
    if not as_json:
        OUT.print(_table(points))


def _table(points: Sequence[Point]) -> Table:
    by_share: dict[float, list[Point]] = defaultdict(list)
    for one in points:
        by_share[one.share].append(one)
    gain = gain_of_doubling(points)
    told = "" if gain is None else f", {100 * gain:+.1f} points named a doubling"
    table = Table(box=SIMPLE_HEAD, title=f"{points[0].asked} messages{told}")
    for column in ("share", "examples", "named", "from", "to", "named or first offered"):
        table.add_column(column, justify="right")
    for share, drawn in by_share.items():
        named = [one.named for one in drawn]
        table.add_row(
            f"{share:.2f}",
            f"{mean(one.examples for one in drawn):.0f}",
            *(f"{value:.3f}" for value in (mean(named), min(named), max(named))),
            f"{mean(one.first for one in drawn):.3f}",
        )
    return table
