"""What a decision leaves behind in its session and its person's profile, in its transaction."""

from collections.abc import Callable

from sqlalchemy import Connection

from state.record import DecisionRecord
from state.session import Session
from tools.storage.database import Database
from tools.storage.profiles import save_profile
from tools.storage.sessions import save_session, with_chips_shown


def remember_in(
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
