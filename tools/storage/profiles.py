"""What is kept of each person of a tenant, read and written inside a decision's transaction.

Source: Executive decision loop §13.2: template, overrides and rapport outlive a session.
"""

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert

from state.personality import Profile
from state.session import Session
from tools.storage.tables.decisions import profile as table

_BODY = select(table.c.body).where(
    table.c.tenant_id == bindparam("tenant"), table.c.user == bindparam("user_name")
)
_NEW = insert(table)
_NEW_OR_OVER = _NEW.on_conflict_do_update(
    index_elements=["tenant_id", "user"],
    set_={"body": _NEW.excluded.body, "updated_at": _NEW.excluded.updated_at},
)


def read_profile(connection: Connection, tenant_id: str, user: str) -> Profile:
    """Read a person's profile; of somebody nobody has met it is as a new one."""
    body = connection.execute(_BODY, {"tenant": tenant_id, "user_name": user}).scalar()
    return Profile() if body is None else Profile.model_validate(body)


def save_profile(connection: Connection, session: Session, known: Session, at: float) -> None:
    """Write the profile of a session's person where it is not what was known of them."""
    if session.person is None or session.profile == known.profile:
        return
    values = {
        "tenant_id": session.tenant_id,
        "user": session.person,
        "body": session.profile.model_dump(mode="json"),
        "updated_at": at,
    }
    connection.execute(_NEW_OR_OVER, values)
