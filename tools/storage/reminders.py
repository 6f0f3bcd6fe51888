"""Reminders and other events of the service's own clock, and when the next one is due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, text, update
from sqlalchemy.dialects.sqlite import insert

from state.event import Event
from state.initiative import Initiative, Reminder
from state.session import Session
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.holds import next_hold
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
    }
    connection.execute(insert(reminder).values(values).on_conflict_do_nothing())
    return True


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
    )


SOURCE = "initiative"
_BODY = select(initiative.c.body).where(initiative.c.decision_id == bindparam("wanted"))
_NEW = insert(initiative).on_conflict_do_nothing()


@dataclass(frozen=True)
class SqlInitiatives:
    """Initiatives in our tables."""

    database: Database

    async def begin(self, event: Event, meant: Initiative, reminders: tuple[str, ...] = ()) -> bool:
        """Accept a tick of our own and write down what it means; False: it was begun before.

        Args:
            reminders: the ids that it tells; from here on they are told.
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
            if reminders:
                connection.execute(
                    reminder.update()
                    .where(reminder.c.reminder_id.in_(reminders))
                    .values(standing="told", decision_id=event.decision_id)
                )
            return True

        return await self.database.write(work, durable=True)


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
