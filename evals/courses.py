"""Hours and days of a session: what policy bounds over time, measured where the course ends."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from itertools import count
from typing import Any, get_args

from evals.inputs import Course, CourseStep, Figure
from evals.playground import Playground
from state.errors import BadInput
from state.event import Event
from state.initiative import KEPT, InitiativeKind
from state.journal import JournalMessage
from state.reader import whole
from tools.memory.recalling import Where

_HOUR = timedelta(hours=1)
_CHAT = set(get_args(InitiativeKind)) - set(KEPT)
"""Reasons of what is said unasked and not owed to anybody; a reminder is."""
_TENANT, _SESSION = "default", "course"


class Courses:
    """Plays each course on a fresh folder, ticking as a service does, and measures one figure."""

    def __init__(self, playground: Playground) -> None:
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
            about, Where(_TENANT, _SESSION), limit=100
        )
        return len(found)

    async def _recorded(self, _of: str) -> float:
        """Count the decisions of the session that can still be explained."""
        found = await self._playground.executive.decisions(_TENANT, session_id=_SESSION, limit=500)
        return len(found)

    async def _journal(self, _of: str) -> float:
        """Count the decisions that the journal holds."""
        return len(await self._playground.executive.journal.store.all(whole(_TENANT)))
