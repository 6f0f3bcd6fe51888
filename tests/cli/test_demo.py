"""`prefrontal demo`: a story whose store changes only by what people said yes to."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from api.cli.scenario import StoreWatch
from tests.cli.conftest import Prefrontal

SCENARIO = """
{"event_id": "e1", "text": "Deck is dry", "occurred_at": "2026-06-14T16:00:00Z"}
{"event_id": "e2", "text": "add note to WO-1042: filter fitted", "user": "ben", "role": "engineer"}
{"event_id": "e3", "text": "close WO-1042", "user": "ben", "role": "engineer"}
{"event_id": "e4", "text": "close WO-1043", "user": "ben", "role": "engineer"}
{"event_id": "e5", "text": "close WO-1044", "user": "ben", "role": "engineer"}
"""
ANSWERS = """
title: A day in the shop
answers:
  - {event: e2, says: choose, by: "ben:engineer", chip: add_note}
  - {event: e3, says: approve, by: "ben:engineer", is_refused: true}
  - {event: e3, says: approve, by: "marta:chief"}
  - {event: e4, says: reject, by: "marta:chief", reason: not today}
why: [e1, e3]
"""


@pytest.fixture
def story(shop: Path) -> Path:
    """Return the pack with a scenario and its answers."""
    (shop / "scenario.jsonl").write_text(SCENARIO.strip(), encoding="utf-8")
    (shop / "scenario.answers.yaml").write_text(ANSWERS, encoding="utf-8")
    return shop


def test_a_story_plays_to_its_end(prefrontal: Prefrontal, story: Path, here: Path) -> None:
    result = prefrontal("demo", "--pack", str(story))
    assert result.exit_code == 0, result.output
    for shown in (
        "A day in the shop",
        "ben:engineer chooses chip-1",
        "ben:engineer may not: answering this needs one of the roles chief",
        "marta:chief answers reject: not today",
        "why e3",
        "5 decisions, each recorded",
        "2 changes in the pack's data, all from the 3 answers that people gave",
    ):
        assert shown in result.stdout
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("wanted", "instead"),
    [
        (
            '{event: e4, says: reject, by: "marta:chief"',
            '{event: e1, says: approve, by: "marta:chief"',
        ),
        (', is_refused: true}\n  - {event: e3, says: approve, by: "marta:chief"}', "}"),
        ("why: [e1, e3]", "why: [e9]"),
    ],
)
def test_a_story_that_goes_otherwise_fails(
    prefrontal: Prefrontal, story: Path, wanted: str, instead: str
) -> None:
    changed = ANSWERS.replace(wanted, instead)
    assert changed != ANSWERS
    (story / "scenario.answers.yaml").write_text(changed, encoding="utf-8")
    result = prefrontal("demo", "--pack", str(story))
    assert result.exit_code == 1
    assert "did not go as written" in result.stdout


def test_a_script_with_faults_is_named(prefrontal: Prefrontal, story: Path) -> None:
    (story / "scenario.answers.yaml").write_text("answers: [{event: e1}]", encoding="utf-8")
    result = prefrontal("demo", "--pack", str(story))
    assert result.exit_code == 2
    assert "scenario.answers.yaml" in result.stderr


def test_a_pack_without_a_story_is_wrong_use(prefrontal: Prefrontal, shop: Path) -> None:
    result = prefrontal("demo", "--pack", str(shop))
    assert result.exit_code == 2
    assert "no scenario.jsonl" in result.stderr


def test_a_change_of_the_store_is_seen_row_by_row(tmp_path: Path) -> None:
    watch = StoreWatch(tmp_path)
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as store:
        store.execute("create table part (name text, stock int)")
        store.execute("insert into part values ('belt', 3), ('filter', 1)")
        assert watch.changes() == ()
        store.execute("update part set stock = 2 where name = 'belt'")
        store.execute("insert into part values ('hose', 5)")
        store.execute("delete from part where name = 'filter'")
        assert watch.changes() == (
            "part belt: stock 3 → 2",
            "part: added hose, 5",
            "part: removed filter, 1",
        )
    assert watch.changes() == ()


def test_a_table_that_an_answer_made_is_a_change(tmp_path: Path) -> None:
    watch = StoreWatch(tmp_path)
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as store:
        store.execute("create table done (what text)")
        store.execute("insert into done values ('it')")
    assert watch.changes(is_expected=True) == ("done: new, with 1 row(s)",)
