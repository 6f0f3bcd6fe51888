"""Answer cases that take time.

Gated requests with people's answers, scenes of minutes, courses of days.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any, get_args

from evals.runner.datasets import ApprovalInputs, Course, CourseStep, Figure, SceneInputs, Step
from graph.replay.harness import Harness, HarnessDecision
from state.approval import ApprovalAnswer
from state.errors import AgentError, BadInput
from state.event import Event
from state.initiative import KEPT, InitiativeKind
from state.journal import JournalMessage
from state.principal import Principal
from state.reader import whole
from tools.memory.recall import RecallScope

_NEVER_SHOWN = "0" * 64
_APPROVAL_TENANT = "default"


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
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in ran],
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
        return await self._playground.decide(
            Event(
                kind="message",
                source="evals",
                session_id=f"session-{number}",
                text=text,
                user=user,
                role=role,
            )
        )

    async def _answers(self, action_id: str | None, step: Step) -> bool:
        """Tell whether an answer was taken."""
        if action_id is None or step.does == "say":
            return False
        executive = self._playground.executive
        who = Principal(user=step.user, tenant_id=step.tenant, roles=(step.role,))
        try:
            standing = await executive.approval(action_id, _APPROVAL_TENANT)
            digest = _NEVER_SHOWN if step.is_blind else standing.digest
            answer = ApprovalAnswer(
                decision=step.does, digest=digest, typed=step.typed, arguments=step.arguments
            )
            await executive.answer(action_id, answer, who)
        except AgentError:
            return False
        return True

    async def _state(self, action_id: str | None) -> str | None:
        if action_id is None:
            return None
        return (await self._playground.executive.approval(action_id, _APPROVAL_TENANT)).state

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
        trace = await playground.executive.decision(
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
            "models": [use.model_dump(mode="json") for use in record.models],
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in first.ran],
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
        await self._playground.executive.keeping.keep()
        ran = await self._playground.all_ran()
        return {
            "figure": await self._measures[course.figure](course.of),
            "ran": [one.model_dump(mode="json", exclude={"action_id"}) for one in ran],
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
        while (due := await executive.next_due(instant)) is not None and due <= instant:
            clock.move_to(max(due, clock.now()))
            if not await executive.release_due():
                break
        clock.move_to(max(instant, clock.now()))

    async def _unasked(self, _of: str) -> float:
        """Count what was said unasked in the last hour."""
        since = self._playground.clock.now() - _HOUR
        records = await self._playground.executive.decisions(
            _TENANT, session_id=_SESSION, limit=500
        )
        return sum(one.spoke and one.reason in _CHAT and one.recorded_at > since for one in records)

    async def _moved(self, trait: str) -> float:
        """Tell how far circumstances move a trait now."""
        standing = await self._playground.executive.characters.standing(_TENANT, _SESSION)
        return float(getattr(standing.context_modifiers, trait))

    async def _wished(self, trait: str) -> float:
        """Tell how far a person's wish moves a trait now."""
        standing = await self._playground.executive.characters.standing(_TENANT, _SESSION)
        return float(getattr(standing.user_overrides, trait))

    async def _remembered(self, about: str) -> float:
        """Count what memory still holds about something."""
        found = await self._playground.executive.recollection.about(
            about, RecallScope(_TENANT, _SESSION), limit=100
        )
        return len(found)

    async def _recorded(self, _of: str) -> float:
        """Count the decisions of the session that can still be explained."""
        found = await self._playground.executive.decisions(_TENANT, session_id=_SESSION, limit=500)
        return len(found)

    async def _journal(self, _of: str) -> float:
        """Count the decisions that the journal holds."""
        return len(await self._playground.executive.journal.store.all(whole(_TENANT)))
