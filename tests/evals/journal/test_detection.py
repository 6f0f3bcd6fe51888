"""The figures of detection: right on cases counted by hand, and files are read or skipped."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.journal.detection import Judged, Spoken, by_keywords, detection_measures, minutes, never
from state.errors import BadInput

CASES = [
    Spoken(kind="resolution", decides=True, lines=(("a", "we agreed to sail"),)),
    Spoken(kind="resolution", decides=True, lines=(("a", "sail at noon"),)),
    Spoken(kind="proposal", decides=False, lines=(("a", "we should sail"),)),
    Spoken(kind="talk", decides=False, lines=(("a", "the wind is fair"),)),
]
ROW = {"context": [], "speaker": "x", "label": 1, "kind": "resolution", "text_plain": "sail"}


def values(found: list[Judged]) -> dict[str, float | None]:
    return {measure.name: measure.value for measure in detection_measures(found)}


def test_keywords_find_half_and_are_wrong_half_the_time() -> None:
    assert values(list(by_keywords(CASES))) == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "auc": 0.5,
        "false_captures": 0.0,
    }


def test_always_no_has_no_precision() -> None:
    found = values(list(never(CASES)))
    assert (found["precision"], found["recall"], found["f1"]) == (None, 0.0, 0.0)


def test_a_perfect_answer_scores_one() -> None:
    found = values(
        [Judged(case=c, confidence=float(c.decides), is_decision=c.decides) for c in CASES]
    )
    assert (found["f1"], found["auc"], found["false_captures"]) == (1.0, 1.0, 0.0)


def test_who_records_a_resolution_is_not_seen() -> None:
    (case,) = minutes([ROW], "text_plain")
    assert case.lines == (("", "sail"),)


def test_a_row_without_a_label_is_named() -> None:
    with pytest.raises(BadInput, match="label"):
        minutes([{"context": []}], "text_plain")


def test_our_conversations_hold_their_gates() -> None:
    result = CliRunner().invoke(app, ["journal", "--json"])
    assert result.exit_code == 0, result.output
    *tables, questions = (json.loads(line) for line in result.stdout.splitlines())
    assert [one["title"] for one in tables] == ["our conversations", "other manners of talk"]
    assert [one["name"] for one in questions["figures"]["ours"]] == [
        "filters_exact",
        "technologies_exact",
    ]
    assert all(list(t["figures"]) == ["ours", "keywords alone", "always no"] for t in tables)


def test_a_file_of_minutes_is_judged_and_an_absent_one_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "minutes.jsonl"
    file.write_text(json.dumps(ROW | {"text_marked": "RESOLVED: sail"}), "utf-8")
    result = CliRunner().invoke(app, ["journal", str(file), str(tmp_path / "none"), "--json"])
    assert result.exit_code == 0, result.output
    assert "skipped" in result.stderr
    plain, marked = (json.loads(line) for line in result.stdout.splitlines())
    recall = {m["name"]: m["value"] for m in marked["figures"]["ours"]}["recall"]
    assert (plain["title"], recall) == ("minutes.jsonl, text_plain", 1.0)


def test_a_file_of_discussions_is_judged(tmp_path: Path) -> None:
    row = {
        "messages": [
            {"speaker": "ann", "text": "PROPOSED: sail, see https://example.org/a/issues/4"},
            {"speaker": "bo", "text": "+1"},
            {"speaker": "chair", "text": "RESOLVED: sail"},
        ],
        "gold": {
            "decision": "sail",
            "proposer": "bo",
            "votes": {"bo": "for"},
            "github_links": ["https://example.org/a/issues/4"],
        },
    }
    file = tmp_path / "discussions.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    result = CliRunner().invoke(app, ["journal", str(file), "--json"])
    assert result.exit_code == 0, result.output
    told = {m["name"]: m["value"] for m in json.loads(result.stdout)["figures"]["ours"]}
    assert told == {
        "decision_f1": 1.0,
        "maker": 0.0,  # the label is wrong on purpose
        "links_precision": 1.0,
        "links_recall": 1.0,
        "votes_f1": 1.0,
        "cited": 1.0,
    }
