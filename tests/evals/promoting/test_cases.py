"""Which logged queries become cases, by whose word, and what is hidden of them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.dataset import read_dataset
from evals.runner.promotion import label_of, promote, redacted
from state.errors import BadInput
from state.query import Query
from tests.graph.harbour import HARBOUR
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import packs_named

ACTIONS = Catalogue.of(packs_named((str(HARBOUR),))).actions


def query(text: str = "show lock LK-12", decision: str = "dec-1", **outcome: Any) -> Query:
    nothing = {
        "chips_shown": (),
        "action_executed": None,
        "execution_method": None,
        "time_to_action_ms": None,
        "undo_triggered": False,
        "chip_chosen": None,
        "chip_position": None,
        "chip_ordering": None,
        "action_observed": None,
        "collision_observed": None,
        "decision": "silent",
    }
    return Query.model_validate(
        {
            "timestamp": datetime(2026, 6, 14, tzinfo=UTC),
            "session_id": "s",
            "yacht_id": "default",
            "user_role": "keeper",
            "query": {"raw_text": text, "normalized": text, "tokens": ()},
            "routing": {
                "verb_family": None,
                "predicted_action": "show_lock",
                "confidence": 0.9,
                "alternatives": (),
                "execution_class": "none",
                "reasons": (),
                "collision": "none",
                "phase": "shadow",
            },
            "entities": (),
            "outcome": nothing | outcome,
            "decision_id": decision,
            "user": "amir",
            "action_id": None,
            "offer_id": None,
        }
    )


@pytest.mark.parametrize(
    ("outcome", "action", "by"),
    [
        ({"action_observed": "a", "chip_chosen": "b"}, "a", "observed"),
        ({"execution_method": "confirmation", "action_executed": "a"}, "a", "confirmed"),
        ({"chip_chosen": "a", "execution_method": "chip_click"}, "a", "chosen"),
    ],
)
def test_what_a_person_did_labels_a_query(outcome: dict[str, Any], action: str, by: str) -> None:
    label = label_of(query(**outcome))

    assert label is not None
    assert (label.action, label.by) == (action, by)


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"execution_method": "auto", "action_executed": "a"},
        {"chip_chosen": "a", "undo_triggered": True},
        {"execution_method": "confirmation", "action_executed": "a", "undo_triggered": True},
    ],
)
def test_silence_labels_nothing_and_an_undo_takes_the_label_back(outcome: dict[str, Any]) -> None:
    assert label_of(query(**outcome)) is None


def test_a_secret_an_unknown_action_and_an_unlabelled_query_are_left_out() -> None:
    found = promote(
        [
            query(decision="open"),
            query("pay with •••", "secret", action_observed="show_lock"),
            query(decision="foreign", action_observed="paint_the_quay"),
            query("show lock LK-12, says Amir", "good", action_observed="show_lock"),
            query("show\0lock", "garbled", action_observed="show_lock"),
            query(decision="titled", action_observed="show_lock").model_copy(
                update={"user_role": "keeper " * 50}
            ),
        ],
        ACTIONS,
        blotted=["LK-12"],
    )

    assert set(found.left_out) == {"open", "secret", "foreign", "garbled", "titled"}
    (case,) = found.cases
    assert case.inputs == {
        "text": "show lock somebody, says somebody",
        "user": "person-1",
        "role": "keeper",
    }
    assert (case.outputs["action"], case.outputs["execution_class"]) == ("show_lock", "A")
    assert "good" not in case.model_dump_json()


def test_a_person_may_say_what_was_meant_if_there_is_such_a_thing() -> None:
    (case,) = promote([query()], ACTIONS, said="nothing").cases

    assert (case.outputs["action"], case.outputs["execution_class"]) == (None, None)
    with pytest.raises(BadInput, match="paint_the_quay"):
        promote([query()], ACTIONS, said="paint_the_quay")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("mail ann.b+x@port.example.com now", "mail name@example.org now"),
        ("see https://port.example.com/a?b=c please", "see https://example.org please"),
        ("call +44 20 7946 0958 today", "call +00 00 0000 0000 today"),
        ("pay DE89370400440532013000", "pay KEY"),
        ("ping 10.0.0.17", "ping 192.0.2.1"),
        ("the key is sk-live-0123456789abcdefXYZ", "the key is KEY"),
        ("db is postgres://u:pw@host/db", "db is https://example.org"),
        ("use wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY=", "use KEY"),
        ("as eyJhbGciOiJ9.eyJzdWIiOiJ9.ab_c", "as KEY"),
        ("eyJa-" * 20_000, "eyJa-" * 20_000),  # took seconds
        ("with --wJalrXUtnFEMI-K7MDENG-bPxRfiCY", "with KEY"),
        ("fe80::1ff:fe23:4567:890a is down", "192.0.2.1 is down"),
        ("it is in /home/marta/notes", "it is in /home/somebody/notes"),
        ("use password hunter2 please", "use password KEY please"),
        ("pin WO-1042, at 18:00:05", "pin WO-1042, at 18:00:05"),
        ("close WO-1042 by 2026-06-14 at 18:00", "close WO-1042 by 2026-06-14 at 18:00"),
        ("order 4 oil filters for 1,250.00", "order 4 oil filters for 1,250.00"),
        ("since 14.06.2026", "since 14.06.2026"),
    ],
)
def test_what_reaches_a_person_is_taken_out_and_the_shape_stays(text: str, kept: str) -> None:
    assert redacted(text) == kept


def test_what_ends_lines_elsewhere_breaks_no_export_and_a_cut_file_is_added_to(tmp_path: Path):
    said = [
        query(f"show lock LK-{number}\u2028now", f"dec/{number}", chip_chosen="show_lock")
        for number in range(2)
    ]
    into, log = tmp_path / "ours.jsonl", tmp_path / "log.jsonl"
    words = ["--into", str(into), "--from", str(log), "--pack", str(HARBOUR), "--blot", " "]
    for one in said:
        log.write_text(one.model_dump_json() + "\n", "utf-8")
        ended = CliRunner().invoke(cli, ["evals", "promote", *words])
        assert ended.exit_code == 0, ended.output
        into.write_bytes(into.read_bytes().rstrip(b"\n"))  # as an editor may leave it
    texts = [case.inputs["text"] for case in read_dataset(into).cases]
    assert texts == [one.query.raw_text for one in said]
