"""Claim a decision for a thread, inside a transaction."""

from sqlalchemy import Connection

from state.arrival import Standing
from state.delivered import Delivered
from state.event import Event
from state.record import DecisionRecord
from tools.storage.database import Database
from tools.storage.decision_rows import read_row, take_event
from tools.storage.holds import hold_of
from tools.storage.initiatives import initiative_of
from tools.storage.sessions import read_session


def open_decision(
    connection: Connection, database: Database, event: Event, thread_id: str
) -> Delivered:
    """Take the decision of an event for a thread; somebody else's is told as a duplicate.

    Raises:
        Conflict: see take_event.
    """
    event, is_new = take_event(connection, event, database, thread_id=thread_id)
    known = read_session(connection, event.tenant_id, event.session_id, speaker=event.speaker)
    if is_new:
        return Delivered(event.decision_id, "accepted", event, None, known, None)
    row = read_row(connection, event.decision_id)
    standing: Standing = row["standing"]
    if row["thread_id"] != thread_id or standing in ("recorded", "held"):
        standing = "duplicate"
    ended_by, held_at = hold_of(connection, event.decision_id)
    taken_in = Event.model_validate(row["event"])
    return Delivered(
        decision_id=row["decision_id"],
        standing=standing,
        event=taken_in,
        record=DecisionRecord.model_validate(row["record"]) if row["record"] else None,
        session=known,
        released_by=ended_by,
        held_at=held_at,
        initiative=initiative_of(connection, taken_in),
    )
