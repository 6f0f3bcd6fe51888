"""Reminders and other events of the service's own clock, and when the next one is due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, literal_column, select, text, update
from sqlalchemy.dialects.sqlite import insert

from state.event import Event
from state.initiative import Initiative, Reminder
from state.session import Session
from state.talk import Repeat
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.holds import hold_of, next_hold
from tools.storage.query_filters import KeysetPage
from tools.storage.sessions import read_session
from tools.storage.tables.decisions import hold, initiative, reminder, session

_WAITS = reminder.c.standing == "scheduled"
_DUE = (
    select(reminder)
    .where(_WAITS, reminder.c.due_at <= bindparam("now"))
    .order_by(reminder.c.due_at, text("reminder.rowid"))
)
_NEXT = select(func.min(reminder.c.due_at)).where(_WAITS)
_ON_EVENTS = select(reminder).where(
    reminder.c.on_event.is_not(None),
    reminder.c.standing == literal_column("'scheduled'"),  # as its index has it
    reminder.c.tenant_id == bindparam("tenant"),
    reminder.c.session_id == bindparam("session"),
)


@dataclass(frozen=True)
class DueReminder:
    """A reminder whose time has come, with whose it is."""

    tenant_id: str
    reminder: Reminder


@dataclass(frozen=True)
class SqlReminders:
    """Reminders in our tables."""

    database: Database

    async def waiting(self, tenant_id: str, session_id: str) -> tuple[Reminder, ...]:
        """List what a session will be reminded of, the next first."""
        return await self.database.read(
            lambda connection: waiting_reminders(connection, tenant_id, session_id)
        )

    async def page(
        self, tenant_id: str, session_id: str, *, limit: int, after: str | None
    ) -> tuple[Reminder, ...]:
        """List a page of what waits, the next first.

        Raises:
            BadInput: the session has no reminder `after`, told or not.
        """
        is_theirs = (reminder.c.tenant_id == tenant_id) & (reminder.c.session_id == session_id)
        paging = KeysetPage(is_theirs, (reminder.c.due_at, reminder.c.reminder_id))

        def work(connection: Connection) -> tuple[Reminder, ...]:
            listed = select(reminder).where(_WAITS)
            page = paging.page(connection, listed, limit=limit, after=after)
            return tuple(map(_read, connection.execute(page)))

        return await self.database.read(work)

    async def due(self, now: float) -> tuple[DueReminder, ...]:
        """List what is due at `now`, seconds since 1970, the oldest first."""
        return await self.database.read(
            lambda connection: tuple(
                DueReminder(row.tenant_id, _read(row))
                for row in connection.execute(_DUE, {"now": now})
            )
        )


def next_reminder(connection: Connection) -> float | None:
    """Tell when the next reminder is due; None: none waits."""
    return connection.execute(_NEXT).scalar()


def put_reminder(connection: Connection, tenant_id: str, wanted: Reminder, *, at_most: int) -> bool:
    """Put a reminder down; the same one twice is one. False: so many of the session wait."""
    known = select(func.count()).where(
        _WAITS,
        reminder.c.tenant_id == tenant_id,
        reminder.c.session_id == wanted.session_id,
    )
    if connection.execute(known).scalar_one() >= at_most:
        return False
    values: dict[str, Any] = {
        "reminder_id": wanted.reminder_id,
        "tenant_id": tenant_id,
        "session_id": wanted.session_id,
        "user": wanted.user,
        "text": wanted.text,
        "due_at": wanted.due_at.timestamp(),
        "standing": "scheduled",
        "repeats": wanted.repeats.model_dump(mode="json") if wanted.repeats else None,
        "on_event": wanted.on_event,
    }
    connection.execute(insert(reminder).values(values).on_conflict_do_nothing())
    return True


def reminders_on_events(
    connection: Connection, tenant_id: str, session_id: str
) -> tuple[Reminder, ...]:
    """List what waits in a session for something to happen."""
    where = {"tenant": tenant_id, "session": session_id}
    return tuple(map(_read, connection.execute(_ON_EVENTS, where)))


def note_seen(connection: Connection, seen: Iterable[Reminder], at: float) -> None:
    """Make reminders due whose event has happened."""
    names = [one.reminder_id for one in seen]
    statement = update(reminder).where(reminder.c.reminder_id.in_(names), _WAITS)
    connection.execute(statement.values(due_at=at, seen_at=at))


def cancel_reminders(connection: Connection, found: Iterable[Reminder]) -> None:
    """Call reminders off that were not told yet."""
    names = [one.reminder_id for one in found]
    statement = update(reminder).where(reminder.c.reminder_id.in_(names), _WAITS)
    connection.execute(statement.values(standing="cancelled"))


def waiting_reminders(
    connection: Connection, tenant_id: str, session_id: str
) -> tuple[Reminder, ...]:
    """List what a session will be reminded of, the next first."""
    query = (
        select(reminder)
        .where(_WAITS, reminder.c.tenant_id == tenant_id, reminder.c.session_id == session_id)
        .order_by(reminder.c.due_at, text("reminder.rowid"))
    )
    return tuple(map(_read, connection.execute(query)))


def _read(row: Row[Any]) -> Reminder:
    return Reminder(
        reminder_id=row.reminder_id,
        session_id=row.session_id,
        text=row.text,
        due_at=datetime.fromtimestamp(row.due_at, UTC),
        user=row.user,
        standing=row.standing,
        decision_id=row.decision_id,
        repeats=None if row.repeats is None else Repeat.model_validate(row.repeats),
        on_event=row.on_event,
        seen_at=None if row.seen_at is None else datetime.fromtimestamp(row.seen_at, UTC),
    )


SOURCE = "initiative"
_BODY = select(initiative.c.body).where(initiative.c.decision_id == bindparam("wanted"))
_NEW = insert(initiative).on_conflict_do_nothing()


@dataclass(frozen=True)
class SqlInitiatives:
    """Initiatives in our tables."""

    database: Database

    async def begin(
        self, event: Event, meant: Initiative, reminders: Mapping[str, datetime | None]
    ) -> bool:
        """Accept a tick of our own and write down what it means; False: it was begun before.

        Args:
            reminders: by the id of those that it tells, when they are due again; None: never,
                from here on they are told.
        """

        def work(connection: Connection) -> bool:
            if not accept_event(connection, event, self.database):
                return False
            values: dict[str, Any] = {
                "decision_id": event.decision_id,
                "body": meant.model_dump(mode="json", exclude_none=True),
                "at": (event.occurred_at.timestamp() if event.occurred_at else 0.0),
            }
            connection.execute(_NEW, values)
            _move(connection, reminders, event.decision_id)
            return True

        return await self.database.write(work, durable=True)

    async def put_off(self, reminders: Mapping[str, datetime | None]) -> None:
        """Move reminders that come back to their next time, and tell none."""
        await self.database.write(lambda one: _move(one, reminders, None))


def _move(
    connection: Connection, reminders: Mapping[str, datetime | None], decision_id: str | None
) -> None:
    for name, again in reminders.items():
        # What comes back belongs to no decision: it would go with that one.
        told = {"standing": "told", "decision_id": decision_id}
        values = told if again is None else {"due_at": again.timestamp()}
        is_this = (reminder.c.reminder_id == name) & _WAITS
        connection.execute(reminder.update().where(is_this).values(values))


def held_since(connection: Connection, decision_id: str) -> float | None:
    """Tell when a decision began to wait for its moment; None: it never did."""
    _ended_by, held_at = hold_of(connection, decision_id)
    return held_at


def held_reminders(connection: Connection, tenant_id: str, session_id: str) -> frozenset[str]:
    """Name the reminders of a session whose last telling still waits for a quiet to end."""
    query = (
        select(initiative.c.body)
        .join(hold, hold.c.decision_id == initiative.c.decision_id)
        .where(
            hold.c.tenant_id == tenant_id,
            hold.c.session_id == session_id,
            hold.c.released_at.is_(None),
        )
    )
    found = (Initiative.model_validate(body) for body in connection.scalars(query))
    return frozenset(
        name for one in found if one.kind == "reminder" for name in one.about.split(",")
    )


def initiative_of(connection: Connection, event: Event) -> Initiative | None:
    """Read what our clock meant by a tick; None: it is somebody else's, whatever it says."""
    if event.kind != "tick":
        return None
    body = connection.execute(_BODY, {"wanted": event.decision_id}).scalar()
    return None if body is None else Initiative.model_validate(body)


