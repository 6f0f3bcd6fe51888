"""Record what waited beside a decision: told with it, dropped, or replaced by what is newer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from state.held import Beside
from state.judgement import Timing
from state.record import DecisionRecord
from tools.storage.holds import drop_hold
from tools.storage.standings import settle
from tools.storage.tables.decisions import decision, hold

_WAITING = select(decision.c.event_id, decision.c.thread_id).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.standing == "accepted"
)


def record_beside(connection: Connection, told: DecisionRecord, beside: Sequence[Beside]) -> None:
    """Record what was judged again with a decision; what it did not tell after all waits on."""
    for one in beside:
        if one.ending == "stays" or (one.ending == "told" and not told.spoke):
            continue
        outcome = "merged" if one.ending == "told" else "passed"
        reason = f"told_with:{told.decision_id}" if one.ending == "told" else one.reason
        _record(
            connection,
            one.decision_id,
            {"outcome": outcome, "reason": reason, "counterfactual": one.counterfactual},
            at=told.recorded_at,
            stage=one.model_dump(mode="json"),
        )


def replace_older(connection: Connection, held: DecisionRecord, timing: Timing) -> None:
    """Record what waits and says the same in older figures: only the newest state is told."""
    older = select(hold.c.decision_id).where(
        hold.c.tenant_id == held.tenant_id,
        hold.c.session_id == held.session_id,
        hold.c.group_key == timing.group,
        hold.c.identity == timing.identity,
        hold.c.released_at.is_(None),
        hold.c.decision_id != held.decision_id,
    )
    for decision_id in connection.scalars(older).all():
        ending = {
            "outcome": "merged",
            "reason": f"superseded_by:{held.decision_id}",
            "counterfactual": "nothing newer of the same before its moment came",
        }
        _record(connection, decision_id, ending, at=held.recorded_at, stage=None)


def record_twins(connection: Connection, judged: DecisionRecord, twins: Sequence[str]) -> None:
    """Record the identical events that waited behind one: what became of it is theirs too."""
    for decision_id in twins:
        row = connection.execute(_WAITING, {"wanted": decision_id}).first()
        if row is None:
            continue  # it is decided by itself
        record = judged.model_copy(
            update={
                "event_id": row.event_id,
                "decision_id": decision_id,
                "outcome": "merged",
                "reason": f"folded_into:{judged.decision_id}",
                "counterfactual": "another text, salience or payload, or coming later",
                "spoke": False,
                "output": "silent",
                "text": "",
                "elapsed_ms": 0.0,
                "models": (),  # what a model cost is counted once, with the one it was asked for
                **dict.fromkeys(("action", "arguments", "action_id", "offer_id", "response_id")),
            }
        )
        settle(connection, record, {}, "recorded", row.thread_id)


def _record(
    connection: Connection,
    decision_id: str,
    ending: Mapping[str, Any],
    *,
    at: datetime,
    stage: Mapping[str, Any] | None,
) -> None:
    row = connection.execute(
        select(decision.c.record, decision.c.stages, decision.c.thread_id).where(
            decision.c.decision_id == decision_id, decision.c.standing.in_(("held", "released"))
        )
    ).first()
    if row is None:
        return  # it came to its own end meanwhile
    record = DecisionRecord.model_validate(row.record)
    kept = record.model_copy(update={**ending, "spoke": False, "recorded_at": at})
    stages = {**row.stages, **({"beside": stage} if stage else {})}
    # Nothing but a release ends a hold, so that a replayed thread cannot: this is one.
    connection.execute(
        update(decision).where(decision.c.decision_id == decision_id).values(standing="released")
    )
    settle(connection, kept, stages, "recorded", row.thread_id)
    drop_hold(connection, decision_id)
