"""Session snapshots, read and written inside a decision's own transaction."""

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from state.session import Session
from tools.storage.tables import session as table


def read_session(connection: Connection, tenant_id: str, session_id: str) -> Session:
    """Read a session; one nobody has met yet is empty."""
    query = select(table.c.state).where(
        table.c.tenant_id == tenant_id, table.c.session_id == session_id
    )
    body = connection.execute(query).scalar()
    if body is None:
        return Session(tenant_id=tenant_id, session_id=session_id)
    return Session.model_validate(body)


def save_session(connection: Connection, session: Session, at: float) -> None:
    """Write a session over what was there."""
    values = {"state": session.model_dump(mode="json"), "updated_at": at}
    statement = insert(table).values(
        tenant_id=session.tenant_id, session_id=session.session_id, **values
    )
    connection.execute(
        statement.on_conflict_do_update(index_elements=["tenant_id", "session_id"], set_=values)
    )