Whose = tuple[str, str]
"""Tenant and session."""

_ANY_REMINDER = (
    select(hold.c.decision_id)
    .where(
        hold.c.tenant_id == session.c.tenant_id,
        hold.c.session_id == session.c.session_id,
        hold.c.released_at.is_(None),
    )
    .exists()
)
_ACTIVE = select(
    session.c.tenant_id, session.c.session_id, session.c.updated_at, _ANY_REMINDER.label("waits")
).where(session.c.updated_at >= bindparam("since"))


@dataclass(frozen=True)
class ActiveSession:
    """A session in which something was recorded lately."""

    updated_at: float
    session: Session
    is_free: bool
    """Nothing waits in it to be said: that would come first."""


@dataclass(frozen=True)
class DueTimes:
    """Times are seconds since 1970; None: nothing of the kind waits."""

    held_until: float | None
    reminds_at: float | None
    active: Mapping[Whose, ActiveSession]

    @property
    def due(self) -> float | None:
        """Tell when the first of what waits is due by itself."""
        known = [one for one in (self.held_until, self.reminds_at) if one is not None]
        return min(known, default=None)


async def read_due_times(
    database: Database, since: float | None, known: Mapping[Whose, ActiveSession]
) -> DueTimes:
    """Read all of it on one snapshot.

    Args:
        since: leave out sessions in which nothing was recorded from then on; None: all of them.
        known: sessions that were read before; one that has not changed is not read again.
    """

    def work(connection: Connection) -> DueTimes:
        active = {}
        found = () if since is None else connection.execute(_ACTIVE, {"since": since}).all()
        for row in found:
            whose = (row.tenant_id, row.session_id)
            before = known.get(whose)
            is_same = before is not None and before.updated_at == row.updated_at
            body = before.session if before and is_same else read_session(connection, *whose)
            active[whose] = ActiveSession(row.updated_at, body, is_free=not row.waits)
        return DueTimes(next_hold(connection), next_reminder(connection), active)

    return await database.read(work)
