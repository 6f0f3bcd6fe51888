"""What our own clock meant by its ticks: written down before they are decided."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert

from state.event import Event
from state.initiative import Initiative
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.tables.initiatives import initiative, reminder

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
