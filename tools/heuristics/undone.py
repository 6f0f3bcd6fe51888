"""Which response proposed what somebody took back soon after it was done?"""

from sqlalchemy import Connection, select

from state.strategy import ReasoningTrace
from tools.storage.tables.decisions import offer
from tools.storage.tables.learning import reasoning_trace
from tools.storage.tables.ledger import ledger_action


def undone_soon(
    connection: Connection, tenant_id: str, action_id: str, *, since: float
) -> ReasoningTrace | None:
    """Find the response that an undo of an action speaks against; None: none, or it is too late.

    A click is a decision of its own that nobody proposed: what is held against the chip is held
    against the response that showed it, if the chip did what that one was about. Another chip of
    it was the person's own choice.

    Args:
        since: in seconds since 1970; what was done before it was not taken back soon.
    """
    query = select(ledger_action.c.decision_id, ledger_action.c.action).where(
        ledger_action.c.action_id == action_id,
        ledger_action.c.tenant_id == tenant_id,
        ledger_action.c.finished_at >= since,
    )
    done = connection.execute(query).first()
    if done is None:
        return None
    showed = select(offer.c.decision_id).where(offer.c.chosen_decision_id == done.decision_id)
    shown_by = connection.execute(showed).scalar()
    shown = None if shown_by is None else _trace_of(connection, shown_by)
    if shown is not None and shown.action == done.action:
        return shown
    return _trace_of(connection, done.decision_id)


def _trace_of(connection: Connection, decision_id: str) -> ReasoningTrace | None:
    query = select(reasoning_trace.c.body).where(reasoning_trace.c.decision_id == decision_id)
    body = connection.execute(query).scalar()
    return None if body is None else ReasoningTrace.model_validate(body)
