"""The decisions that were taken last, for whoever has no question yet."""

from sqlalchemy import func, select

from state.journal import Decision
from tools.journal.store import JournalStore
from tools.storage.journal_tables import journal_entry


async def newest_decisions(store: JournalStore, tenant_id: str, *, limit: int) -> list[Decision]:
    """List a tenant's decisions, the newest first; those of unknown date come last."""
    query = (
        select(journal_entry.c.body)
        .where(journal_entry.c.tenant_id == tenant_id)
        .order_by(
            func.coalesce(journal_entry.c.decided_at, 0.0).desc(), journal_entry.c.entry_id.desc()
        )
        .limit(limit)
    )
    bodies = await store.database.read(lambda connection: connection.scalars(query).all())
    return [Decision.model_validate(body) for body in bodies]
