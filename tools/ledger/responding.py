"""Said instead of yes or no: the action is closed, and the words come back as a message."""

from sqlalchemy import Connection, select

from state.approval import LedgerAction
from state.event import Event
from state.principal import Principal
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.tables.decisions import decision

SOURCE = "approvals"


def accept_response(
    connection: Connection,
    database: Database,
    standing: LedgerAction,
    said: str,
    principal: Principal,
) -> bool:
    """Accept what a person said, in the transaction that closes the action; False: known."""
    query = select(decision.c.session_id).where(decision.c.decision_id == standing.decision_id)
    session_id = connection.execute(query).scalar() or "default"
    return accept_event(connection, _response_to(standing, said, principal, session_id), database)


def response_id(standing: LedgerAction) -> str:
    """Name the decision on what was said instead of answering an action."""
    tenant_id, event_id = standing.tenant_id, _event_id(standing)
    return Event(text="", event_id=event_id, source=SOURCE, tenant_id=tenant_id).decision_id


def _response_to(standing: LedgerAction, said: str, principal: Principal, session_id: str) -> Event:
    """Make the message; the same action always gives the same event."""
    return Event(
        event_id=_event_id(standing),
        kind="message",
        source=SOURCE,
        text=said,
        session_id=session_id,
        tenant_id=standing.tenant_id,
        user=principal.user,
        role=",".join(principal.roles) or None,
        payload={"responds_to": standing.action_id},
    )


def _event_id(standing: LedgerAction) -> str:
    return f"respond-{standing.action_id}"
