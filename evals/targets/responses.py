"""Answer cases about what is said.

Rated answers of each strategy, and wordings by skills and traits.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from evals.loopback.openai_server import OpenAIServer, Rule
from evals.runner.datasets import Dataset, Lesson, RatedInputs, WordingInputs
from graph.replay.harness import Harness, HarnessDecision
from state.event import Event
from state.heuristic import Feedback, Rating
from state.principal import Principal
from state.salience import SalienceVector
from state.session import Session
from state.strategy import StrategyName
from tools.adapters.chat_model import OpenAIChat
from tools.catalog.pack import find_pack, load_pack
from tools.response.llm_phrasing import MODEL, Phraser, realize_with_model
from tools.response.skills import Intent, SkillSelection

DRAWS = 8
"""Seeds a case: which line is said and whether a style shows is drawn from the decision's id."""
_SECONDS = 10.0


@contextmanager
def wordings(
    dataset: Dataset, pack: str | None, _learnt: Path | None
) -> Iterator[Any]:  # an Answer of target.py
    """Word by the pack's own skills; a model is one on loopback that says what the case has."""
    skills = SkillSelection.of([load_pack(find_pack(pack or dataset.header.pack))])
    with OpenAIServer() as server, asyncio.Runner() as runner:
        model = OpenAIChat("scripted", base_url=server.base_url, api_key=None, seconds=_SECONDS)

        def answer(inputs: dict[str, Any]) -> dict[str, Any]:
            case = WordingInputs.model_validate(inputs)
            server.rules[:] = [Rule(says={"say": case.model_says or ""})]
            phraser = Phraser(model, _SECONDS) if case.model_says is not None else None
            return runner.run(_worded(case, skills, phraser))

        try:
            yield answer
        finally:
            runner.run(model.close())


async def _worded(
    case: WordingInputs, skills: SkillSelection, phraser: Phraser | None
) -> dict[str, Any]:
    blank = Session(
        tenant_id="default",
        session_id="evals",
        traits=case.traits,
        skills=dict.fromkeys(case.loaded, "loaded"),
    )
    context = skills.context_of(case.event, blank)
    speaking = skills.speaking(blank.model_copy(update={"active_context": context}))
    said = []
    for draw in range(1 if phraser else DRAWS):
        intent = Intent(case.event, case.kind, case.says, case.traits, f"{case.says} {draw}")
        said.append(await realize_with_model(phraser, intent, speaking))
    return {
        "said": sorted({one.text for one in said}),
        "spoke": sorted({name for one in said for name in one.spoke}),
        "kept_plain": sorted({told for one in said for told in one.kept_plain}),
        "by_model": any(MODEL in one.spoke for one in said),
    }


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

    def __init__(self, playground: Harness) -> None:
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

    async def _happens(
        self, text: str, source: str, tenant: str, stake: float = _CLEAR
    ) -> HarnessDecision:
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
