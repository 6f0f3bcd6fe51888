"""Reminders of one time are told in the order in which they were asked for."""

from datetime import UTC, datetime
from functools import partial

from state.initiative import Reminder
from tools.storage.database import Database
from tools.storage.reminders import SqlReminders, put_reminder

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)


async def test_of_two_due_at_once_the_one_asked_for_first_comes_first(database: Database) -> None:
    asked = [
        Reminder(reminder_id=name, session_id="s", text=name, due_at=NOON)
        for name in ("z", "m", "a")
    ]
    for one in asked:
        await database.write(partial(put_reminder, tenant_id="default", wanted=one, at_most=9))
    reminders = SqlReminders(database)

    waiting = await reminders.waiting("default", "s")
    due = await reminders.due(NOON.timestamp())

    assert [one.reminder_id for one in waiting] == ["z", "m", "a"]
    assert [one.reminder.reminder_id for one in due] == ["z", "m", "a"]
