"""`prefrontal evals sync`, `feedback` and `pairwise`.

Datasets, people's feedback and comparisons at LangSmith.
"""

import asyncio
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID, uuid5

import typer
from langsmith import Client, evaluate
from langsmith.types import Run
from pydantic import Field
from sqlalchemy import Connection, select

from api.cli.data_folder import open_stored
from api.cli.options import AsJson, DataDir, Tenant, read_settings
from api.cli.terminal import OUT, print_json, print_note
from evals.evaluators.attention import speaking_accuracy
from evals.evaluators.routing import action_accuracy, search_fields_exactness
from evals.evaluators.scoring import Outputs, Reference, changing
from evals.langsmith.datasets import UPLOAD_SECONDS, is_online, open_client, plain_errors, quiet
from evals.runner.datasets import find_datasets, read_dataset
from state.errors import BadInput
from state.noun import Noun
from tools.storage.tables.ledger import ledger_action, ledger_approval
from tools.storage.tables.memory import feedback as feedback_table
from tools.storage.tables.memory import reasoning_trace
from tools.storage.tables.observability import query_log

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


def send_feedback(client: Client, opinions: Sequence[Opinion], project: str) -> Sent:
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
        select(reasoning_trace.c.decision_id, feedback_table.c.sign, feedback_table.c.given_by)
        .join(feedback_table, feedback_table.c.response_id == reasoning_trace.c.response_id)
        .where(
            feedback_table.c.tenant_id == tenant_id,
            reasoning_trace.c.tenant_id == tenant_id,
            feedback_table.c.kind == "explicit",
            feedback_table.c.at >= since,
        )
        .order_by(feedback_table.c.at)
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


EVEN = 0.5


class Preferred(Noun):
    """How often each answer was the better one."""

    first: int
    second: int
    even: int


def preferred(
    inputs: Mapping[str, Any],  # of the example, as JSON
    outputs: Sequence[Outputs],
    reference_outputs: Reference,
) -> list[float]:
    """Give 1 to the better answer, one half to each of two equally good ones.

    Harm outweighs everything: an answer that changed something without a yes loses to one that did
    not, whatever else it has right.
    """
    first, second = (_worth(given, reference_outputs) for given in outputs)
    if first == second:
        return [EVEN, EVEN]
    return [1.0, 0.0] if first > second else [0.0, 1.0]


def compare_at_langsmith(client: Client, first: str, second: str) -> Preferred:
    """Have two experiments on one dataset compared there, and count.

    Args:
        first: name or id of an experiment, as `evals run` left it.
    """
    judges: list[Any] = [preferred]  # typed as of runs alone, though it tells them by their names
    found = evaluate((first, second), evaluators=judges, client=client)
    scores = [one["evaluation_results"]["feedback.preferred"].scores for one in found]
    firsts = [next(iter(one.values())) for one in scores]
    return Preferred(
        first=sum(one > EVEN for one in firsts),
        second=sum(one < EVEN for one in firsts),
        even=sum(one == EVEN for one in firsts),
    )


def _worth(given: Outputs, reference: Reference) -> tuple[bool, float]:
    return (not changing(given, {"read_only": (), **reference}), _score(given, reference))


def _score(given: Outputs, reference: Reference) -> float:
    if "speak" in reference:
        return float(speaking_accuracy(given, reference)["score"])
    if "search" in reference:
        return float(search_fields_exactness(given, reference)["score"])
    return float(action_accuracy(given, reference)["score"])


SYNCED = "Example: prefrontal evals sync vessel_requests"
SENT = "Example: prefrontal evals feedback --project prefrontal"
PAIRED = "Example: prefrontal evals pairwise prefrontal-vessel_requests-1a2b prefrontal-…-3c4d"


def sync(
    datasets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATASET]...", help="Names or files; none: all that ship."),
    ] = None,
    as_json: AsJson = False,
    with_blind: Annotated[
        bool, typer.Option("--with-blind", help="Send datasets that nobody may look at, too.")
    ] = False,
) -> None:
    """Make LangSmith's datasets those of the files; run twice, the second time changes nothing.

    Whoever is there reads what is sent, so a dataset whose name ends with _blind stays here.
    """
    from evals.langsmith import datasets as there

    _need_a_key()
    client = open_client()
    for one in map(read_dataset, find_datasets(datasets or [])):
        if one.is_blind and not with_blind:
            if datasets:
                raise BadInput(f"{one.name} is blind: --with-blind sends its texts all the same")
            print_note(f"{one.name} is blind and stays here")
            continue
        with quiet(), plain_errors():
            done = there.sync(client, one)
        if as_json:
            print_json(done.model_dump())
        else:
            figures = f"{done.created} created, {done.changed} changed, {done.removed} removed"
            OUT.print(f"{done.dataset}: {figures}, {done.same} as they were")


def feedback(
    since: Annotated[float, typer.Option(help="Seconds since 1970; default: all.")] = 0.0,
    project: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where the traces are; default: LANGSMITH_PROJECT."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Send what people said of decisions to their traces: approvals, ratings, chips, undos.

    Scores and decision ids are sent, no word and no name; sent again, it is the same feedback.
    """

    async def read() -> list[Opinion]:
        async with open_stored(read_settings(None, data_dir)) as stored:
            return await stored.database.read(lambda at: read_opinions(at, tenant, since))

    _need_a_key()
    client = open_client()
    with quiet(), plain_errors():
        named = project or os.environ.get("LANGSMITH_PROJECT") or "default"
        done = send_feedback(client, asyncio.run(read()), named)
        client.close(timeout=UPLOAD_SECONDS)
    if as_json:
        print_json(done.model_dump())
    else:
        OUT.print(f"{done.sent} sent, {done.without_run} on decisions that have no trace there")


def pairwise(
    first: Annotated[str, typer.Argument(help="An experiment, by name or id.")],
    second: Annotated[str, typer.Argument(help="Another one on the same dataset.")],
    as_json: AsJson = False,
) -> None:
    """Have LangSmith lay two experiments side by side, with the better answer of each pair."""
    _need_a_key()
    with quiet(), plain_errors():
        done = compare_at_langsmith(open_client(), first, second)
    if as_json:
        print_json(done.model_dump())
    else:
        OUT.print(f"{done.first} times the first, {done.second} the second, {done.even} even")
    print_note("shown at LangSmith beside each other")


def _need_a_key() -> None:
    if not is_online():
        raise BadInput("LangSmith is off: set LANGSMITH_API_KEY, and not EXECUTIVE_LANGSMITH=false")
