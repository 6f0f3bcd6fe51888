"""What people said of decisions, as feedback on the runs that LangSmith traced of them."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid5

from langsmith import Client
from langsmith.types import Run
from pydantic import Field
from sqlalchemy import Connection, select

from state.noun import Noun
from tools.storage.tables.learning import feedback, reasoning_trace
from tools.storage.tables.ledger import ledger_action, ledger_approval
from tools.storage.tables.queries import query_log

_RATINGS: Mapping[str, float] = {"good": 1.0, "meh": 0.5, "bad": 0.0}
_EVER = datetime(2020, 1, 1, tzinfo=UTC)
"""Without a time LangSmith looks for runs of the last day alone."""
_NEVER = datetime.max.replace(tzinfo=UTC)
_NAMESPACE = UUID("8f2c2f0e-8a0b-5f0e-9f63-2f4c1b6f3d11")


class Opinion(Noun):
    """One word of a person on a decision; whose it is decides its id, and is not told."""

    decision_id: str
    key: str = Field(description="approval, rating, primary_chip or kept")
    score: float = Field(ge=0, le=1)
    whose: str

    @property
    def id(self) -> UUID:
        """Return the same id each time: sent again it is the same feedback."""
        return uuid5(_NAMESPACE, f"{self.decision_id} {self.key} {self.whose}")


class Sent(Noun):
    """What a run of it came to."""

    sent: int
    without_run: int = Field(description="opinions on decisions that LangSmith has no run of")


def read_opinions(connection: Connection, tenant_id: str, since: float) -> list[Opinion]:
    """Collect approvals and refusals, ratings of responses, chips that were taken, and undos."""
    found = list(_approvals(connection, tenant_id, since))
    found += _ratings(connection, tenant_id, since)
    found += _choices(connection, tenant_id, since)
    return found


def send(client: Client, opinions: Sequence[Opinion], project: str) -> Sent:
    """Send each opinion to the first run of its decision's thread."""
    runs = asyncio.run(_runs(client, {one.decision_id for one in opinions}, project))
    sent = 0
    for one in opinions:
        run = runs.get(one.decision_id)
        if run is None:
            continue
        client.create_feedback(
            run.id,
            one.key,
            score=one.score,
            session_id=run.project_id,
            start_time=run.start_time,
            feedback_id=one.id,
            source_info={"decision": one.decision_id},
        )
        sent += 1
    return Sent(sent=sent, without_run=len(opinions) - sent)


async def _runs(client: Client, decisions: Collection[str], project: str) -> Mapping[str, Run]:
    """Find the first run of each decision's thread, which LangGraph tells in its metadata."""
    project_id = str(client.read_project(project_name=project).id)
    found: dict[str, Run] = {}
    for one in sorted(decisions):
        wanted = f'and(eq(metadata_key, "thread_id"), eq(metadata_value, "{one}"))'
        pages = client.runs.query(
            project_ids=[project_id],
            filter=wanted,
            is_root=True,
            min_start_time=_EVER,
            selects=["ID", "PROJECT_ID", "START_TIME"],
        )
        runs = [run async for run in pages]
        if runs:
            found[one] = min(runs, key=lambda run: run.start_time or _NEVER)
    return found


def _approvals(connection: Connection, tenant_id: str, since: float) -> Iterator[Opinion]:
    query = (
        select(ledger_action.c.decision_id, ledger_approval.c.approver)
        .join(ledger_action, ledger_action.c.action_id == ledger_approval.c.action_id)
        .where(ledger_action.c.tenant_id == tenant_id, ledger_approval.c.decided_at >= since)
        .where(ledger_action.c.execution_class == "C", ledger_approval.c.decision == "approve")
        .order_by(ledger_approval.c.decided_at)
    )
    for decision_id, approver in connection.execute(query):
        yield Opinion(decision_id=decision_id, key="approval", score=1.0, whose=approver)
    ledger = ledger_action.c
    refused = (
        select(ledger.decision_id, ledger.decided_by)
        .where(ledger.tenant_id == tenant_id, ledger.proposed_at >= since)
        .where(ledger.execution_class == "C", ledger.state == "rejected")
        .order_by(ledger.proposed_at)
    )
    for decision_id, refuser in connection.execute(refused):
        yield Opinion(decision_id=decision_id, key="approval", score=0.0, whose=refuser or "")


def _ratings(connection: Connection, tenant_id: str, since: float) -> Iterator[Opinion]:
    query = (
        select(reasoning_trace.c.decision_id, feedback.c.sign, feedback.c.given_by)
        .join(feedback, feedback.c.response_id == reasoning_trace.c.response_id)
        .where(
            feedback.c.tenant_id == tenant_id,
            reasoning_trace.c.tenant_id == tenant_id,
            feedback.c.kind == "explicit",
            feedback.c.at >= since,
        )
        .order_by(feedback.c.at)
    )
    for row in connection.execute(query):
        score = _RATINGS[row.sign]
        yield Opinion(
            decision_id=row.decision_id, key="rating", score=score, whose=row.given_by or ""
        )


def _choices(connection: Connection, tenant_id: str, since: float) -> Iterator[Opinion]:
    log = query_log.c
    query = (
        select(log.decision_id, log.chip_position, log.undo_triggered, log.user)
        .where(log.tenant_id == tenant_id, log.at >= since)
        .order_by(log.at)
    )
    for decision_id, position, undone, who in connection.execute(query):
        if position is not None:
            first = float(position == 1)
            yield Opinion(decision_id=decision_id, key="primary_chip", score=first, whose=who or "")
        if undone:
            yield Opinion(decision_id=decision_id, key="kept", score=0.0, whose=who or "")
