"""What a strategy says after lessons: answers of a model that people called good or bad."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from evals.inputs import Lesson, RatedInputs
from evals.loopback.script import Rule
from evals.loopback.server import OpenAIServer
from evals.playground import Decided, Playground
from state.event import Event
from state.heuristic import Feedback, Rating
from state.principal import Principal
from state.salience import SalienceVector
from state.strategy import StrategyName

_LATER = timedelta(hours=1)
_CLEAR = 0.79
"""Clear of the band in which a model is asked whether to speak, and below hybrid's stake."""
_SURE: Mapping[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.8,
    "confidence": 0.8,
}


class Ratings:
    """Teaches each case to a tenant of its own, by a scripted model on loopback; then looks."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._numbers = count(1)
        self._server = playground.lasting.enter_context(OpenAIServer())
        self._strategy: StrategyName | None = None

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play the lessons, and then what is asked; tell who answered it and what."""
        case, tenant = RatedInputs.model_validate(inputs), f"case-{next(self._numbers)}"
        await self._decide_by(case.strategy)
        for lesson in case.lessons:
            self._model_says(lesson.answer)
            for rating in lesson.ratings:
                await self._taught(lesson, rating, tenant)
        for user in case.company:
            await self._says_something(user, tenant)
        self._model_says(case.model_says)
        before = len(self._server.asked)
        decided = await self._happens(case.text, case.source, tenant, case.stake)
        record = decided.record
        return {
            "said": record.text if record.spoke else "",
            "path": record.path.value if record.path else None,
            "outcome": record.outcome,
            "reason": record.reason,
            "calls": len(self._server.asked) - before,
            "seconds": decided.seconds,
            "models": [use.model_dump(mode="json") for use in record.models],
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in decided.ran],
        }

    async def _decide_by(self, strategy: StrategyName) -> None:
        """Start anew where another strategy decides from here on."""
        if strategy == self._strategy:
            return
        self._strategy = strategy
        self._playground.settings = {
            **self._playground.settings,
            "model": "scripted",
            "model_base_url": self._server.base_url,
            "decision_strategy": strategy,
        }
        await self._playground.open()

    def _model_says(self, answer: str) -> None:
        self._server.rules[:] = [Rule(says={**_SURE, "say": answer})]

    async def _taught(self, lesson: Lesson, rating: Rating, tenant: str) -> None:
        record = (await self._happens(lesson.text, lesson.source, tenant)).record
        if record.response_id is None or not record.spoke:
            return
        given = Feedback(
            response_id=record.response_id,
            rating=rating,
            attribution="wrong_answer" if rating == "bad" else None,
        )
        who = Principal(user=lesson.by, tenant_id=tenant, roles=("player",))
        await self._playground.executive.rating.rate(who, given)

    async def _says_something(self, user: str, tenant: str) -> None:
        """Have somebody heard in the session where it is going to happen."""
        there = self._session(self._playground.clock.now() + _LATER)
        await self._playground.decide(
            Event(
                kind="message",
                source="evals",
                text="show my notes",
                user=user,
                role="player",
                tenant_id=tenant,
                session_id=there,
            )
        )

    @staticmethod
    def _session(at: datetime) -> str:
        return f"at-{at:%m-%d-%H}"

    async def _happens(self, text: str, source: str, tenant: str, stake: float = _CLEAR) -> Decided:
        """Have something happen, an hour after what was before, in a session of its own."""
        clock = self._playground.clock
        await self._playground.move_to(clock.now() + _LATER)
        return await self._playground.decide(
            Event(
                source=source,
                text=text,
                tenant_id=tenant,
                session_id=self._session(clock.now()),
                salience=SalienceVector(goal_relevance=stake, opportunity=min(stake, _CLEAR)),
                occurred_at=clock.now(),
            )
        )
