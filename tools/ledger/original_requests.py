"""The words that led to an action: those of its decision, or of the one that offered its chip."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from state.approval import LedgerAction, OriginalRequest
from state.event import Event
from state.reader import Reader
from tools.ledger.rows import to_action, yes_votes
from tools.storage.tables.decisions import decision, offer

_EVENT = select(decision.c.event, decision.c.session_id, decision.c.accepted_at).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.tenant_id == bindparam("tenant")
)
_OFFERED_BY = select(offer.c.decision_id).where(offer.c.chosen_decision_id == bindparam("wanted"))
_MOST_CHOICES = 8


def with_request(connection: Connection, action: LedgerAction, reader: Reader) -> LedgerAction:
    """Put the original request beside an action; its words only where the reader may read them.

    None stands there when its decision is forgotten.
    """
    decision_id = _spoken_in(connection, action.decision_id)
    wanted = {"wanted": decision_id, "tenant": action.tenant_id}
    row = connection.execute(_EVENT, wanted).first()
    if row is None:
        return action
    event = Event.model_validate(row.event)
    request = OriginalRequest(
        decision_id=decision_id,
        words=event.text if reader.may_read(row.session_id) else None,
        user=event.user if event.is_addressed else None,
        source=event.source,
        relayed=event.relayed,
        received_at=datetime.fromtimestamp(row.accepted_at, UTC),
    )
    return action.model_copy(update={"request": request})


def read_whole(connection: Connection, query: Select[Any], reader: Reader) -> list[LedgerAction]:
    """Read the actions that a query of their rows finds, with votes and original requests."""
    rows = connection.execute(query).mappings().all()
    found = (to_action(row, yes_votes(connection, row["action_id"])) for row in rows)
    return [with_request(connection, one, reader) for one in found]


def _spoken_in(connection: Connection, decision_id: str) -> str:
    """Go back from the choice of a chip, by a click or a yes, to what the chips answered."""
    for _ in range(_MOST_CHOICES):
        offered_by = connection.execute(_OFFERED_BY, {"wanted": decision_id}).scalar()
        if offered_by is None:
            break
        decision_id = offered_by
    return decision_id
