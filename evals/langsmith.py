"""LangSmith: a client where one is allowed, datasets in sync with ours, and people's feedback.

`prefrontal evals sync` and `feedback`. A dataset there has one of our names, and each case a stable
id.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from typing import Annotated, Any
from uuid import UUID, uuid5
from warnings import catch_warnings, simplefilter

import typer
from langsmith import Client
from langsmith._exceptions import LangsmithError as ApiError
from langsmith.schemas import Example
from langsmith.types import Run
from langsmith.utils import LangSmithError
from pydantic import Field
from sqlalchemy import Connection, select
from urllib3.util import Retry

from api.cli.data_folder import open_tables
from api.cli.options import AsJson, DataDir, Tenant, read_settings
from api.cli.terminal import OUT, print_json, print_note
from evals.dataset import Dataset, find_datasets
from evals.options import Datasets, app
from graph.settings import Settings
from state.errors import BadInput, Unreachable
from state.noun import Noun
from tools.storage.tables.ledger import ledger_action, ledger_approval
from tools.storage.tables.memory import feedback as feedback_table
from tools.storage.tables.memory import reasoning_trace
from tools.storage.tables.observability import query_log

NOWHERE = "http://127.0.0.1:9"
"""The discard port: what would be sent in spite of everything reaches nobody."""
UPLOAD_SECONDS = 30.0
"""How long what is still to be sent may take at the end."""


_TIMEOUT_MS = (5_000, 20_000)
"""To connect, and to answer."""
RETRY = Retry(
    total=2,
    backoff_factor=0.5,
    status_forcelist=(408, 425, 429, 500, 502, 503, 504),
    allowed_methods=None,
    respect_retry_after_header=False,
    raise_on_redirect=False,
    raise_on_status=False,
)
"""Short: the library's own waits as long as a 429 asks for, an hour, while somebody looks on."""


def is_online() -> bool:
    """Tell whether anything is sent: a key is set, and the switch is not off."""
    return bool(os.environ.get("LANGSMITH_API_KEY")) and Settings().langsmith


def open_client() -> Client:
    """Make a client; offline it asks for no information and keeps no trace of any run."""
    if is_online():
        return Client(timeout_ms=_TIMEOUT_MS, retry_config=RETRY)
    return Client(api_url=NOWHERE, api_key="offline", info={}, tracing_sampling_rate=0.0)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep langsmith's own lines and bar off the terminal; what they say is in the result."""
    # tqdm reads its variable when it is imported, which evaluate does late.
    os.environ.setdefault("TQDM_DISABLE", "1")
    logger = logging.getLogger("langsmith")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with redirect_stdout(StringIO()), catch_warnings():
            simplefilter("ignore")  # that running offline is beta
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Say in a sentence what LangSmith answered where it did not do what it was asked.

    Raises:
        Unreachable: it refused, failed half way or did not answer; what it took stays there.
    """
    try:
        yield
    except (LangSmithError, ApiError, OSError) as error:
        said = str(error).partition("\n")[0][:200]
        sentence = f"LangSmith did not do it: {said}. What it took stays; run it again for the rest"
        raise Unreachable(sentence) from error


_OURS = {"case", "fingerprint"}
"""What the metadata of every example has that we sent; those of others are left alone."""
AT_ONCE = 100
"""Examples sent in one request."""


class Synced(Noun):
    """What a sync came to."""

    dataset: str
    created: int
    changed: int
    removed: int
    same: int


def sync(client: Client, dataset: Dataset) -> Synced:
    """Make LangSmith's examples those of the file: ids and splits as here, nothing twice.

    An example is known by its id alone, which follows from the names of dataset and case; it is
    sent again when its fingerprint, split or any other metadata differs.
    """
    wanted = {str(one.id): one for one in dataset.examples()}
    if client.has_dataset(dataset_name=dataset.name):
        at = client.read_dataset(dataset_name=dataset.name)
    else:
        at = client.create_dataset(dataset.name, description=dataset.header.made)
    there = {str(one.id): one for one in client.list_examples(dataset_id=at.id)}
    new = [one for key, one in wanted.items() if key not in there]
    changed = [
        one
        for key, one in wanted.items()
        if key in there and _metadata(there[key]) != _metadata(one)
    ]
    gone = [key for key, one in there.items() if key not in wanted and {*_metadata(one)} >= _OURS]
    for part in _parts(new):
        client.create_examples(
            dataset_id=at.id, examples=[_sent(one, "reference_outputs") for one in part]
        )
    for part in _parts(changed):
        # The client has another word for what is right where an example is there already.
        client.update_examples(dataset_id=at.id, updates=[_sent(one, "outputs") for one in part])
    for some in _parts(gone):
        client.delete_examples(some)
    return Synced(
        dataset=dataset.name,
        created=len(new),
        changed=len(changed),
        removed=len(gone),
        same=len(wanted) - len(new) - len(changed),
    )


def uploaded(client: Client, dataset: Dataset) -> Sequence[Example]:
    """Sync a dataset and read its examples there, in the order of the file; no others."""
    sync(client, dataset)
    order = {str(one.id): number for number, one in enumerate(dataset.examples())}
    found = [one for one in client.list_examples(dataset_name=dataset.name) if str(one.id) in order]
    return sorted(found, key=lambda one: order[str(one.id)])


def case_of(example: Example) -> str:
    """Name the case that an example was made of."""
    return str((example.metadata or {})["case"])


def _sent(example: Example, right: str) -> dict[str, Any]:  # as the client's own models read it
    return {
        "id": example.id,
        "inputs": example.inputs,
        right: example.outputs,
        "metadata": example.metadata,
        "split": (example.metadata or {})["dataset_split"],
    }


def _metadata(example: Example) -> Mapping[str, Any]:  # JSON
    return dict(example.metadata or {})


def _parts(several: Sequence[Any]) -> Iterable[Sequence[Any]]:  # of one kind
    return (several[start : start + AT_ONCE] for start in range(0, len(several), AT_ONCE))


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


@app.command("sync", epilog="Example: prefrontal evals sync vessel_requests")
def sync_datasets(
    datasets: Datasets = None,
    as_json: AsJson = False,
    with_blind: Annotated[
        bool, typer.Option("--with-blind", help="Send datasets that nobody may look at, too.")
    ] = False,
) -> None:
    """Make LangSmith's datasets those of the files; run twice, the second time changes nothing.

    Whoever is there reads what is sent, so a dataset whose name ends with _blind stays here.
    """
    _need_a_key()
    client = open_client()
    for one in find_datasets(datasets or []):
        if one.is_blind and not with_blind:
            if datasets:
                raise BadInput(f"{one.name} is blind: --with-blind sends its texts all the same")
            print_note(f"{one.name} is blind and stays here")
            continue
        with quiet(), plain_errors():
            done = sync(client, one)
        if as_json:
            print_json(done.model_dump())
        else:
            figures = f"{done.created} created, {done.changed} changed, {done.removed} removed"
            OUT.print(f"{done.dataset}: {figures}, {done.same} as they were")


@app.command(epilog="Example: prefrontal evals feedback --project prefrontal")
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
        async with open_tables(read_settings(None, data_dir)) as database:
            return await database.read(lambda at: read_opinions(at, tenant, since))

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


def _need_a_key() -> None:
    if not is_online():
        raise BadInput("LangSmith is off: set LANGSMITH_API_KEY, and not EXECUTIVE_LANGSMITH=false")
