"""Scenes, lessons, wordings, discussions, queries: answered by the real parts, and judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.evaluators.attention import kept_waiting, told_in_time
from evals.evaluators.journal import found_nothing, reciprocal_rank
from evals.evaluators.responses import (
    answer_rating,
    facts_kept,
    needless_calls,
    negations_kept,
    nothing_invented,
)
from evals.runner.datasets import SHIPPED, read_dataset
from evals.runner.experiment import run_experiment


@pytest.mark.parametrize(
    ("judge", "said", "score"),
    [
        (facts_kept, "Robin has not come for 3 days", 1),
        (facts_kept, "robin has not come for three days", 1),
        (facts_kept, "Robinson has not come for 3 days", 0),
        (facts_kept, "Robin has not come for 30 days", 0),
        (nothing_invented, "Robin, 3 days late", 1),
        (nothing_invented, "Robin, 3 of 4 days late", 0),
        (nothing_invented, "Robin and Marta, 3 days", 0),
        (negations_kept, "Robin hasn't come", 1),
        (negations_kept, "Robin has come", 0),
        (negations_kept, "Nobody has not come", 0),
    ],
)
def test_facts_are_read_by_the_label_alone(judge: Any, said: str, score: float) -> None:
    label = {"facts": ["Robin", "3|three"], "denies": 1, "forbidden": ["Marta"]}

    assert judge({"said": [said]}, label)["score"] == score
    assert judge({"said": [said, ""]}, label)["score"] == (
        score if judge is nothing_invented else 0
    )
    assert judge({"said": []}, label)["score"] == 0


@pytest.mark.parametrize(
    ("at", "wanted", "in_time", "late"),
    [(10, [10, 11], 1, 0), (12, [10, 11], 0, 1), (None, [10, 11], 0, 1), (None, None, 1, None)],
)
def test_a_moment_is_right_within_its_seconds(at, wanted, in_time, late) -> None:
    label = {"timing": ["immediate"], "told": wanted, "alarm": wanted is not None}

    assert told_in_time({"told_at": at}, label)["score"] == in_time
    assert kept_waiting({"told_at": at}, label)["score"] == late


def test_an_answer_is_worth_what_people_said_and_an_earned_one_costs_no_call() -> None:
    label = {"rated": {"Close it.": 1.0, "Look.": 0.5}, "paths": ["heuristic"]}

    scores = [answer_rating({"said": said}, label)["score"] for said in ("Close it.", "Look.", "")]

    assert scores == [1.0, 0.5, 0.0]
    assert needless_calls([{"calls": 2}, {"calls": 0}], [label, label])["score"] == 2


def test_the_place_of_the_first_right_record_counts() -> None:
    given = {"found": ["a", "b", "c"]}

    assert reciprocal_rank(given, {"relevant": ["b", "c"]})["score"] == 0.5
    assert reciprocal_rank(given, {"relevant": ["z"]})["score"] == 0
    assert found_nothing(given, {"relevant": []})["score"] == 0
    assert found_nothing({"found": []}, {"relevant": []})["score"] == 1


@pytest.mark.parametrize(
    ("name", "cases", "spoilt", "measure"),
    [
        ("timing", ("timing-01", "timing-33", "timing-46"), {"told": None}, "told_in_time"),
        ("rated_strategies", ("rated-01", "rated-16"), {"paths": ["rejected"]}, "path_accuracy"),
        ("skill_wordings", ("wording-37", "wording-73"), {"facts": ["no such"]}, "facts_kept"),
        ("promises", ("promise-09", "promise-23"), {"between": [8, 9]}, "promise_kept"),
        ("journal_extraction", ("discussion-09",), {"maker": "nobody"}, "maker_accuracy"),
        ("journal_search", ("query-03", "query-56"), {"relevant": ["x"]}, "recall_at_1"),
    ],
)
def test_a_few_cases_are_right_and_a_wrong_label_is_a_miss(
    name: str,
    cases: tuple[str, ...],
    spoilt: dict[str, Any],
    measure: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    lines = (SHIPPED / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines[1:]) if row["id"] in cases]
    wrong = {**rows[0], "id": "spoilt", "outputs": {**rows[0]["outputs"], **spoilt}}
    path = tmp_path / f"{name}.jsonl"
    path.write_text("\n".join([lines[0], *map(json.dumps, [*rows, wrong])]), "utf-8")

    experiment = run_experiment(read_dataset(path), learnt=tmp_path)

    assert len(rows) == len(cases)
    assert experiment.errors == ()
    assert [one.case for one in experiment.misses] == ["spoilt"]
    assert measure in experiment.misses[0].wrong
