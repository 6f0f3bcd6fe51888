"""Settle a decision with all that goes along: its secrets covered, its notes, its choice over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from state.arrival import Standing
from state.record import DecisionRecord
from tools.storage.companions import Covers, Notes, was_only_weighed
from tools.storage.standings import settle

Settled = tuple[Callable[[], None], ...] | None
"""What is to be called once the transaction is kept; None: nothing was changed."""


def settle_covered(
    connection: Connection,
    record: DecisionRecord,
    stages: Mapping[str, Any],
    standing: Standing,
    *,
    thread_id: str,
    covering: Covers | None,
    notes: Sequence[Notes] = (),
) -> Settled:
    """Move a decision as standings.settle does, and leave no secret of it in clear.

    Args:
        notes: given the decision uncovered, in this order.
    """
    kept = covering.decision(record, stages) if covering else (record, stages)
    if not settle(connection, *kept, standing, thread_id):
        return None
    after = [each.note(connection, record, stages, standing) for each in notes]
    if covering and standing == "recorded" and not was_only_weighed(stages):
        covering.forget_choice(connection, record.decision_id)
    return tuple(each for each in after if each is not None)


def told(settled: Settled) -> bool:
    """Call what waited for the transaction to be kept; tell whether anything was changed."""
    for tell in settled or ():
        tell()
    return settled is not None
