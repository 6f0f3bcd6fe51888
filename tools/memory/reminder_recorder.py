"""Store and cancel reminders inside the transaction of the decision that says so."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from sqlalchemy import Connection

from state.event import Event
from state.initiative import Reminder
from state.record import DecisionRecord
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.access.permissions import may_control
from tools.attention.reminders import due_of, find_reminders, is_allowed_time
from tools.memory.session.requests import request_of_signal
from tools.ports import Catalogue
from tools.storage.record_hooks import SettledDecision
from tools.storage.reminders import cancel_reminders, put_reminder, waiting_reminders

_OURS = ("remind", "no_reminder")


@dataclass(frozen=True)
class ReminderRecorder:
    """Writes what a recorded decision says of reminders; the same decision twice writes once."""

    catalogue: Catalogue
    tuning: ProactiveTuning
    zone: tzinfo

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note a request about reminders, in words or by a signal."""
        connection, record, stages = settled.connection, settled.record, settled.stages
        if settled.standing != "recorded":
            return None
        asked = (stages.get("policy") or {}).get("talk")
        if asked is None and record.reason != "signal_noted":
            return None
        if asked is not None and asked.get("kind") not in _OURS:
            return None
        event = settled.event
        request = TalkRequest.model_validate(asked) if asked else self._signalled(event)
        if request is not None and request.kind in _OURS:
            self._write(connection, record, event, request)
        return None

    def _signalled(self, event: Event) -> TalkRequest | None:
        request = request_of_signal(event)
        if request is None or request.kind not in _OURS:
            return None
        is_allowed = event.user is None or may_control(request, self.catalogue, event.roles)
        return request if is_allowed else None

    def _write(
        self, connection: Connection, record: DecisionRecord, event: Event, request: TalkRequest
    ) -> None:
        if request.kind == "no_reminder":
            waiting = waiting_reminders(connection, record.tenant_id, record.session_id)
            own = [one for one in waiting if one.is_of(event.user)]
            cancel_reminders(connection, find_reminders(own, request.topic))
            return
        due = due_of(request, record.recorded_at, self.zone)
        if due is None or not is_allowed_time(due, record.recorded_at, self.tuning):
            return
        wanted = Reminder(
            reminder_id=reminder_id_of(record.decision_id),
            session_id=record.session_id,
            text=request.topic or "",
            due_at=due,
            user=event.user,
        )
        put_reminder(connection, record.tenant_id, wanted, at_most=self.tuning.reminders)


def reminder_id_of(decision_id: str) -> str:
    """Name the one reminder that a decision can put down."""
    return f"reminder-{decision_id}"
