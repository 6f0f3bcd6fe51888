"""Answer about reminders: what was put down, what waits, what is called off."""

from graph.toolbox import Toolbox
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
        waiting = await self._reminders.waiting(event.tenant_id, event.session_id)
        now, zone = self._box.clock.now(), self._box.settings.zone
        tuning = self._box.tuning.proactive
        if request.kind == "reminders":
            return listed_words(waiting, now, zone)
        if request.kind == "no_reminder":
            return called_off_words(named_among(waiting, request.topic))
        if len(waiting) >= tuning.reminders:
            return f"I have put nothing down: {tuning.reminders} reminders wait here already."
        return put_down_words(request, now, tuning, zone)
