"""The figures of search: places counted by hand, and records and questions from files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.journal.search import SearchCase, described, read, search_measures

RECORDS = [
    {"id": "a", "repo": "r", "path": "1.md", "text": "# Use ferries\n\n## Decision\n\nFerries."},
    {"id": "b", "repo": "r", "path": "2.md", "text": "# Serve soup\n\n## Decision\n\nTomato soup."},
]
QUESTIONS = [
    {"query": "why did we use ferries?", "relevant": ["a"]},
    {"query": "who serves tomato soup?", "relevant": ["b"]},
]


def test_the_first_right_place_counts() -> None:
    asked = [SearchCase(query="q", relevant=frozenset({"x"}))] * 3
    found = search_measures([["x", "y"], ["y", "x"], ["y"]], asked, fusion=[["x"], ["x"], ["x"]])
    assert {one.name: one.value for one in found} == {
        "recall_at_1": pytest.approx(1 / 3),
        "recall_at_5": pytest.approx(2 / 3),
        "mrr": pytest.approx(0.5),
        "milliseconds_p95": None,
        "above_rank_fusion": pytest.approx(-0.5),
    }


def test_a_matter_is_asked_about_in_words_that_its_record_has_no_more() -> None:
    text = "# Use ferries\n\n## Context\n\nGuests wait. The bridge is shut from May to July."
    rows, [asked] = described([{**RECORDS[0], "text": f"{text}\n\n## Decision\n\nFerries."}])
    assert asked.query == "The bridge is shut from May to July."
    assert asked.relevant == {"a"}
    assert read(rows[0]).context == ""


def test_records_and_questions_are_judged_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    files = []
    for name, rows in (("records", RECORDS), ("questions", QUESTIONS)):
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(map(json.dumps, rows)), "utf-8")
    result = CliRunner().invoke(app, ["journal", *map(str, files), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout.splitlines()[0])["figures"]
    assert list(told) == ["ours", "ours, nothing left out", "words alone"]
    assert {one["name"]: one["value"] for one in told["ours"]}["mrr"] == 1.0
    assert CliRunner().invoke(app, ["journal", str(files[0])]).exit_code != 0
