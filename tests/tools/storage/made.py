"""Events and records made for the tests of the store."""

from datetime import UTC, datetime
from typing import Any

from state.event import Event
from state.judgement import Timing
from state.record import DecisionRecord, Outcome
from tools.storage.decisions import SqlDecisions

NOW = datetime(2026, 6, 14, 12, 0, tzinfo=UTC)
LATER = Timing(
    outcome="queued",
    reason="busy:typing",
    response_type="observation",
    urgency=0.1,
    release_on=("typing_pause",),
    due_at=NOW,
)


def event(number: int, **given: Any) -> Event:
    usual = {"text": "hello", "tenant_id": "aurora", "source": "bridge", "occurred_at": NOW}
    return Event.model_validate({"event_id": f"e-{number}", **usual, **given})


def record(of: Event, outcome: Outcome = "spoke") -> DecisionRecord:
    return DecisionRecord(
        event_id=of.event_id,
        decision_id=of.decision_id,
        outcome=outcome,
        spoke=False,
        reason="said",
        tenant_id=of.tenant_id,
        recorded_at=NOW,
    )


async def finish(decisions: SqlDecisions, event: Event, thread_id: str) -> bool:
    return await decisions.finish(record(event), {}, lambda known: known, thread_id=thread_id)
