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
_BEFORE = (
    select(decision.c.event, decision.c.record, decision.c.accepted_at)
    .where(
        decision.c.tenant_id == bindparam("tenant"),
        decision.c.session_id == bindparam("session"),
        decision.c.standing.in_(("recorded", "waiting")),
        decision.c.accepted_at > bindparam("since"),
        decision.c.accepted_at < bindparam("until"),
        decision.c.kind == "message",
    )
    .order_by(decision.c.accepted_at.desc())
    .limit(20)
)
_MOST_CHOICES = 8
_MOST_TURNS = 4
_LONGEST_PAUSE_SECONDS = 600
"""As long as a question for a slot stays open (policy.toml, question_seconds)."""


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
    is_open = reader.may_read(row.session_id)
    request = OriginalRequest(
        decision_id=decision_id,
        words=event.text if is_open else None,
        earlier=tuple(_asked_back(connection, event, row.accepted_at, action.action))
        if is_open
        else (),
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


def _asked_back(connection: Connection, event: Event, accepted_at: float, action: str) -> list[str]:
    """List what somebody had said when we asked back for a slot, and this is their answer."""
    said: list[str] = []
    if event.user is None:
        return said
    spoken = {"tenant": event.tenant_id, "session": event.session_id}
    while len(said) < _MOST_TURNS:
        times = {"until": accepted_at, "since": accepted_at - _LONGEST_PAUSE_SECONDS}
        row = next(
            (
                row
                for row in connection.execute(_BEFORE, spoken | times)
                if row.event.get("user") == event.user
            ),
            None,
        )
        if row is None:
            break
        record = row.record or {}  # none while a yes is awaited
        if (record.get("reason"), record.get("action")) != ("missing_slot", action):
            break
        said.insert(0, str(row.event["text"]))
        accepted_at = row.accepted_at
    return said


def _spoken_in(connection: Connection, decision_id: str) -> str:
    """Go back from the choice of a chip, by a click or a yes, to what the chips answered."""
    for _ in range(_MOST_CHOICES):
        offered_by = connection.execute(_OFFERED_BY, {"wanted": decision_id}).scalar()
        if offered_by is None:
            break
        decision_id = offered_by
    return decision_id
