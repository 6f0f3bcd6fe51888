"""Record hooks that store utterances and reminders in a decision's transaction."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from state.event import Event
from state.initiative import Reminder
from state.record import DecisionRecord
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tools.access.permissions import may_control
from tools.memory.event_match import EventMatcher
from tools.memory.reminders import find_reminders, first_due
from tools.memory.session.requests import request_of_signal
from tools.nlu.feedback import reaction_in
from tools.platform.clock import DAY_SECONDS, HOUR_SECONDS
from tools.ports import Catalogue
from tools.storage import Database
from tools.storage.decision_rows import read_row
from tools.storage.record_hooks import SettledDecision
from tools.storage.reminders import (
    cancel_reminders,
    held_since,
    note_seen,
    put_reminder,
    reminders_on_events,
    waiting_reminders,
)
from tools.storage.tables.memory import memory_entry as entry

LONGEST = 4_000
"""Characters kept of one utterance; the whole stands in its record."""
_NEW = insert(entry).on_conflict_do_nothing()
_HEARD = entry.alias()
# Built once: to build a statement takes longer than to run it.
_OURS = (
    entry.c.tenant_id == bindparam("tenant"),
    entry.c.session_id == bindparam("session"),
    entry.c.said_by == "us",
    entry.c.decision_id != bindparam("decision"),
)
"""What we said before, in the same session; see `_session_of`."""
_LAST = (
    select(entry.c.entry_id)
    .where(*_OURS, entry.c.at.between(bindparam("since"), bindparam("until")))
    .order_by(entry.c.at.desc(), entry.c.entry_id.desc())
    .limit(1)
)
_PASSED = (
    update(entry)
    .where(
        *_OURS,
        entry.c.reaction.is_(None),
        entry.c.at < bindparam("before"),
        entry.c.at > bindparam("since"),
        entry.c.body["response_type"].as_string() != "answer",
        ~select(_HEARD.c.entry_id)
        .where(
            _HEARD.c.tenant_id == entry.c.tenant_id,
            _HEARD.c.session_id == entry.c.session_id,
            _HEARD.c.said_by == "person",
            _HEARD.c.at.between(entry.c.at, entry.c.at + bindparam("within")),
        )
        .exists(),
    )
    .values(reaction="ignored")
)
_ABOUT_MEMORY = ("recall", "explain")
_FORGETS = {"talk_request:no_fact", "no_such_fact"}
"""Reasons of a wish to have a fact forgotten: its words are those of the fact."""
_IGNORED_AFTER_SECONDS = HOUR_SECONDS
"""What is older was settled when it was new, or nobody was there; it is not looked at again."""


@dataclass(frozen=True)
class UtteranceRecorder:
    """Keeps messages and our own words with what they were; secrets are covered first."""

    answers_within_seconds: float
    """So long after we spoke a word is one to that."""

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note what a recorded decision heard and said."""
        # What was asked about the memory, and what it answered, is no news in it.
        if settled.standing != "recorded" or settled.record.intent in _ABOUT_MEMORY:
            return None
        if not settled.record.spoke and "policy" not in settled.stages:
            return None
        policy = settled.stages.get("policy") or {}
        if not _FORGETS.isdisjoint(policy.get("reasons") or ()):
            return None
        connection, event = settled.connection, settled.event
        if event.kind == "proposal":
            return None
        record, stages = settled.covered
        if event.kind == "message":
            connection.execute(_NEW, _row(record, event, "person", event.text, {}))
            _react(connection, record, event, stages, self.answers_within_seconds)
        if record.spoke and record.text:
            said = _row(record, event, "us", record.text, _action(record, event, stages))
            _let_pass(connection, record, self.answers_within_seconds)
            connection.execute(_NEW, said)
        return None


def _row(
    record: DecisionRecord, event: Event, said_by: str, text: str, body: Mapping[str, Any]
) -> dict[str, Any]:
    named = (entity.value for entity in event.entities)
    return {
        "tenant_id": record.tenant_id,
        "session_id": record.session_id,
        "decision_id": record.decision_id,
        "said_by": said_by,
        "user": event.user,
        "at": record.recorded_at.timestamp(),
        "text": text[:LONGEST],
        "about": " ".join((event.source, *named))[:400],
        "body": dict(body),
    }


def _action(record: DecisionRecord, event: Event, stages: Mapping[str, Any]) -> dict[str, Any]:
    response = stages.get("response") or {}
    return {
        "event_id": event.event_id,
        "response_type": record.response_type,
        "skills_used": response.get("skills_used", ()),
        "effective_traits": response.get("traits"),
    }


