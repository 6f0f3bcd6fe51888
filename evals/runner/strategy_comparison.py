"""Answer the same cases by each response strategy and compare accuracy, model calls and cost."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import Field

from evals.evaluators.attention import speaking_accuracy
from evals.evaluators.routing import action_accuracy
from evals.loopback.openai_server import OpenAIServer, Rule
from evals.runner.datasets import Case, Dataset
from evals.runner.measures import Interval, bootstrap
from evals.simulation.household import (
    Happening,
    ScriptedModel,
    SimulatedUser,
    World,
    read_world,
    stream,
)
from evals.simulation.simulate import A_DAY, play_household
from evals.targets.target import open_target
from graph.settings import Settings
from state.errors import BadInput
from state.model_use import ModelUse
from state.noun import Noun
from state.strategy import StrategyName


class StrategyCase(Noun):
    """One case under one strategy."""

    case: str
    unit: str = Field(description="cases of one unit depend on each other")
    right: bool
    calls: int
    seconds: float
    tokens: int
    cost: float


class Figure(Noun):
    """A mean over the cases, and what it differs by from the first strategy's on the same cases."""

    mean: float
    interval: Interval | None
    differs: float | None = Field(default=None, description="null: this is the first strategy")
    differs_interval: Interval | None = None


class StrategyFigures(Noun):
    """One strategy summed up."""

    strategy: StrategyName
    cases: int
    figures: Mapping[str, Figure]


MEASURES: Mapping[str, Callable[[StrategyCase], float]] = {
    "right": lambda one: float(one.right),
    "calls": lambda one: float(one.calls),
    "milliseconds": lambda one: one.seconds * 1_000,
    "tokens": lambda one: float(one.tokens),
    "cost": lambda one: one.cost,
}
"""By name; each is a mean of a case."""


def score_case(
    case: str, unit: str, models: Sequence[ModelUse], *, right: bool, seconds: float
) -> StrategyCase:
    """Sum one case up; a model that rests after failures was not called."""
    return StrategyCase(
        case=case,
        unit=unit,
        right=right,
        calls=sum(use.end != "resting" for use in models),
        seconds=seconds,
        tokens=sum(use.input_tokens + use.output_tokens for use in models),
        cost=sum(use.cost for use in models),
    )


def compare_strategies(
    found: Mapping[StrategyName, Sequence[StrategyCase]],
) -> tuple[StrategyFigures, ...]:
    """Put strategies side by side; each answered the same cases in the same order."""
    first = next(iter(found))
    return tuple(
        StrategyFigures(
            strategy=strategy,
            cases=len(cases),
            figures={
                name: _figure(cases, None if strategy == first else found[first], of)
                for name, of in MEASURES.items()
            },
        )
        for strategy, cases in found.items()
    )


def _figure(
    cases: Sequence[StrategyCase],
    others: Sequence[StrategyCase] | None,
    of: Callable[[StrategyCase], float],
) -> Figure:
    values = [of(one) for one in cases]
    units = [one.unit for one in cases]
    figure = Figure(mean=sum(values) / len(values), interval=bootstrap(_grouped(units, values)))
    if others is None:
        return figure
    differences = [value - of(other) for value, other in zip(values, others, strict=True)]
    update = {
        "differs": sum(differences) / len(differences),
        "differs_interval": bootstrap(_grouped(units, differences)),
    }
    return figure.model_copy(update=update)


def _grouped(units: Sequence[str], values: Sequence[float]) -> list[list[float]]:
    pairs = zip(units, values, strict=True)
    return [
        [value for _unit, value in group] for _unit, group in groupby(pairs, lambda one: one[0])
    ]


SCRIPTED = "scripted"
_DEFERS: Mapping[str, Any] = {  # a ModelAnswer
    "action": None,
    "arguments": [],
    "predicted_success": 0.5,
    "confidence": 0.5,
    "say": "That I cannot tell.",
}
_JUDGES = {"requests": action_accuracy, "streams": speaking_accuracy}


@contextmanager
def answering_model() -> Iterator[Mapping[str, Any]]:  # by setting
    """Yield the settings that lead to the model which is set, or to a scripted one on loopback."""
    if Settings().model is not None:
        yield {}
        return
    with OpenAIServer(Rule(says=_DEFERS)) as server:
        yield {"model": SCRIPTED, "model_base_url": server.base_url}


def on_dataset(
    dataset: Dataset,
    strategy: StrategyName,
    model: Mapping[str, Any],
    *,
    pack: str | None = None,
    learnt: Path,
    told: Callable[[], None],
) -> tuple[StrategyCase, ...]:
    """Answer every case of a dataset on a fresh folder.

    Raises:
        BadInput: nothing in the dataset is decided.
    """
    judge = _JUDGES.get(dataset.header.target)
    if judge is None:
        raise BadInput(f"{dataset.name} asks for no decision, so no strategy makes a difference")
    given = {**model, "decision_strategy": strategy}
    with open_target(dataset, pack=pack, learnt=learnt, told=told, given=given) as answer:
        return tuple(
            _scored(case, dataset.unit_of(case), answer(dict(case.inputs)), judge)
            for case in dataset.cases
        )


def on_household(
    events: int,
    seed: int,
    strategy: StrategyName,
    *,
    learnt: Path,
    told: Callable[[int], None],
    words_only: bool = False,
) -> tuple[StrategyCase, ...]:
    """Play the household of `evals simulate`: what is learned on the way counts."""
    world: World = read_world()
    happenings: Sequence[Happening] = list(
        stream(world, events, seed=seed, once=0.1, changed=frozenset(), turns_at=events + 1)
    )
    model, user = ScriptedModel(world, seed, 0.08), SimulatedUser(seed, 0.8, 0.02)
    playing = play_household(
        happenings,
        model,
        user,
        strategy=strategy,
        learnt=learnt,
        words_only=words_only,
        told=told,
    )
    return tuple(
        score_case(
            str(one.number),
            f"day {(one.number - 1) // A_DAY}",
            one.models,
            right=one.right,
            seconds=one.seconds,
        )
        for one in asyncio.run(playing)
    )


def _scored(
    case: Case, unit: str, outputs: Mapping[str, Any], judge: Callable[..., Any]
) -> StrategyCase:
    reference = {"read_only": (), **case.outputs}
    return score_case(
        case.id,
        unit,
        [ModelUse.model_validate(one) for one in outputs["models"]],
        right=judge(outputs, reference)["score"] == 1,
        seconds=outputs["seconds"],
    )
