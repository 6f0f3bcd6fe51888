"""The decisions that were taken last, for whoever has no question yet."""

from sqlalchemy import Connection, func, select

from state.journal import Decision
from state.reader import Reader
from tools.journal.keeping.seen import as_seen
from tools.journal.keeping.store import JournalStore
from tools.storage.readable import readable_in
from tools.storage.tables.journal import journal_entry


async def newest_decisions(
    store: JournalStore, reader: Reader, *, limit: int, skipped: int = 0
) -> list[Decision]:
    """List the decisions one may read, the newest first; those of unknown date come last."""
    query = (
        select(journal_entry.c.body)
        .where(readable_in(journal_entry, reader))
        .order_by(
            func.coalesce(journal_entry.c.decided_at, 0.0).desc(), journal_entry.c.entry_id.desc()
        )
        .limit(limit)
        .offset(skipped)
    )

    def work(connection: Connection) -> list[Decision]:
        bodies = connection.scalars(query).all()
        return as_seen(connection, [Decision.model_validate(body) for body in bodies], reader)

    return await store.database.read(work)
