"""Scenes, lessons, wordings, discussions, queries: answered by the real parts, and judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.dataset import SHIPPED, read_dataset
from evals.evaluators.attention import kept_waiting, told_in_time
from evals.evaluators.journal import found_nothing, reciprocal_rank
from evals.evaluators.requests import search_fields_exactness
from evals.evaluators.responses import (
    answer_rating,
    facts_kept,
    needless_calls,
    negations_kept,
    nothing_invented,
)
from evals.runner.experiment import run_experiment
from evals.targets.target import open_target
from state.policy import SearchPolicy


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


@pytest.mark.parametrize(
    ("given", "wanted", "score"),
    [
        ({"year_from": 2020, "limit": 10}, {"year_from": 2020}, 1.0),
        ({"year_from": 2020, "limit": 5}, {"year_from": 2020}, 0.0),
        ({"year_from": 2020}, {"year_from": 2020, "year_to": 2021}, 0.0),
        ({"query_terms": ["bees"]}, {}, 1.0),
        ({"query_terms": ["bees"]}, {"query_terms": ["tides"]}, 0.0),
        (None, None, 1.0),
        (None, {"year_from": 2020}, 0.0),
        ({"year_from": 2020}, None, 0.0),
    ],
)
def test_every_search_field_counts_the_unnamed_ones_too(given, wanted, score) -> None:
    absent = {**SearchPolicy().model_dump(mode="json"), **(given or {})}

    judged = search_fields_exactness(
        {"search": absent if given is not None else None}, {"search": wanted}
    )

    assert judged["score"] == score


def test_search_fields_that_were_never_read_are_wrong() -> None:
    assert search_fields_exactness({}, {"search": None})["score"] == 0.0


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
