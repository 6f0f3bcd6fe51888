import json
from pathlib import Path
from typing import Any

import pytest

from evals.runner.datasets import read_dataset
from evals.targets.target import open_target

HEADER = {
    "dataset": "stream",
    "pack": "vessel",
    "target": "streams",
    "starts_at": "2026-06-14T18:00:00Z",
    "read_only": [],
    "made": "for a test",
}
HOT = {"threat": 0.6, "goal_relevance": 0.85, "actionability": 0.8, "novelty": 0.5}


def timed(at_seconds: float, name: str, *, event_id: str | None = None) -> dict[str, Any]:
    event = {
        "event_id": event_id or name,
        "source": "generator_panel",
        "text": "Port generator coolant temperature high: 93 degrees",
        "salience": HOT,
    }
    return {
        "id": name,
        "inputs": {"stream": "one", "at_seconds": at_seconds, "event": event},
        "outputs": {"speak": True, "reasons": ["relevant"]},
        "metadata": {"split": "dev", "why": "a test"},
    }


@pytest.fixture
def played(tmp_path: Path) -> list[dict[str, Any]]:
    """Return what was made of three events, asked for out of order in the end."""
    path = tmp_path / "stream.jsonl"
    rows = [timed(0, "first"), timed(5, "again", event_id="first"), timed(30, "soon")]
    path.write_text("\n".join(json.dumps(row) for row in (HEADER, *rows)), encoding="utf-8")
    dataset = read_dataset(path)
    with open_target(dataset) as target:
        answers = [target(dict(case.inputs)) for case in dataset.cases]
        return [*answers, target(dict(dataset.cases[0].inputs))]


def test_a_stream_is_played_on_one_session_with_its_own_time(played: list[dict[str, Any]]):
    first, again, soon, once_more = played

    assert (first["spoke"], first["verdict"]) == (True, "relevant")
    assert (again["spoke"], again["reason"]) == (False, "duplicate")
    assert soon["spoke"] is False
    assert {**once_more, "seconds": 0} == {**first, "seconds": 0}
