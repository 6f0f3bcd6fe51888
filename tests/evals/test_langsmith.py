"""LangSmith, by its real client and a server on loopback that keeps what it is sent."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import langsmith
import pytest
from langsmith import Client
from typer.testing import CliRunner

from api.cli.commands import cli
from api.cli.doctor.service_checks import check_traces
from evals import langsmith as clients
from evals.dataset import read_dataset
from evals.langsmith import AT_ONCE, Opinion, send_feedback, sync
from evals.runner.experiment import run_experiment
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.event import Event
from tests.evals.conftest import ORDER
from tests.evals.langsmith_stub import LangSmithStub
from tests.graph.harbour import HARBOUR

forget_environment: Callable[[], None] = vars(langsmith.utils)["get_env_var"].cache_clear
ORDER_AS_B = {"action": "order_part", "execution_class": "B", "slots": None}


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmithStub]:
    """Serve a LangSmith, and set everything that makes the client talk to it."""
    with LangSmithStub() as serving:
        monkeypatch.setenv("LANGSMITH_API_KEY", "a key")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", serving.url)
        monkeypatch.setenv("LANGSMITH_PROJECT", "ours")
        forget_environment()
        yield serving
    langsmith.configure(enabled=None)
    forget_environment()


def test_experiments_reach_langsmith(two_requests: Path, stub: LangSmithStub) -> None:
    dataset = read_dataset(two_requests)

    experiment = run_experiment(dataset)

    assert [one["name"] for one in stub.datasets] == ["two_requests"]
    assert {one["metadata"]["case"] for one in stub.examples} == {"look", "order"}
    assert experiment.n == 2
    assert {one["key"] for one in stub.feedback} >= {"action_accuracy", "gate_recall"}
    assert "hard_false_positives" in {one["key"] for one in stub.feedback}


def test_a_dataset_is_synced_without_a_duplicate(two_requests: Path, stub: LangSmithStub) -> None:
    first = sync(Client(), read_dataset(two_requests))
    kept = {one["id"] for one in stub.examples}
    again = sync(Client(), read_dataset(two_requests))
    lines = two_requests.read_text("utf-8").splitlines()
    changed = json.dumps(ORDER | {"outputs": ORDER_AS_B})
    two_requests.write_text("\n".join([lines[0], changed]), "utf-8")
    third = sync(Client(), read_dataset(two_requests))

    assert (first.created, first.same) == (2, 0)
    assert (again.created, again.changed, again.removed, again.same) == (0, 0, 0, 2)
    assert (third.created, third.changed, third.removed) == (0, 1, 1)
    theirs = {"id": str(uuid4()), "dataset_id": stub.examples[0]["dataset_id"], "inputs": {}}
    stub.examples.append({**theirs, "outputs": {}, "metadata": {}})  # of a person, by hand
    assert (sync(Client(), read_dataset(two_requests)).removed, len(stub.examples)) == (0, 2)
    (left,) = stub.examples[:1]
    assert left["id"] in kept
    assert left["outputs"]["execution_class"] == "B"
    assert left["metadata"]["dataset_split"] == ["test"]
    assert len(stub.datasets) == 1


def test_what_people_said_is_feedback_on_the_run_of_the_decision(stub: LangSmithStub) -> None:
    Client().create_project("ours")
    for number, second in enumerate((5, 1)):
        run_id = f"{number}" * 8 + "-0000-4000-8000-000000000000"
        stub.runs[run_id] = {
            "id": run_id,
            "trace_id": run_id,
            "name": "graph",
            "run_type": "chain",
            "dotted_order": run_id,
            "start_time": f"2026-06-14T18:00:0{second}Z",
            "session_name": "ours",
            "extra": {"metadata": {"thread_id": "decided"}},
        }
    said = [
        Opinion(decision_id="decided", key="approval", score=1.0, whose="petra"),
        Opinion(decision_id="decided", key="rating", score=0.0, whose="ben"),
        Opinion(decision_id="not traced", key="rating", score=1.0, whose="ben"),
    ]

    sent = [send_feedback(Client(), said, "ours") for _twice in range(2)]

    assert [(one.sent, one.without_run) for one in sent] == [(2, 1)] * 2
    assert {one["run_id"] for one in stub.feedback} == {"1" * 8 + "-0000-4000-8000-000000000000"}
    assert len({one["id"] for one in stub.feedback}) == 2
    assert "petra" not in json.dumps(stub.feedback)


@pytest.mark.parametrize("is_on", [True, False])
async def test_one_switch_silences_everything(
    is_on: bool,
    stub: LangSmithStub,
    two_requests: Path,
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("EXECUTIVE_LANGSMITH", str(is_on).lower())
    settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),))

    async with open_executive(settings) as executive:
        asked = Event(kind="message", text="show lock LK-12", user="amir", role="keeper")
        accepted = await executive.accept(asked)
        record = await executive.decide(accepted.decision_id)
    langsmith.run_trees.get_cached_client().flush()
    ended = CliRunner().invoke(cli, ["evals", "sync", str(two_requests)])

    assert record.outcome == "executed"
    assert bool(stub.calls) is is_on, stub.calls
    assert bool(stub.examples) is is_on
    assert ended.exit_code == (0 if is_on else 2)
    threads = {
        (run.get("extra") or {}).get("metadata", {}).get("thread_id") for run in stub.runs.values()
    }
    assert (record.decision_id in threads) is is_on
    assert ("LangSmith" in (await check_traces(settings, 1.0)).says) is is_on


def test_a_sync_that_is_cut_off_says_so_and_the_next_one_sends_the_rest(
    two_requests: Path, stub: LangSmithStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "RETRY", clients.RETRY.new(backoff_factor=0))
    header, look, _order = two_requests.read_text("utf-8").splitlines()
    many = (look.replace('"look"', f'"look-{number}"') for number in range(AT_ONCE + 1))
    two_requests.write_text("\n".join([header, *many]), "utf-8")
    asked = ["evals", "sync", str(two_requests)]
    stub.fails_on, stub.fails_with = ("/examples", 2), 429  # for an hour: nobody waits for it

    cut = CliRunner().invoke(cli, asked)
    half, stub.fails_on = len(stub.examples), None
    again = CliRunner().invoke(cli, [*asked, "--json"])

    assert (cut.exit_code, half) == (1, AT_ONCE)
    assert "LangSmith did not do it" in cut.stderr
    assert json.loads(again.stdout)["created"] == 1
    assert (len(stub.datasets), len(stub.examples)) == (1, AT_ONCE + 1)


def test_a_blind_dataset_stays_here_unless_it_is_said_twice(
    two_requests: Path, stub: LangSmithStub
) -> None:
    named = two_requests.with_name("two_blind.jsonl")
    named.write_text(two_requests.read_text("utf-8").replace("two_requests", "two_blind"))

    refused = CliRunner().invoke(cli, ["evals", "sync", str(named)])
    run_experiment(read_dataset(named))
    before = [call for call in stub.calls if call != "GET /info"]
    sent = CliRunner().invoke(cli, ["evals", "sync", str(named), "--with-blind"])

    assert (refused.exit_code, before) == (2, [])
    assert sent.exit_code == 0
    assert len(stub.examples) == 2
    stub.fails_on = ("/sessions", 1)
    ran = CliRunner().invoke(cli, ["evals", "run", str(two_requests), "--no-gates"])
    assert (ran.exit_code, "LangSmith did not do it" in ran.stderr) == (1, True), ran.output
