"""`prefrontal evals speaking`: labelled streams of any make, and figures that are right."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.simulation.streams import JudgedEvent, auc, figures_of, read_labelled
from state.errors import BadInput


def judged(wanted: bool, told: bool, margin: float = 0.0) -> JudgedEvent:
    return JudgedEvent(
        case="c",
        stream="s",
        text="t",
        wanted=wanted,
        told=told,
        at_once=told,
        margin=margin,
        reason="r",
    )


def written(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def test_the_figures_count_both_sides_the_same() -> None:
    cases = [judged(True, True)] * 3 + [judged(True, False)] + [judged(False, True)] * 2
    cases += [judged(False, False)] * 6
    ours, always, never = figures_of(cases)
    assert (ours.sensitivity, ours.specificity, ours.balanced_accuracy) == (0.75, 0.75, 0.75)
    assert ours.false_alarms == pytest.approx(100 * 2 / 12)
    assert (always.balanced_accuracy, never.balanced_accuracy) == (0.5, 0.5)
    assert (always.spoke, never.spoke) == (12, 0)
    assert ours.low < 0.75 < ours.high


def test_ranking_is_half_right_on_ties_and_unknown_for_one_label() -> None:
    mixed = [judged(True, True, 0.2), judged(False, False, 0.2), judged(False, False, 0.1)]
    assert auc(mixed) == 0.75
    assert auc(mixed[:1]) is None


def test_events_are_read_one_a_line_or_one_stream_a_line(tmp_path: Path) -> None:
    alone = written(tmp_path, "a.jsonl", {"id": "x", "context": "Rain", "label": 1, "other": 3})
    (case,) = read_labelled(alone, None, step_seconds=60)
    assert (case.case, case.wanted, case.event.text) == ("x", True, "Rain")
    events = [{"i": 0, "t": "Day 1", "text": "Rain"}, {"i": 1, "text": "Sun"}]
    streams = written(tmp_path, "s.jsonl", {"trace": "t", "events": events})
    labels = written(
        tmp_path,
        "l.jsonl",
        {"trace": "t", "i": 0, "label": 1},
        {"trace": "t", "i": 1, "label": 0},
    )
    first, second = read_labelled(streams, labels, step_seconds=60)
    assert [first.wanted, second.wanted] == [True, False]
    assert first.event.session_id == second.event.session_id
    assert first.event.occurred_at is not None
    assert second.event.occurred_at is not None
    assert (second.event.occurred_at - first.event.occurred_at).total_seconds() == 60


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"id": "x", "text": "Rain"}, "no label"),
        ({"id": "x", "label": 1}, "no text"),
        ({"id": "x", "text": "Rain", "label": 2}, "no label"),
        ({"trace": "t", "events": ["Rain"]}, "no JSON object"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, row, says) -> None:
    path = written(tmp_path, "bad.jsonl", row)
    with pytest.raises(BadInput, match=says) as refused:
        read_labelled(path, None, step_seconds=60)
    assert "bad.jsonl:1" in str(refused.value)


def test_streams_are_played_through_the_whole_graph(tmp_path: Path) -> None:
    goal = {"goal_relevance": 0.9}
    rows = [
        {"id": "1", "stream": "a", "text": "The ferry is early", "salience": goal, "label": 1},
        {"id": "2", "stream": "a", "text": "The ferry is early", "salience": goal, "label": 0},
        {"id": "3", "text": "Wind", "salience": {"novelty": 0.05}, "label": 0},
        {"id": "4", "text": "A seal in a hat", "salience": {"humor": 0.95}, "label": 0},
    ]
    path = written(tmp_path, "stream.jsonl", *rows)
    result = CliRunner().invoke(app, ["speaking", str(path), "--words-only", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    reasons = {one["case"]: (one["told"], one["reason"]) for one in told["events"]}
    assert reasons["1"] == (True, "relevant")
    assert reasons["2"][0] is False
    assert reasons["3"] == (False, "dull")
    assert reasons["4"] == (False, "hold_expired")
    assert told["figures"][0]["balanced_accuracy"] == 1.0
