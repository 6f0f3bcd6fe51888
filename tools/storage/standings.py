"""Where a decision stands, and who may move it where."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import JsonValue, TypeAdapter
from sqlalchemy import ColumnElement, Connection, Update, bindparam, select, update

from state.approval import ActionState
from state.arrival import Standing
from state.record import DecisionRecord
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action

_STAGES = TypeAdapter(dict[str, JsonValue])
_MOVES_FROM: Mapping[Standing, tuple[Standing, ...]] = {
    "held": ("accepted", "released"),
    "waiting": ("accepted", "released", "waiting"),
    "recorded": ("accepted", "released", "waiting"),
}
_OPEN: tuple[ActionState, ...] = ("proposed", "pending", "approved", "started")


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
    values = {
        "wanted": record.decision_id,
        "thread": thread_id,
        "standing": standing,
        "outcome": record.outcome,
        "recorded_at": record.recorded_at.timestamp(),
        "record": record.model_dump(mode="json"),
        "stages": _STAGES.validate_python(stages),
    }
    return connection.execute(_move_to(standing), values).rowcount == 1


@cache  # to build a statement takes longer than to run it
def _move_to(standing: Standing) -> Update:
    movable: list[ColumnElement[bool]] = [decision.c.standing.in_(_MOVES_FROM[standing])]
    if standing == "recorded":
        movable.append(~_has_action_in(*_OPEN))
    return update(decision).where(
        decision.c.decision_id == bindparam("wanted"),
        decision.c.thread_id == bindparam("thread"),
        *movable,
    )


def is_answered() -> ColumnElement[bool]:
    """Build the condition that a decision waits for a person though nothing is pending."""
    return (decision.c.standing == "waiting") & ~_has_action_in("proposed", "pending")


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
