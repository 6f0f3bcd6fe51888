"""`prefrontal queries`: the log on the command line, read beside whatever runs."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from evals.dataset import read_dataset
from tests.cli.conftest import Prefrontal, records


@pytest.fixture
def asked(prefrontal: Prefrontal) -> Prefrontal:
    """Return the command line after three messages: a read, a chip that was taken, an approval."""
    prefrontal("ask", "check stock of belts", "--as", "ben:engineer", "--json")
    note = prefrontal("ask", "jot on WO-1042 the note seal weeps", "--as", "ben:engineer", "--json")
    offer = records(note)[0]["offer_id"]
    assert offer, note.stdout
    chosen = prefrontal("offers", "choose", offer, "chip-1", "--as", "ben:engineer", "--json")
    assert chosen.exit_code == 0, chosen.output
    prefrontal("ask", "close WO-1029", "--as", "ben:engineer", "--json")
    return prefrontal


def test_the_export_is_the_log_a_query_a_line(asked: Prefrontal, here: Path) -> None:
    lines = records(asked("queries", "export"))
    assert [line["query"]["raw_text"] for line in lines] == [
        "check stock of belts",
        "jot on WO-1042 the note seal weeps",
        "close WO-1029",
    ]
    assert [line["routing"]["execution_class"] for line in lines] == ["auto", "suggest", "confirm"]
    written = asked("queries", "export", "--out", "log.jsonl")
    assert (written.stdout, written.exit_code) == ("", 0)
    assert [json.loads(line) for line in (here / "log.jsonl").read_text().splitlines()] == lines
    assert records(asked("queries", "export", "--since", "2199-01-01")) == []


def test_what_people_chose_and_approved_becomes_cases_once(asked: Prefrontal, here: Path) -> None:
    lines = records(asked("queries", "export"))
    elsewhere = {**lines[2], "outcome": {**lines[2]["outcome"], "action_observed": "check_stock"}}
    (here / "log.jsonl").write_text(f"{json.dumps(lines[0])}\n{json.dumps(elsewhere)}\n", "utf-8")

    first = asked("evals", "promote")
    again = asked("evals", "promote", "--into", "promoted.jsonl")
    produced = asked("evals", "promote", "--from", "log.jsonl")
    read = asked("evals", "promote", lines[0]["decision_id"], "--as", "check_stock")
    unknown = asked("evals", "promote", lines[0]["decision_id"], "--into", "other.jsonl")

    told = [one.stderr for one in (first, again, produced, read, unknown)]
    assert [int(one.split()[0]) for one in told[:4]] == [1, 0, 1, 1]
    assert (unknown.exit_code, "nobody showed what was meant" in told[4]) == (1, True)
    dataset = read_dataset(here / "promoted.jsonl")
    assert [one.inputs["text"] for one in dataset.cases] == [
        "jot on WO-1042 the note seal weeps",
        "close WO-1029",
        "check stock of belts",
    ]
    assert [(one.outputs["action"], one.outputs["execution_class"]) for one in dataset.cases] == [
        ("add_note", "B"),
        ("check_stock", "A"),
        ("check_stock", "A"),
    ]
    assert {str(one.inputs["user"]) for one in dataset.cases} == {"person-1"}
    assert "check_stock" in dataset.header.read_only
    assert "close_work_order" not in dataset.header.read_only


def test_metrics_are_shown_and_printed(asked: Prefrontal) -> None:
    (figures,) = records(asked("queries", "metrics", "--json"))
    assert (figures["queries"], figures["offers"], figures["hard_false_positives"]) == (3, 1, 0)
    assert figures["primary_chosen"]["value"] == 1.0
    shown = asked("queries", "metrics")
    assert shown.exit_code == 0
    assert "hard false positives: 0" in shown.stdout


def test_harm_ends_with_a_code_that_a_script_notices(asked: Prefrontal, here: Path) -> None:
    assert asked("queries", "harm").exit_code == 0
    with closing(sqlite3.connect(here / "data" / "prefrontal.sqlite")) as store:
        store.execute("update ledger_action set started_at = 1 where execution_class = 'C'")
        store.commit()
    found = asked("queries", "harm")
    assert found.exit_code == 1
    assert "too few people" in found.stdout
    assert asked("queries", "metrics").exit_code == 1
    assert records(asked("queries", "harm", "--json"))[0]["action"] == "close_work_order"


def test_gaps_name_the_pair_and_what_was_said(asked: Prefrontal, here: Path) -> None:
    with closing(sqlite3.connect(here / "data" / "prefrontal.sqlite")) as store:
        store.execute(
            "update query_log set action_observed = 'add_note'"
            " where predicted_action = 'check_stock'"
        )
        store.commit()
    (found,) = records(asked("queries", "gaps", "--json"))
    assert (found["known"], found["agreed"]) == (2, 1)
    assert found["gaps"][0]["examples"] == ["check stock of belts"]
    assert "check_stock → add_note" in asked("queries", "gaps").stdout


def test_training_data_is_yaml_for_a_catalogue(asked: Prefrontal) -> None:
    printed = asked("queries", "training")
    assert yaml.safe_load(printed.stdout) == {
        "actions": {"add_note": {"examples": ["jot on WO-1042 the note seal weeps"]}}
    }
    assert yaml.safe_load(asked("queries", "training", "--min-count", "2").stdout) == {
        "actions": {}
    }


@pytest.mark.parametrize("since", ["yesterday", "nan", "-5", "1e99"])
def test_a_time_that_is_none_is_wrong_use(prefrontal: Prefrontal, since: str) -> None:
    assert prefrontal("queries", "export", "--since", since).exit_code == 2


def test_where_nothing_was_decided_it_says_so(prefrontal: Prefrontal) -> None:
    nothing = prefrontal("queries", "metrics")
    assert nothing.exit_code == 1
    assert "nothing is kept in" in nothing.output


# `prefrontal queries quality`: what policy promised and did not keep, down to the turn.


SHELF = ("--pack", str(Path(__file__).parents[1] / "shelf"))
ANN = ("--as", "ann:reader", *SHELF)


def test_the_rates_of_a_pack_lead_to_the_turn_that_missed(prefrontal: Prefrontal) -> None:
    prefrontal("ask", "find me books", *ANN)
    prefrontal("ask", "find recent books on ice", *ANN)
    told = prefrontal("queries", "quality", *SHELF)
    assert told.exit_code == 0
    assert "shelf: 2 turns: 2 direct search" in told.stdout
    assert "clarified first" in told.stdout
    (body,) = records(prefrontal("queries", "quality", "--json", *SHELF))
    assert body["direct_search_tool_call_rate"]["n"] == 2
    assert prefrontal("queries", "quality", "--at-least", "0.5", *SHELF).exit_code == 0
    assert prefrontal("queries", "quality", "--at-least", "0.51", *SHELF).exit_code == 1
    (missed,) = body["missed"]
    why = prefrontal("why", missed["decision_id"], "--verbose").stdout
    assert "Intent: direct_search" in why
    assert "forced:find_books" in why
    done = prefrontal("why", "--last").stdout
    assert "year from=" in done
    assert "On success the stage becomes finding" in done


def test_a_silence_is_regretted_and_counted_by_source(
    prefrontal: Prefrontal, stream: Callable[..., str]
) -> None:
    event = {"event_id": "e-1", "source": "galley", "text": "The kettle ticks"}
    sent = stream({**event, "salience": {"goal_relevance": 0.3}})
    (record,) = records(prefrontal("run", sent, "--json", "--data-dir", "data"))
    assert record["outcome"] == "passed"
    told = prefrontal("feedback", record["decision_id"], "should_have_told", "--as", "ben:engineer")
    assert "this was worth a word" in told.stdout
    assert "Say “watch for galley”" in told.stdout
    counted = prefrontal("queries", "regrets").stdout
    assert re.search(r"galley\s+1\s+0\s+0\s+\(0\.0 in 100\)\s+1\s+\(100\.0 in 100\)", counted)
    prefrontal("feedback", record["decision_id"], "rightly_silent", "--as", "ben:engineer")
    found = json.loads(prefrontal("queries", "regrets", "--json").stdout)
    assert (found["total"]["events"], found["total"]["silences"]) == (1, 0)
