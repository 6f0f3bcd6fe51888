"""What lies ahead, in one look: the next hold and reminder, and the sessions somebody is in."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from state.session import Session
from tools.storage.database import Database
from tools.storage.holds import next_hold
from tools.storage.reminders import next_reminder
from tools.storage.sessions import read_session
from tools.storage.tables.decisions import hold, session

Whose = tuple[str, str]
"""Tenant and session."""

_WAITS = (
    select(hold.c.decision_id)
    .where(
        hold.c.tenant_id == session.c.tenant_id,
        hold.c.session_id == session.c.session_id,
        hold.c.released_at.is_(None),
    )
    .exists()
)
_ACTIVE = select(
    session.c.tenant_id, session.c.session_id, session.c.updated_at, _WAITS.label("waits")
).where(session.c.updated_at >= bindparam("since"))


@dataclass(frozen=True)
class ActiveSession:
    """A session in which something was recorded lately."""

    updated_at: float
    session: Session
    is_free: bool
    """Nothing waits in it to be said: that would come first."""


@dataclass(frozen=True)
class Ahead:
    """Times are seconds since 1970; None: nothing of the kind waits."""

    held_until: float | None
    reminds_at: float | None
    active: Mapping[Whose, ActiveSession]

    @property
    def due(self) -> float | None:
        """Tell when the first of what waits is due by itself."""
        known = [one for one in (self.held_until, self.reminds_at) if one is not None]
        return min(known, default=None)


async def look_ahead(
    database: Database, since: float | None, known: Mapping[Whose, ActiveSession]
) -> Ahead:
    """Read all of it on one snapshot.

    Args:
        since: leave out sessions in which nothing was recorded from then on; None: all of them.
        known: sessions that were read before; one that has not changed is not read again.
    """

    def work(connection: Connection) -> Ahead:
        active = {}
        found = () if since is None else connection.execute(_ACTIVE, {"since": since}).all()
        for row in found:
            whose = (row.tenant_id, row.session_id)
            before = known.get(whose)
            is_same = before is not None and before.updated_at == row.updated_at
            body = before.session if before and is_same else read_session(connection, *whose)
            active[whose] = ActiveSession(row.updated_at, body, is_free=not row.waits)
        return Ahead(next_hold(connection), next_reminder(connection), active)

    return await database.read(work)
