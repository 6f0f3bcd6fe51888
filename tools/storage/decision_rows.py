"""A decision's row: put there when its event is accepted, and read again."""

from functools import cache

from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, select
from sqlalchemy.dialects.sqlite import Insert, insert

from state.errors import NotFound
from state.event import Event
from tools.storage.database import Database
from tools.storage.tables.decisions import decision

# Built once: to build a statement takes longer than to run it.
_ROW = select(decision).where(decision.c.decision_id == bindparam("wanted"))


def accept_event(
    connection: Connection, event: Event, database: Database, *, thread_id: str | None = None
) -> bool:
    """Insert an event to be decided by a thread, its own by default; False: known already."""
    values = {
        "decision_id": event.decision_id,
        "tenant_id": event.tenant_id,
        "session_id": event.session_id,
        "source": event.source,
        "event_id": event.event_id,
        "kind": event.kind,
        "event": event.model_dump(mode="json"),
        "thread_id": thread_id or event.decision_id,
        "standing": "accepted",
    }
    return connection.execute(_new_row(database.now()), values).rowcount == 1


@cache
def _new_row(now: ColumnElement[float]) -> Insert:
    return insert(decision).values(accepted_at=now).on_conflict_do_nothing()


def read_row(connection: Connection, decision_id: str) -> RowMapping:
    """Read a decision's row inside a transaction.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_ROW, {"wanted": decision_id}).mappings().first()
    if row is None:
        raise NotFound("decision", decision_id)
    return row
