"""Which decisions has nobody held against earlier ones yet? What a kill cut off is among them."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from state.journal import Decision
from tools.storage.tables.journal import journal_entry


@dataclass(frozen=True)
class Uncompared:
    """A decision, and its place in the order in which they came."""

    entry_id: int
    decision: Decision


def list_not_compared(
    connection: Connection, tenant_id: str | None, limit: int
) -> list[Uncompared]:
    """List them in their order, of a tenant or of all."""
    entry = journal_entry.c
    query = select(entry.entry_id, entry.body).where(~entry.is_compared)
    if tenant_id is not None:
        query = query.where(entry.tenant_id == tenant_id)
    rows = connection.execute(query.order_by(entry.entry_id).limit(limit)).all()
    return [Uncompared(row.entry_id, Decision.model_validate(row.body)) for row in rows]
