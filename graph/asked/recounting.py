"""Answer about somebody's own reminders and goals: what was put down, what waits, how far."""

from graph.assembly.toolbox import Toolbox
from state.attention import Goal
from state.event import Event
from state.talk import TalkRequest
from tools.proactive.reminders import (
    called_off_words,
    listed_words,
    named_among,
    put_down_words,
)
from tools.storage.reminders import SqlReminders


class Recounting:
    """Words a request about reminders; what it asks for is written with the decision's record."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._reminders = SqlReminders(box.database)

    async def __call__(self, event: Event, request: TalkRequest) -> str:
        """Say what comes of it."""
        if request.kind == "goals":
            return await self._goals(event)
        waiting = await self._reminders.waiting(event.tenant_id, event.session_id)
        own = [one for one in waiting if one.is_of(event.user)]
        now, zone = self._box.clock.now(), self._box.settings.zone
        tuning = self._box.tuning.proactive
        if request.kind == "reminders":
            return listed_words(own, now, zone)
        if request.kind == "no_reminder":
            return called_off_words(named_among(own, request.topic))
        if len(waiting) >= tuning.reminders:
            return f"I have put nothing down: {tuning.reminders} reminders wait here already."
        return put_down_words(request, now, tuning, zone)

    async def _goals(self, event: Event) -> str:
        session = await self._box.decisions.session(event.tenant_id, event.session_id)
        lines = [goal_line(goal) for goal in session.goals if goal.is_of(event.user)]
        return "\n".join(lines) or "I know of no goal of yours."


def goal_line(goal: Goal) -> str:
    """Put a goal on a line: how it stands, and how far it is."""
    far = "" if goal.progress is None else f", {round(100 * goal.progress)} %"
    about = f", {goal.touched} events about it" if goal.touched else ""
    return f"{goal.text} ({goal.standing}{far}{about})"
