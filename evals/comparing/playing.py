"""Answer the same cases by each strategy: of a dataset, or of the household that learns."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evals.comparing.figures import Scored, scored
from evals.dataset import Case, Dataset
from evals.evaluators.action_accuracy import action_accuracy
from evals.evaluators.speaking_accuracy import speaking_accuracy
from evals.loopback.script import Rule
from evals.loopback.server import OpenAIServer
from evals.simulation.people import ScriptedModel, SimulatedUser
from evals.simulation.playing import A_DAY, play
from evals.simulation.world import Happening, World, read_world, stream
from evals.target import open_target
from graph.settings import Settings
from state.errors import BadInput
from state.model_use import ModelUse
from state.strategy import StrategyName

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
) -> tuple[Scored, ...]:
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
) -> tuple[Scored, ...]:
    """Play the household of `evals simulate`: what is learned on the way counts."""
    world: World = read_world()
    happenings: Sequence[Happening] = list(
        stream(world, events, seed=seed, once=0.1, changed=frozenset(), turns_at=events + 1)
    )
    model, user = ScriptedModel(world, seed, 0.08), SimulatedUser(seed, 0.8, 0.02)
    playing = play(
        happenings,
        model,
        user,
        strategy=strategy,
        learnt=learnt,
        words_only=words_only,
        told=told,
    )
    return tuple(
        scored(
            str(one.number),
            f"day {(one.number - 1) // A_DAY}",
            one.models,
            right=one.right,
            seconds=one.seconds,
        )
        for one in asyncio.run(playing)
    )


def _scored(case: Case, unit: str, outputs: Mapping[str, Any], judge: Callable[..., Any]) -> Scored:
    reference = {"read_only": (), **case.outputs}
    return scored(
        case.id,
        unit,
        [ModelUse.model_validate(one) for one in outputs["models"]],
        right=judge(outputs, reference)["score"] == 1,
        seconds=outputs["seconds"],
    )
