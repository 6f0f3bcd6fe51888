"""Read all that happened to one action."""

from datetime import UTC, datetime

from sqlalchemy import Connection, select

from state.errors import NotFound
from state.history import LedgerEntry, LedgerHistory
from tools.ledger.rows import read_action
from tools.storage.tables.ledger import ledger_entry


def history_of(connection: Connection, action_id: str, tenant_id: str) -> LedgerHistory:
    """Read an action of a tenant with its entries, oldest first.

    Raises:
        NotFound: none in this tenant.
    """
    try:
        standing = read_action(connection, action_id, tenant_id)
    except NotFound:
        raise NotFound("action", action_id) from None
    rows = connection.execute(
        select(ledger_entry)
        .where(ledger_entry.c.action_id == action_id)
        .order_by(ledger_entry.c.seq)
    )
    entries = tuple(
        LedgerEntry(
            number=row.number,
            at=datetime.fromtimestamp(row.at, UTC),
            actor=row.actor,
            event=row.event,
            body=row.body,
        )
        for row in rows
    )
    return LedgerHistory(**dict(standing), entries=entries)
