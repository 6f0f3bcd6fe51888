"""Learn from a part of a pack's examples, and route what none of them says word for word."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, log2
from pathlib import Path
from random import Random
from types import MappingProxyType

import numpy as np
from pydantic import Field

from evals.dataset import Case, Dataset
from evals.inputs import RequestInputs
from evals.references import answers_of
from graph.assembly.toolbox import Toolbox
from graph.cli.route import routed_of
from graph.compose import build_toolbox
from graph.settings import Settings
from state.errors import BadInput
from state.event import Event
from state.noun import Noun
from tools.catalogue.catalogue import Catalogue
from tools.routing.router import Router
from tools.routing.words.normalise import words_of


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
