"""Answer cases that take time, and cases about what is said.

Gated requests with people's answers, scenes of minutes, courses of days; answers after lessons that
people rated, and wordings by skills and traits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, get_args

from evals.dataset import (
    ApprovalInputs,
    Course,
    CourseStep,
    Dataset,
    Figure,
    Lesson,
    RatedInputs,
    SceneInputs,
    Step,
    WordingInputs,
)
from evals.loopback.openai_server import OpenAIServer, Rule
from graph.replay.harness import ExecutedAction, Harness, HarnessDecision
from state.approval import ApprovalAnswer
from state.errors import AgentError, BadInput
from state.event import Event
from state.heuristic import Feedback, Rating
from state.initiative import KEPT, InitiativeKind
from state.journal import JournalMessage
from state.principal import Principal
from state.reader import whole
from state.record import DecisionRecord
from state.response import MODEL, Intent
from state.salience import SalienceVector
from state.session import Session
from state.strategy import StrategyName
from tools.adapters import OpenAIChat
from tools.catalog import find_pack, load_pack
from tools.memory import RecallScope
from tools.response import Phraser, SkillSelection, realize_with_model

_NEVER_SHOWN = "0" * 64
_APPROVAL_TENANT = "default"


def message(text: str, user: str, role: str, **more: str) -> Event:
    """Return what a person says; `more` names the session, the tenant or the event."""
    said = {"text": text, "user": user, "role": role, **more}
    return Event.model_validate({"kind": "message", "source": "evals", **said})


def ran_of(ran: Iterable[ExecutedAction]) -> list[dict[str, Any]]:
    """Return what ran as evaluators see it."""
    return [one.model_dump(mode="json", exclude={"action_id"}) for one in ran]


def uses_of(record: DecisionRecord) -> list[dict[str, Any]]:
    """Return which models were asked, as evaluators see it."""
    return [use.model_dump(mode="json") for use in record.models]


class Approvals:
    """Asks for something, has people answer it, and looks into the ledger."""

    def __init__(self, playground: Harness) -> None:
        self._playground = playground
        self._numbers = count(1)
        self._stream: str | None = None

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play a case; those of a stream share a folder, and nothing is left waiting after one."""
        case = ApprovalInputs.model_validate(inputs)
        if case.stream != self._stream:
            await self._playground.open()
            self._stream = case.stream
            await self._prepare(case.before)
        number = next(self._numbers)
        asked = await self._says(case.text, case.user, case.role, number)
        ran, refused = list(asked.ran), 0
        for step in case.steps:
            await self._wait(step)
            if step.does == "say":
                ran += (await self._says(step.text, step.user, step.role, number)).ran
            else:
                refused += not await self._answers(asked.record.action_id, step)
                ran += (await self._playground.decided(asked.record)).ran
        outputs = {
            "outcome": asked.record.outcome,
            "action": asked.record.action,
            "execution_class": asked.record.execution_class,
            "state": await self._state(asked.record.action_id),
            "refused": refused,
            "seconds": asked.seconds,
            "ran": ran_of(ran),
        }
        await self._clear(asked.record.action_id)
        return outputs

    async def _prepare(self, steps: Sequence[Step]) -> None:
        """Have what a folder needs said and approved; an answer is to what was asked last."""
        action_id = None
        for step in steps:
            await self._wait(step)
            if step.does == "say":
                asked = await self._says(step.text, step.user, step.role, 0)
                action_id = asked.record.action_id or action_id
            else:
                await self._answers(action_id, step)
        await self._playground.forget_what_ran()

    async def _wait(self, step: Step) -> None:
        clock = self._playground.clock
        await self._playground.move_to(clock.now() + timedelta(seconds=step.after_seconds))

    async def _says(self, text: str, user: str, role: str, number: int) -> Any:  # a Decided
        session = f"session-{number}"
        return await self._playground.decide(message(text, user, role, session_id=session))

    async def _answers(self, action_id: str | None, step: Step) -> bool:
        """Tell whether an answer was taken."""
        if action_id is None or step.does == "say":
            return False
        executive = self._playground.executive
        who = Principal(user=step.user, tenant_id=step.tenant, roles=(step.role,))
        try:
            standing = await executive.approvals.get(action_id, _APPROVAL_TENANT)
            digest = _NEVER_SHOWN if step.is_blind else standing.digest
            answer = ApprovalAnswer(
                decision=step.does, digest=digest, typed=step.typed, arguments=step.arguments
            )
            await executive.approvals.answer(action_id, answer, who)
        except AgentError:
            return False
        return True

    async def _state(self, action_id: str | None) -> str | None:
        if action_id is None:
            return None
        return (await self._playground.executive.approvals.get(action_id, _APPROVAL_TENANT)).state

    async def _clear(self, action_id: str | None) -> None:
        """Refuse what still waits: the next case asks for the same thing."""
        if await self._state(action_id) == "pending":
            step = Step(does="reject", user="captain-of-the-evals", role="captain")
            await self._answers(action_id, step)


