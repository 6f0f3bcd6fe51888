"""Session snapshots and personal profiles, read and written in a decision's transaction."""

from collections.abc import Callable

from sqlalchemy import Connection, String, bindparam, func, select
from sqlalchemy.dialects.sqlite import insert

from state.approval import LedgerAction
from state.personality import Profile
from state.record import DecisionRecord
from state.session import Session
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.decisions import profile as table
from tools.storage.tables.decisions import session as session_table

_PROFILE_BODY = select(table.c.body).where(
    table.c.tenant_id == bindparam("tenant"), table.c.user == bindparam("user_name")
)
_NEW_PROFILE = insert(table)
_PROFILE_UPSERT = _NEW_PROFILE.on_conflict_do_update(
    index_elements=["tenant_id", "user"],
    set_={"body": _NEW_PROFILE.excluded.body, "updated_at": _NEW_PROFILE.excluded.updated_at},
)


def read_profile(connection: Connection, tenant_id: str, user: str) -> Profile:
    """Read a person's profile; of somebody nobody has met it is as a new one."""
    body = connection.execute(_PROFILE_BODY, {"tenant": tenant_id, "user_name": user}).scalar()
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
    connection.execute(_PROFILE_UPSERT, values)


_STATE = select(session_table.c.state).where(
    session_table.c.tenant_id == bindparam("tenant"),
    session_table.c.session_id == bindparam("session"),
)
# The database reads the one word of each state: a session whole is a hundred times as much.
_STAGE = func.json_extract(session_table.c.state, bindparam("path"), type_=String)
_STAGES = select(session_table.c.session_id, _STAGE).where(
    session_table.c.tenant_id == bindparam("tenant"), _STAGE.is_not(None)
)
_OF_DECISION = select(decision.c.session_id).where(decision.c.decision_id == bindparam("decision"))
_NEW = insert(session_table)
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


def update_session(
    connection: Connection,
    database: Database,
    record: DecisionRecord,
    known: Session,
    remember: Callable[[Session], Session],
) -> Session:
    """Write the session after a decision over `known`, which is as it stands in the store."""
    after = with_chips_shown(connection, database, remember(known), record.decision_id)
    recorded_at = record.recorded_at.timestamp()
    save_session(connection, after, recorded_at)
    save_profile(connection, after, known, recorded_at)
    return after
