"""What a finished decision releases: at a break one utterance, and the next when it was none."""

from sqlalchemy import Connection

from state.record import DecisionRecord
from state.session import Session
from tools.storage.holds import release_due, release_on
from tools.timing.worth import EXPIRY, FLUSH, PROMPT, QUIET_ENDED

_WHOEVER_IS_BUSY = (PROMPT, QUIET_ENDED)
_BY_TIME = (EXPIRY, FLUSH)


def release_after(
    connection: Connection,
    record: DecisionRecord,
    session: Session,
    *,
    signal: str | None,
    ended_by: str | None,
) -> None:
    """Release what a signal calls for, or the next one when what was released stayed silent.

    Args:
        signal: that this decision was about.
        ended_by: what had ended the hold of this decision, if it was held.
    """
    now = record.recorded_at.timestamp()
    if ended_by in _BY_TIME and not record.spoke:
        release_due(connection, now)
    by = signal or (ended_by if not record.spoke and ended_by not in _BY_TIME else None)
    if by is None or (session.busy is not None and by not in _WHOEVER_IS_BUSY):
        return
    release_on(connection, record.tenant_id, record.session_id, by, now)
