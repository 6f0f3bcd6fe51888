"""Play a stream through the real Executive: the model is asked over HTTP, the user rates."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import Field

from evals.loopback.server import OpenAIServer
from evals.playground import Playground
from evals.simulation.people import ScriptedModel, SimulatedUser
from evals.simulation.world import Happening
from evals.speaking.cli import PLAIN
from state.event import Event
from state.heuristic import Feedback, Rating
from state.model_use import ModelUse
from state.noun import Noun
from state.principal import Principal
from state.salience import SalienceVector
from state.strategy import StrategyName

STARTS_AT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
A_DAY = 20
"""Events a day, each day in a session of its own: what one session says again counts less."""
BETWEEN = timedelta(minutes=36)
USER = Principal(user="ines", tenant_id="default", roles=())

RELEVANT = SalienceVector(goal_relevance=0.79, opportunity=0.79)
"""Clear of the band in which a model is asked whether to speak, and below hybrid's stake."""
MATTERS = SalienceVector(goal_relevance=0.9)


class Came(Noun):
    """What came of one event."""

    number: int
    pattern: str | None
    text: str
    wanted: str
    said: str
    path: str = Field(description="heuristic: it was said alone, without a model")
    calls: int = Field(description="requests to the model server because of it")
    right: bool
    rating: Rating | None
    seconds: float = Field(default=0.0, description="what deciding took, by the wall clock")
    models: tuple[ModelUse, ...] = ()


async def play(
    happenings: Iterable[Happening],
    model: ScriptedModel,
    user: SimulatedUser,
    *,
    strategy: StrategyName = "heuristic_first",
    learnt: Path | None = None,
    words_only: bool = False,
    told: Callable[[int], None] = lambda _number: None,
) -> tuple[Came, ...]:
    """Play a stream on a fresh folder.

    Args:
        strategy: decides every session.
        learnt: where what is learnt from the pack is kept.
        words_only: compare by words alone, without the encoder.
        told: hears the number of each event that is done.
    """
    settings: dict[str, object] = {"decision_strategy": strategy}
    if words_only:
        settings["embedder"] = "none"
    if learnt is not None:
        settings["cache_dir"] = learnt
    came: list[Came] = []
    with OpenAIServer(model.rule) as server:
        settings |= {"model": "scripted", "model_base_url": server.base_url}
        playground = Playground((str(PLAIN),), STARTS_AT, settings=settings)
        try:
            await playground.open()
            for now in happenings:
                model.now = now
                came.append(await _played(playground, now, user, server))
                told(now.number)
        finally:
            await playground.close()
    return tuple(came)


async def _played(
    playground: Playground, now: Happening, user: SimulatedUser, server: OpenAIServer
) -> Came:
    day, hour = divmod(now.number - 1, A_DAY)
    await playground.move_to(STARTS_AT + timedelta(days=day) + hour * BETWEEN)
    before = len(server.asked)
    decided = await playground.decide(
        Event(
            event_id=f"event-{now.number}",
            source=now.source,
            text=now.text,
            session_id=f"day-{day}",
            salience=MATTERS if now.matters else RELEVANT,
            occurred_at=playground.clock.now(),
        )
    )
    record = decided.record
    rating = user.rating(now, record.text) if record.response_id and record.spoke else None
    if rating is not None:
        given = Feedback(
            response_id=record.response_id or "",
            rating=rating,
            attribution="wrong_answer" if rating == "bad" else None,
        )
        await playground.executive.rating.rate(USER, given)
    return Came(
        number=now.number,
        pattern=now.pattern,
        text=now.text,
        wanted=now.wanted,
        said=record.text,
        path=record.path.value if record.path else "",
        calls=len(server.asked) - before,
        right=record.text == now.wanted,
        rating=rating,
        seconds=decided.seconds,
        models=record.models,
    )
