"""Whose eyes an action is for: who reads the session it was asked in, and who decides on it."""

from sqlalchemy import ColumnElement, Connection, exists, func, or_, select

from state.reader import Reader
from tools.storage.readable import readable_in
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action


def visible(reader: Reader) -> ColumnElement[bool]:
    """Write that a reader may see an action.

    Who may answer a question sees it wherever it was asked: what would run, never the talk
    around it. An action whose session is forgotten is for nobody who is barred from any.
    """
    at = ledger_action.c
    is_ours = at.tenant_id == reader.tenant_id
    if not reader.closed:
        return is_ours
    asked = select(decision.c.decision_id).where(
        decision.c.decision_id == at.decision_id, readable_in(decision, reader)
    )
    role = func.json_each(at.approver_roles).table_valued("value")
    answers = select(role.c.value).where(role.c.value.in_(reader.decides))
    is_asked = (at.execution_class == "C") & exists(answers.correlate(ledger_action))
    return is_ours & or_(exists(asked.correlate(ledger_action)), is_asked)


def is_visible(connection: Connection, action_id: str, reader: Reader) -> bool:
    """Tell the same of an action by its id."""
    query = select(ledger_action.c.action_id).where(
        ledger_action.c.action_id == action_id, visible(reader)
    )
    return connection.execute(query).first() is not None
