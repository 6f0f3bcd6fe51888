"""A row of the query log in the form of the execution contract §5."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row

from state.query import Query, QueryOutcome, QueryRouting, QueryText


def to_query(row: Row[Any]) -> Query:
    """Turn a row of query_log into the noun."""
    return Query(
        timestamp=datetime.fromtimestamp(row.at, UTC),
        session_id=row.session_id,
        yacht_id=row.tenant_id,
        user_role=row.user_role,
        query=QueryText(raw_text=row.raw_text, normalized=row.normalized, tokens=row.tokens),
        routing=QueryRouting(
            verb_family=row.verb_family,
            predicted_action=row.predicted_action,
            confidence=row.confidence,
            alternatives=row.alternatives,
            execution_class=row.execution_class,
            reasons=row.reasons,
            collision=row.collision,
            phase=row.phase,
        ),
        entities=row.entities,
        outcome=QueryOutcome(
            chips_shown=row.chips_shown,
            action_executed=row.action_executed,
            execution_method=row.execution_method,
            time_to_action_ms=row.time_to_action_ms,
            undo_triggered=row.undo_triggered,
            chip_chosen=row.chip_chosen,
            chip_position=row.chip_position,
            chip_ordering=row.chip_ordering,
            action_observed=row.action_observed,
            collision_observed=row.collision_observed,
            decision=row.outcome,
        ),
        decision_id=row.decision_id,
        user=row.user,
        action_id=row.action_id,
        offer_id=row.offer_id,
    )
