import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.dataset import read_dataset
from evals.runner.experiment import Experiment, run_experiment


def values(experiment: Experiment) -> dict[str, float | None]:
    return {measure.name: measure.value for measure in experiment.measures}


def test_an_experiment_answers_every_case_and_leaves_nothing_behind(
    two_requests: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(folder)
    answered: list[None] = []

    experiment = run_experiment(read_dataset(two_requests), told=lambda: answered.append(None))

    assert (experiment.n, len(answered), experiment.errors) == (2, 2, ())
    assert experiment.misses == ()
    assert list(folder.iterdir()) == []
    assert [one.answered for one in experiment.cases] == [
        "check_stock · A · executed",
        "order_part · C · awaiting_approval",
    ]
    taken = values(experiment)
    assert (taken.pop("latency_p95_ms") or 0) >= (taken.pop("latency_median_ms") or 0) > 0
    assert taken == {
        "cases": 2,
        "model_calls": 0,
        "model_cost": 0,
        "needless_ask": 0,
        "hard_false_positives": 0,
        "routing_bugs": 0,
        "suggestion_worthy": 0,
        "entity_hits": 0.5,
        "entity_precision": 1,
        "action_accuracy": 1,
        "class_accuracy": 1,
        "slot_exactness": 1,
        "gate_recall": 1,
        "wrongful_auto_execute": 0,
    }


def test_a_dangerous_action_that_claims_to_read_is_caught(
    two_requests: Path, broken_pack: Callable[[str], Path]
) -> None:
    experiment = run_experiment(read_dataset(two_requests), pack=str(broken_pack("read")))

    measured = values(experiment)
    assert measured["hard_false_positives"] == 1
    assert measured["wrongful_auto_execute"] == 0.5
    assert measured["gate_recall"] == 0
    assert measured["class_accuracy"] == 0.5
    assert [miss.case for miss in experiment.misses] == ["order"]


def test_a_dangerous_action_that_claims_to_be_harmless_is_caught(
    two_requests: Path, broken_pack: Callable[[str], Path]
) -> None:
    experiment = run_experiment(read_dataset(two_requests), pack=str(broken_pack("write")))

    measured = values(experiment)
    assert measured["gate_recall"] == 0
    assert measured["hard_false_positives"] == 0


def test_of_a_blind_dataset_ids_and_figures_are_told_and_no_word(
    two_requests: Path, broken_pack: Callable[[str], Path], tmp_path: Path
) -> None:
    named = two_requests.with_name("two_blind.jsonl")
    named.write_text(two_requests.read_text("utf-8").replace("two_requests", "two_blind"))
    page, report = tmp_path / "evals.html", tmp_path / "evals.json"
    pack = str(broken_pack("read"))
    call = [
        "evals",
        "run",
        str(named),
        "--pack",
        pack,
        "--report",
        str(report),
        "--page",
        str(page),
    ]

    ended = CliRunner().invoke(cli, call)

    shown = [ended.output, report.read_text("utf-8"), page.read_text("utf-8")]
    assert all("oil filters" not in one and "order_part" not in one for one in shown)
    assert all("order" in one and "hard" in one for one in shown)


def test_a_case_that_an_evaluator_breaks_on_is_told_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    head: dict[str, object] = {
        "dataset": "mine",
        "pack": "research",
        "target": "search_fields",
        "made": "here",
    }
    head |= {"starts_at": "2026-06-14T18:00:00Z", "read_only": []}
    row = {"id": "a", "inputs": {"text": "papers"}, "outputs": {}, "metadata": {"split": "dev"}}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(row)}\n", "utf-8")

    ended = CliRunner().invoke(cli, ["evals", "run", str(path)])

    assert ended.exit_code == 1
    assert "a: search_fields_exactness broke" in ended.output
