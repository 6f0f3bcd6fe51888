"""What goes along with the one record of a decision, in the transaction that writes it."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from state.held import Beside
from state.record import DecisionRecord
from state.session import Session
from tools.storage.beside import record_beside, record_twins
from tools.storage.database import Database
from tools.storage.holds import drop_hold, hold_of
from tools.storage.releasing import release_after
from tools.storage.remembered import remember_in
from tools.storage.sessions import read_session


def go_along(
    connection: Connection,
    database: Database,
    record: DecisionRecord,
    remember: Callable[[Session], Session],
    *,
    speaker: str | None = None,
    signal: str | None = None,
    beside: Sequence[Beside] = (),
    twins: Sequence[str] = (),
) -> None:
    """Keep what the session remembers of a decision, and let what waited for it go."""
    ended_by, _held_at = hold_of(connection, record.decision_id)
    drop_hold(connection, record.decision_id)
    record_beside(connection, record, beside)
    record_twins(connection, record, twins)
    known = read_session(connection, record.tenant_id, record.session_id, speaker=speaker)
    remembered = remember_in(connection, database, record, known, remember)
    release_after(connection, record, remembered, signal=signal, ended_by=ended_by)
