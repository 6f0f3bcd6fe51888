"""Session snapshots, read and written inside a decision's own transaction."""

from sqlalchemy import Connection, String, bindparam, func, select
from sqlalchemy.dialects.sqlite import insert

from state.approval import LedgerAction
from state.session import Session
from tools.storage.database import Database
from tools.storage.profiles import read_profile
from tools.storage.tables.decisions import decision
from tools.storage.tables.decisions import session as table

_STATE = select(table.c.state).where(
    table.c.tenant_id == bindparam("tenant"), table.c.session_id == bindparam("session")
)
# The database reads the one word of each state: a session whole is a hundred times as much.
_STAGE = func.json_extract(table.c.state, bindparam("path"), type_=String)
_STAGES = select(table.c.session_id, _STAGE).where(
    table.c.tenant_id == bindparam("tenant"), _STAGE.is_not(None)
)
_OF_DECISION = select(decision.c.session_id).where(decision.c.decision_id == bindparam("decision"))
_NEW = insert(table)
_NEW_OR_OVER = _NEW.on_conflict_do_update(
    index_elements=["tenant_id", "session_id"],
    set_={"state": _NEW.excluded.state, "updated_at": _NEW.excluded.updated_at},
)


def read_session(
    connection: Connection, tenant_id: str, session_id: str, *, speaker: str | None = None
) -> Session:
    """Read a session with a person's profile; one nobody has met yet is empty.

    Args:
        speaker: who speaks now; else the profile is that of who spoke last.
    """
    body = connection.execute(_STATE, {"tenant": tenant_id, "session": session_id}).scalar()
    if body is None:
        known = Session(tenant_id=tenant_id, session_id=session_id)
    else:
        known = Session.model_validate(body)
    person = speaker or known.person
    if person is None:
        return known
    profile = read_profile(connection, tenant_id, person)
    return known.model_copy(update={"person": person, "profile": profile})


def session_of(connection: Connection, action: LedgerAction) -> Session:
    """Read the session that an action was asked in, as it stands now."""
    wanted = {"decision": action.decision_id}
    session_id = connection.execute(_OF_DECISION, wanted).scalar() or "default"
    return read_session(connection, action.tenant_id, session_id)


def stages_of(connection: Connection, tenant_id: str, pack: str) -> dict[str, str]:
    """Tell where every session that has a stage in a pack stands in it: session → stage."""
    path = f'$.memory."{pack}".stage'  # a pack's name is a word
    rows = connection.execute(_STAGES, {"tenant": tenant_id, "path": path})
    return {session: stage for session, stage in rows if stage}


def with_chips_shown(
    connection: Connection, database: Database, session: Session, decision_id: str
) -> Session:
    """Note by the database's clock when the chips of a decision that is recorded now are there."""
    offered = {
        who: shown.model_copy(update={"recorded_at": connection.scalar(select(database.now()))})
        if shown.decision_id == decision_id
        else shown
        for who, shown in session.offered.items()
    }
    return session.model_copy(update={"offered": offered}) if offered else session


def save_session(connection: Connection, session: Session, at: float) -> None:
    """Write a session over what was there, without the profile: that is its person's."""
    values = {
        "tenant_id": session.tenant_id,
        "session_id": session.session_id,
        "state": session.model_dump(mode="json", exclude={"profile"}),
        "updated_at": at,
    }
    connection.execute(_NEW_OR_OVER, values)
