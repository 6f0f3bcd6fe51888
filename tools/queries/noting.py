"""Write the query log inside a decision's own transaction, so that no message goes without."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, String, bindparam, or_, select, text, update
from sqlalchemy.dialects.sqlite import insert

from state.arrival import Standing
from state.event import Event
from state.query import ExecutionMethod
from state.record import DecisionRecord
from tools.ledger.rows import newest
from tools.queries.collisions import collision_named
from tools.queries.row import QueryReading
from tools.storage.companions import was_only_weighed
from tools.storage.query_rows import note_undo
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.queries import query_log

USER_DID = "user_did"
"""The signal by which another program tells what a person did in it."""

_DECISION = select(decision.c.kind, decision.c.event, decision.c.accepted_at).where(
    decision.c.decision_id == bindparam("wanted")
)
_OFFER = select(offer).where(offer.c.chosen_decision_id == bindparam("wanted"))
_QUERY = select(query_log).where(query_log.c.decision_id == bindparam("wanted"))
_ASKED_AT = select(query_log.c.at).where(query_log.c.decision_id == bindparam("wanted"))
_RECENT = (
    select(query_log)
    .where(
        query_log.c.tenant_id == bindparam("tenant"),
        query_log.c.session_id == bindparam("session"),
        query_log.c.at >= bindparam("since"),
        or_(bindparam("user", type_=String).is_(None), query_log.c.user == bindparam("user")),
    )
    .order_by(query_log.c.at.desc(), text("query_log.rowid DESC"))
    .limit(1)
)
_EXECUTED = ("succeeded", "unknown")
"""Ends of an action that did something, or may have."""


@dataclass(frozen=True)
class QueryNotes:
    """Logs what a decision says about a query: its own, or the one whose chip was chosen."""

    reading: QueryReading

    def note(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
    ) -> None:
        """Log it whatever it stands at; what it ends as is written over it."""
        if was_only_weighed(stages):
            return
        kept = connection.execute(_DECISION, {"wanted": record.decision_id}).one()
        # A yes in words is a click and no query of its own.
        clicked = connection.execute(_OFFER, {"wanted": record.decision_id}).first() is not None
        if kept.kind == "message" and not clicked:
            row = self.reading.row(Event.model_validate(kept.event), record, stages)
            connection.execute(_PUT, {**row, "at": round(kept.accepted_at, 6)})
            _note_action(connection, record.decision_id, record.action_id, "auto")
        elif clicked or kept.kind == "choice":
            query_id = _note_choice(connection, self.reading, record)
            how: ExecutionMethod = "chip_said" if kept.kind == "message" else "chip_click"
            _note_action(connection, query_id, record.action_id, how)
        elif kept.kind == "signal":
            _note_signal(connection, self.reading, record, kept.event, kept.accepted_at)


def observe(
    connection: Connection, reading: QueryReading, row: Row[Any], action: str, at: float
) -> None:
    """Write down what a person did, and how far the prediction was from it."""
    connection.execute(
        update(query_log)
        .where(query_log.c.decision_id == row.decision_id)
        .values(
            action_observed=action,
            observed_at=at,
            collision_observed=collision_named(row.predicted_action, action, reading.catalogue),
        )
    )


def find_query(connection: Connection, decision_id: str, tenant_id: str) -> Row[Any] | None:
    """Read a row; another tenant's is not there."""
    row = connection.execute(_QUERY, {"wanted": decision_id}).first()
    return row if row is not None and row.tenant_id == tenant_id else None


_NEW = insert(query_log)
_SETTLED = (
    "user", "user_role", "raw_text", "normalized", "tokens", "verb_family", "predicted_action",
    "confidence", "alternatives", "execution_class", "entities", "reasons", "collision", "phase",
    "chip_ordering", "offer_id", "chips_shown", "outcome",
)  # fmt: skip
"""Columns that a message's own decision settles, and settles again when it is released or woken."""
_PUT = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    set_={name: _NEW.excluded[name] for name in _SETTLED},
)


def _note_choice(
    connection: Connection, reading: QueryReading, record: DecisionRecord
) -> str | None:
    """Note which chip was taken, and tell whose; None: this choice came from no chip of a query."""
    shown = connection.execute(_OFFER, {"wanted": record.decision_id}).first()
    if shown is None:
        return None
    chips = shown.body["chips"]
    position = next(
        place for place, chip in enumerate(chips, start=1) if chip["chip_id"] == shown.chosen
    )
    taken: str = chips[position - 1]["action"]
    row = connection.execute(_QUERY, {"wanted": shown.decision_id}).first()
    if row is None:
        return None
    connection.execute(
        update(query_log)
        .where(query_log.c.decision_id == shown.decision_id)
        .values(
            chip_chosen=taken,
            chip_position=position,
            chosen_at=shown.chosen_at,
            collision_observed=collision_named(row.predicted_action, taken, reading.catalogue),
        )
    )
    return str(shown.decision_id)


def _note_action(
    connection: Connection, query_id: str | None, action_id: str | None, how: ExecutionMethod
) -> None:
    """Note what was executed for a query, and that something was taken back.

    Args:
        how: if nobody had to approve it.
    """
    if action_id is None:
        return
    action = newest(connection, action_id)
    note_undo(connection, action)
    if query_id is None:
        return
    values: dict[str, Any] = {"action_id": action.action_id}
    if action.state in _EXECUTED and action.started_at is not None:
        started = action.started_at.timestamp()
        asked_at = connection.execute(_ASKED_AT, {"wanted": query_id}).scalar_one()
        gated = action.execution_class == "C"
        values |= {
            "action_executed": action.action,
            "execution_method": "confirmation" if gated else how,
            "executed_at": started,
            "time_to_action_ms": round(max(0.0, started - asked_at) * 1_000, 3),
        }
    connection.execute(
        update(query_log).where(query_log.c.decision_id == query_id).values(**values)
    )


def _note_signal(
    connection: Connection,
    reading: QueryReading,
    record: DecisionRecord,
    event: Mapping[str, Any],  # as it was accepted, JSON
    at: float,
) -> None:
    payload = event.get("payload") or {}
    action = payload.get("action")
    if payload.get("signal") != USER_DID or not isinstance(action, str):
        return
    if action not in reading.catalogue.actions:
        return
    wanted = {
        "tenant": record.tenant_id,
        "session": record.session_id,
        "since": at - reading.observed_seconds,
        "user": event.get("user"),  # a person speaks of what they did; none: a bridge's signal
    }
    row = connection.execute(_RECENT, wanted).first()
    if row is not None and row.action_observed is None:  # what was done first is what was meant
        observe(connection, reading, row, action, at)
