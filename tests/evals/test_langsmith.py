from pathlib import Path

import pytest

from evals.dataset import read_dataset
from evals.experiments import run_experiment
from tests.evals.langsmith_stub import LangSmithStub


def test_with_a_key_the_dataset_and_every_score_reach_langsmith(
    two_requests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = read_dataset(two_requests)
    with LangSmithStub() as langsmith:
        monkeypatch.setenv("LANGSMITH_API_KEY", "a key")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", langsmith.url)

        experiment = run_experiment(dataset)

    assert [one["name"] for one in langsmith.datasets] == [f"two_requests {dataset.version}"]
    assert [one["metadata"]["case"] for one in langsmith.examples] == ["look", "order"]
    assert experiment.n == 2
    assert {one["key"] for one in langsmith.feedback} >= {"action_accuracy", "gate_recall"}
    assert "hard_false_positives" in {one["key"] for one in langsmith.feedback}
    assert any(call == "POST /runs/multipart" for call in langsmith.calls)