def _react(
    connection: Connection,
    record: DecisionRecord,
    event: Event,
    stages: Mapping[str, Any],
    within: float,
) -> None:
    """Write a reaction back to what we said last, if the message is one to that."""
    taken = reaction_in(event.text, (stages.get("policy") or {}).get("reasons") or ())
    if taken is None:
        return
    now = record.recorded_at.timestamp()
    asked = {**_session_of(record), "since": now - within, "until": now}
    entry_id = connection.execute(_LAST, asked).scalar()
    if entry_id is not None:
        connection.execute(update(entry).where(entry.c.entry_id == entry_id).values(reaction=taken))


def _let_pass(connection: Connection, record: DecisionRecord, within: float) -> None:
    """Note what nobody answered in its time: it was ignored."""
    now = record.recorded_at.timestamp()
    connection.execute(
        _PASSED,
        {
            **_session_of(record),
            "within": within,
            "before": now - within,
            "since": now - _IGNORED_AFTER_SECONDS,
        },
    )


def _session_of(record: DecisionRecord) -> dict[str, str]:
    return {
        "tenant": record.tenant_id,
        "session": record.session_id,
        "decision": record.decision_id,
    }


_REMINDER_KINDS = ("remind", "no_reminder")


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
        if asked is not None and asked.get("kind") not in _REMINDER_KINDS:
            return None
        event = settled.event
        request = TalkRequest.model_validate(asked) if asked else self._signalled(event)
        if request is not None and request.kind in _REMINDER_KINDS:
            self._write(connection, record, event, request)
        return None

    def _signalled(self, event: Event) -> TalkRequest | None:
        request = request_of_signal(event)
        if request is None or request.kind not in _REMINDER_KINDS:
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
        due = first_due(request, record.recorded_at, self.zone, self.tuning)
        if due is None:
            return
        wanted = Reminder(
            reminder_id=reminder_id_of(record.decision_id),
            session_id=record.session_id,
            text=request.topic or "",
            due_at=due,
            user=event.user,
            repeats=request.repeats,
            on_event=request.when,
        )
        put_reminder(connection, record.tenant_id, wanted, at_most=self.tuning.reminders)


_MOST_MATCHED = 1_000
"""Decisions that are remembered between the match and their transaction."""


@dataclass(frozen=True)
class EventReminderRecorder:
    """Makes a reminder due whose event is recorded; the next tick tells it."""

    database: Database
    matcher: EventMatcher
    tuning: ProactiveTuning
    _matched: dict[str, Sequence[str]] = field(default_factory=dict, init=False, compare=False)
    """Names of the reminders, by decision."""

    async def prepare(self, record: DecisionRecord) -> None:
        """Match before the transaction: no writer waits for an encoder, or for its server."""
        found = await self.database.read(lambda connection: _awaited(connection, record))
        matched = await asyncio.to_thread(self._matches, *found) if found[0] else ()
        if len(self._matched) >= _MOST_MATCHED:  # left by what was not recorded after all
            self._matched.clear()
        self._matched[record.decision_id] = matched

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note that something happened which a reminder of the session waits for."""
        record, connection = settled.record, settled.connection
        matched = self._matched.pop(record.decision_id, None)
        if matched is None:  # a dead letter is not prepared
            matched = self._matches(*_awaited(connection, record))
        if not matched:
            return None
        now = record.recorded_at.timestamp()
        held_at = held_since(connection, record.decision_id)
        at = now if held_at is None else held_at  # what was held was seen then
        waiting = reminders_on_events(connection, record.tenant_id, record.session_id)
        seen = [one for one in waiting if one.reminder_id in matched and self._is_after(one, at)]
        note_seen(connection, seen, now)
        return None

    def _matches(self, waiting: Sequence[Reminder], said: str) -> Sequence[str]:
        is_it = self.matcher.matches
        return [one.reminder_id for one in waiting if is_it(one.on_event or "", said)]

    def _is_after(self, one: Reminder, at: float) -> bool:
        """Tell whether what happened at a time is news to a reminder: an event is told once."""
        if one.seen_at is None:  # it waits since it was asked for
            return at >= one.due_at.timestamp() - self.tuning.reminder_days * DAY_SECONDS
        is_due = one.due_at == one.seen_at
        return not is_due and at > one.seen_at.timestamp() + self.tuning.reminder_least_seconds


def _awaited(connection: Connection, record: DecisionRecord) -> tuple[Sequence[Reminder], str]:
    """List what waits for an event in its session, and give its text."""
    row = read_row(connection, record.decision_id)
    event = row["event"]
    if row["kind"] != "ambient" or event["payload"].get("backfill") is True:
        return (), ""
    return reminders_on_events(connection, record.tenant_id, record.session_id), event["text"]


def reminder_id_of(decision_id: str) -> str:
    """Name the one reminder that a decision can put down."""
    return f"reminder-{decision_id}"
