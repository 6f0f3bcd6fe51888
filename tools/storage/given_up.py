"""End a decision that is given up: what it left open is closed with the record, or neither is."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection

from state.record import DecisionRecord
from state.session import Session
from tools.storage.decisions import SqlDecisions
from tools.storage.going_along import go_along
from tools.storage.holds import drop_hold
from tools.storage.settling import Settled, settle_covered, told

Closing = Callable[[Connection], DecisionRecord | None]
"""Closes what a decision has left open and gives its last record; None: it has to stay as it is."""


class _StaysError(Exception):
    """The record was not written: what was closed for it is open again."""


async def record_given_up(
    decisions: SqlDecisions,
    closing: Closing,
    stages: Mapping[str, Any],
    *,
    thread_id: str,
    speaker: str | None = None,
    alone: bool = False,
) -> DecisionRecord | None:
    """Close and record in one transaction, so that nothing is proposed in between.

    Args:
        alone: write nothing beside the record. What breaks the decision may be the session, or
            something that is noted with every record.

    Returns:
        The record; None: nothing was changed, as `closing` or SqlDecisions.finish says.
    """

    def work(connection: Connection) -> tuple[DecisionRecord, Settled] | None:
        record = closing(connection)
        if record is None:
            return None
        after = settle_covered(
            connection,
            record,
            stages,
            "recorded",
            thread_id=thread_id,
            covering=decisions.covering,
            notes=() if alone else decisions.notes,
        )
        if after is None:
            raise _StaysError
        if alone:
            drop_hold(connection, record.decision_id)
        else:
            go_along(connection, decisions.database, record, _unchanged, speaker=speaker)
        return record, after

    try:
        record, after = await decisions.database.write(work, durable=True) or (None, None)
    except _StaysError:
        return None
    return record if told(after) else None


def _unchanged(session: Session) -> Session:
    return session