class Timings:
    """Plays each scene in a session and on a day of its own, and looks when one event was told."""

    def __init__(self, playground: Harness) -> None:
        self._playground = playground
        self._numbers = count(1)

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play a scene to its end; `told_at` is in seconds since its start."""
        scene = SceneInputs.model_validate(inputs)
        playground, number = self._playground, next(self._numbers)
        starts_at = playground.starts_at + timedelta(days=number)
        first: HarnessDecision | None = None
        for timed in scene.events:
            await playground.move_to(starts_at + timedelta(seconds=timed.at_seconds))
            decided = await playground.decide(_of_scene(timed.event, number))
            if timed.event.event_id == scene.judged:
                first = decided
            if timed.event.kind != "ambient":  # it may release what waits
                await playground.executive.resume_unfinished()
        await playground.move_to(playground.clock.now() + timedelta(seconds=scene.listen_seconds))
        if first is None:
            raise LookupError(f"the scene has no event {scene.judged}")
        trace = await playground.executive.records.trace(
            first.record.decision_id, first.record.tenant_id
        )
        record = trace.record
        told = record.spoke or record.reason.startswith("told_with:")
        after = (record.recorded_at - starts_at).total_seconds()
        return {
            "timing": first.record.timing,
            "told_at": round(after, 3) if told else None,
            "outcome": record.outcome,
            "reason": record.reason,
            "seconds": first.seconds,
            "models": uses_of(record),
            "ran": ran_of(first.ran),
        }


def _of_scene(event: Event, number: int) -> Event:
    return event.model_copy(
        update={"session_id": f"scene-{number}", "event_id": f"{number}-{event.event_id}"}
    )


_HOUR = timedelta(hours=1)
_CHAT = set(get_args(InitiativeKind)) - set(KEPT)
"""Reasons of what is said unasked and not owed to anybody; a reminder is."""
_TENANT, _SESSION = "default", "course"


class Courses:
    """Plays each course on a fresh folder, ticking as a service does, and measures one figure."""

    def __init__(self, playground: Harness) -> None:
        self._playground = playground
        self._numbers = count(1)
        self._measures: Mapping[Figure, Callable[[str], Awaitable[float]]] = {
            "unasked": self._unasked,
            "moved": self._moved,
            "wished": self._wished,
            "remembered": self._remembered,
            "recorded": self._recorded,
            "journal": self._journal,
        }

    async def answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:  # JSON of the case
        """Play a course to its end, keep house as once a day, and measure."""
        course = Course.model_validate(inputs)
        await self._playground.open()
        for step in course.steps:
            await self._play(step)
        await self._pass_to(self._at(course.ends_at_seconds))
        await self._playground.executive.maintenance.keep()
        return {
            "figure": await self._measures[course.figure](course.of),
            "ran": ran_of(await self._playground.all_ran()),
        }

    def _at(self, seconds: float) -> datetime:
        return self._playground.starts_at + timedelta(seconds=seconds)

    async def _play(self, step: CourseStep) -> None:
        for number in range(step.times):
            await self._pass_to(self._at(step.at_seconds + number * step.every_seconds))
            if step.event is not None:
                await self._happens(step.event)
            if step.said is not None:
                await self._import(step.said)

    async def _happens(self, event: Event) -> None:
        event_id = f"{event.event_id}-{next(self._numbers)}"
        await self._playground.decide(
            event.model_copy(update={"session_id": _SESSION, "event_id": event_id})
        )

    async def _import(self, said: JournalMessage) -> None:
        """Have the journal take a message in; one that it refuses is simply not there."""
        try:
            await self._playground.executive.journal.take([said], [], _TENANT)
        except BadInput:
            return

    async def _pass_to(self, instant: datetime) -> None:
        """Let time pass as a service's clock does, with every occasion to speak on the way."""
        executive, clock = self._playground.executive, self._playground.clock
        while (due := await executive.initiative.next_due(instant)) is not None and due <= instant:
            clock.move_to(max(due, clock.now()))
            if not await executive.release_due():
                break
        clock.move_to(max(instant, clock.now()))

    async def _unasked(self, _of: str) -> float:
        """Count what was said unasked in the last hour."""
        since = self._playground.clock.now() - _HOUR
        records = await self._decisions()
        return sum(one.spoke and one.reason in _CHAT and one.recorded_at > since for one in records)

    async def _moved(self, trait: str) -> float:
        """Tell how far circumstances move a trait now."""
        standing = await self._playground.executive.personality.standing(_TENANT, _SESSION)
        return float(getattr(standing.context_modifiers, trait))

    async def _wished(self, trait: str) -> float:
        """Tell how far a person's wish moves a trait now."""
        standing = await self._playground.executive.personality.standing(_TENANT, _SESSION)
        return float(getattr(standing.user_overrides, trait))

    async def _remembered(self, about: str) -> float:
        """Count what memory still holds about something."""
        found = await self._playground.executive.recall.about(
            about, RecallScope(_TENANT, _SESSION), limit=100
        )
        return len(found)

    async def _recorded(self, _of: str) -> float:
        """Count the decisions of the session that can still be explained."""
        return len(await self._decisions())

    async def _decisions(self) -> Sequence[DecisionRecord]:
        return await self._playground.executive.records.newest(
            _TENANT, session_id=_SESSION, limit=500
        )

    async def _journal(self, _of: str) -> float:
        """Count the decisions that the journal holds."""
        return len(await self._playground.executive.journal.store.all(whole(_TENANT)))


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
            "models": uses_of(record),
            "ran": ran_of(decided.ran),
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
        await self._playground.executive.feedback.rate(who, given)

    async def _says_something(self, user: str, tenant: str) -> None:
        """Have somebody heard in the session where it is going to happen."""
        there = self._session(self._playground.clock.now() + _LATER)
        said = message("show my notes", user, "player", tenant_id=tenant, session_id=there)
        await self._playground.decide(said)

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
