"""Reminders: put down, listed, called off, and found when they are due."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, text, update
from sqlalchemy.dialects.sqlite import insert

from state.initiative import Reminder
from tools.storage.database import Database
from tools.storage.paging import Paging
from tools.storage.tables.initiatives import reminder

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
        paging = Paging(is_theirs, (reminder.c.due_at, reminder.c.reminder_id))

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
