"""`prefrontal journal`: a meeting and records go in, questions are answered, Markdown comes out."""

import json
from pathlib import Path

import pytest

from tests.graph.cli.conftest import Prefrontal, records

MEETING = [
    {"message_id": "m1", "speaker": "ann", "content": "Shall we sail at noon or at dawn?"},
    {"message_id": "m2", "speaker": "ann", "content": "I suggest we sail at dawn"},
    {
        "message_id": "m3",
        "speaker": "bo",
        "content": "Agreed.",
        "timestamp": "2026-06-14T12:00:00Z",
    },
]
RECORD = (
    "# 1. Use ferries\n\nDate: 2024-02-29\n\n## Status\n\nRejected\n\n## Decision\n\nFerries.\n"
)


@pytest.fixture
def imported(prefrontal: Prefrontal, here: Path) -> Prefrontal:
    (here / "meeting.jsonl").write_text("\n".join(map(json.dumps, MEETING)), "utf-8")
    (here / "adr").mkdir()
    (here / "adr" / "0001-use-ferries.md").write_text(RECORD, "utf-8")
    (here / "adr" / "README.md").write_text("# Our records", "utf-8")
    result = prefrontal("journal", "import", "meeting.jsonl", "adr")
    assert result.exit_code == 0, result.output
    assert "2 decisions added" in result.stderr
    return prefrontal


def test_each_message_is_told_and_the_same_again_changes_nothing(imported: Prefrontal) -> None:
    result = imported("journal", "import", "meeting.jsonl", "--json")
    lines = records(result)
    assert [line["is_decision"] for line in lines] == [False, False, True]
    assert [line["message_id"] for line in lines] == ["m1", "m2", "m3"]
    assert "0 decisions added, 0 changed, 1 were there already" in result.stderr


def test_a_question_finds_it_with_the_fields_of_the_contract(imported: Prefrontal) -> None:
    (hit,) = records(imported("journal", "search", "why sail at dawn?", "--json"))
    assert (hit["decision"], hit["status"]) == ("sail at dawn", "active")
    assert hit["timestamp"] == "2026-06-14T12:00:00+00:00"
    assert {"id", "score", "source", "title", "snippet"} <= set(hit)
    (record,) = records(imported("journal", "search", "rejected decisions", "--json"))
    assert record["source"] == "0001-use-ferries.md"
    assert "sail at dawn" in imported("journal", "search", "dawn").stdout


def test_nothing_found_says_so_and_ends_with_a_code(imported: Prefrontal) -> None:
    result = imported("journal", "search", "who baked the bread?")
    assert result.exit_code == 1
    assert "no decision on record" in result.stderr


def test_one_is_shown_with_the_places_it_was_said_in(imported: Prefrontal) -> None:
    (hit,) = records(imported("journal", "search", "dawn", "--json"))
    shown = imported("journal", "show", hit["id"])
    assert "decision said in" in shown.stdout
    assert "m2:" in shown.stdout
    assert imported("journal", "show", "dec-none").exit_code == 1


def test_what_is_exported_can_be_imported_elsewhere(imported: Prefrontal, here: Path) -> None:
    exported = imported("journal", "export")
    (here / "all.jsonl").write_text(exported.stdout, "utf-8")
    result = imported("journal", "import", "all.jsonl", "--data-dir", "other")
    assert "2 decisions added" in result.stderr, result.output
    assert imported("journal", "export", "--data-dir", "other").stdout == exported.stdout
    imported("journal", "export", "--out", "out")
    assert len(list((here / "out").glob("*.md"))) == 2


def test_a_reindex_tells_what_there_is(imported: Prefrontal) -> None:
    (drift,) = records(imported("journal", "reindex", "--json"))
    assert (drift["entries"], drift["text_is_whole"]) == (2, True)


@pytest.mark.parametrize("line", ["{", "[1]", '{"text": "hello"}', '{"content": 1}'])
def test_a_line_that_is_no_message_is_named(prefrontal: Prefrontal, here: Path, line: str) -> None:
    (here / "bad.jsonl").write_text(f"\n{line}\n", "utf-8")
    result = prefrontal("journal", "import", "bad.jsonl")
    assert result.exit_code == 2
    assert "bad.jsonl:2" in result.stderr
