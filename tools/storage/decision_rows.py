"""A decision's row: put there when its event is accepted, and read again."""

from functools import cache

from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, select
from sqlalchemy.dialects.sqlite import Insert, insert

from state.errors import Conflict, NotFound
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


def take_event(
    connection: Connection, event: Event, database: Database, *, thread_id: str | None = None
) -> tuple[Event, bool]:
    """Insert an event, or find it; return it as it is kept, and whether it is new.

    What happened is never lost: under an event_id that its sender used for something else it
    becomes another event. What a person says is not done twice by a slip: that is refused.

    Raises:
        Conflict: a message or a choice under an event_id that was used for another.
    """
    if accept_event(connection, event, database, thread_id=thread_id):
        return event, True
    first = Event.model_validate(read_row(connection, event.decision_id)["event"])
    if event.is_redelivery_of(first):
        return event, False
    if event.is_addressed:
        told = f"event_id {event.event_id!r} of source {event.source!r} came with other content"
        raise Conflict(f"{told}; give this one an event_id of its own", "taken")
    another = event.as_another()
    return another, accept_event(connection, another, database, thread_id=thread_id)


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
