"""A ledger that comes out of a backup: what it left under way is set aside, and nothing starts."""

from sqlalchemy import Connection, select, update

from state.approval import ActionState
from state.noun import Noun
from tools.ledger.freezing import put_freeze
from tools.ledger.rows import enter
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action

STARTED = "it was under way when the backup was made; check the target and settle it"
APPROVED = "it may have been done since the backup was made; look, and ask again"


class SetAside(Noun):
    """How many actions of a restored ledger a person has to look at."""

    unknown: int
    stale: int
    pending: int


def set_aside(connection: Connection, database: Database, made: str) -> SetAside:
    """Make sure that nothing of a restored ledger runs again by itself, and freeze it.

    Started becomes unknown, approved becomes stale; what is pending stays so, for a yes is a
    person's. Nobody can tell from here what was done after the backup.

    Args:
        made: when the backup was made, for the freeze's reason.
    """
    unknown = _move(connection, database, "started", "unknown", STARTED)
    stale = _move(connection, database, "approved", "stale", APPROVED)
    waiting = select(ledger_action.c.action_id).where(
        ledger_action.c.state.in_(("pending", "proposed"))
    )
    pending = len(connection.scalars(waiting).all())
    reason = (
        f"restored from the backup of {made}: {unknown} unknown, {stale} stale, {pending} open; "
        "what was done since is not in it"
    )
    put_freeze(connection, database, reason)
    return SetAside(unknown=unknown, stale=stale, pending=pending)


def _move(
    connection: Connection, database: Database, stood: ActionState, state: ActionState, reason: str
) -> int:
    query = select(ledger_action.c.action_id, ledger_action.c.tenant_id).where(
        ledger_action.c.state == stood, ledger_action.c.execution_class != "A"
    )
    found = connection.execute(query).all()
    for row in found:
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == row.action_id)
            .values(state=state, reason=reason)
        )
        enter(
            connection,
            database,
            tenant_id=row.tenant_id,
            action_id=row.action_id,
            actor="restore",
            event=state,
            body={"reason": reason},
        )
    return len(found)
