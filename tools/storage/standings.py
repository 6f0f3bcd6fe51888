"""Where a decision stands, and who may move it where."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, TypeAdapter
from sqlalchemy import ColumnElement, Connection, select, update

from state.approval import ActionState
from state.arrival import Standing
from state.record import DecisionRecord
from tools.storage.tables import decision, ledger_action

_STAGES = TypeAdapter(dict[str, JsonValue])
_MOVES_FROM: Mapping[Standing, tuple[Standing, ...]] = {
    "held": ("accepted", "released"),
    "waiting": ("accepted", "released", "waiting"),
    "recorded": ("accepted", "released", "waiting"),
}
_OPEN: tuple[ActionState, ...] = ("pending", "approved", "started")


def settle(
    connection: Connection,
    record: DecisionRecord,
    stages: Mapping[str, Any],
    standing: Standing,
    thread_id: str,
) -> bool:
    """Move a decision; only its own thread may, only forwards, and never past an open question.

    Whatever a replayed, forked or rewritten graph thinks it has decided, the rows say where the
    decision stands.
    """
    movable: list[ColumnElement[bool]] = [decision.c.standing.in_(_MOVES_FROM[standing])]
    if standing == "recorded":
        movable.append(~_has_action_in(*_OPEN))
    statement = (
        update(decision)
        .where(
            decision.c.decision_id == record.decision_id,
            decision.c.thread_id == thread_id,
            *movable,
        )
        .values(
            standing=standing,
            outcome=record.outcome,
            recorded_at=record.recorded_at.timestamp(),
            record=record.model_dump(mode="json"),
            stages=_STAGES.validate_python(stages),
        )
    )
    return connection.execute(statement).rowcount == 1


def is_answered() -> ColumnElement[bool]:
    """Build the condition that a decision waits for a person though nothing is pending."""
    return (decision.c.standing == "waiting") & ~_has_action_in("pending")


def _has_action_in(*states: ActionState) -> ColumnElement[bool]:
    return (
        select(ledger_action.c.action_id)
        .where(
            ledger_action.c.decision_id == decision.c.decision_id,
            ledger_action.c.execution_class == "C",
            ledger_action.c.state.in_(states),
        )
        .exists()
    )
