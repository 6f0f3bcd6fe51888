"""Dates on record that lie ahead of our clock: what is dated so would be the newest for ever."""

from datetime import UTC, datetime

from sqlalchemy import Connection, func, select, update

from state.journal import Decision
from tools.journal.records.importing import is_ours
from tools.storage.tables.journal import journal_entry

_at = journal_entry.c.decided_at


def count_ahead(connection: Connection, latest: float) -> int:
    """Count decisions dated later than can be, of every tenant."""
    return connection.scalar(select(func.count()).where(_at > latest)) or 0


def mend_dates(connection: Connection, latest: float) -> int:
    """Take such a date from what was imported, and put what we heard at when it came; count them.

    An import refuses them today; these came before it did.
    """
    entry = journal_entry.c
    rows = connection.execute(
        select(entry.entry_id, entry.body, entry.recorded_at).where(_at > latest)
    ).all()
    for row in rows:
        made = Decision.model_validate(row.body)
        at = row.recorded_at if is_ours(made) else None
        moment = None if at is None else datetime.fromtimestamp(at, UTC)
        dated = made.model_copy(update={"timestamp": moment})
        values = {"decided_at": at, "body": dated.model_dump(mode="json")}
        connection.execute(
            update(journal_entry).where(entry.entry_id == row.entry_id).values(values)
        )
    return len(rows)
