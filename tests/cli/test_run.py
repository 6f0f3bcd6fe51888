"""`prefrontal run`: every event one record, in order, whatever else is in the stream."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from state.record import DecisionRecord
from tests.cli.conftest import SALIENT, Prefrontal, records

Stream = Callable[..., str]

BILGE = {"text": "Bilge level high", "source": "bilge", "salience": SALIENT}
AT = "2026-06-14T20:{:02}:{:02}Z"


def test_each_event_gives_one_line_with_the_contract_of_a_record(
    prefrontal: Prefrontal, stream: Stream
) -> None:
    result = prefrontal("run", stream({**BILGE, "event_id": "a"}, {"text": "x"}), "--json")
    lines = records(result)
    assert result.exit_code == 0, result.stderr
    assert [line["outcome"] for line in lines] == ["spoke", "passed"]
    assert [set(line) for line in lines] == [set(DecisionRecord.model_fields)] * 2
    assert lines[0]["text"] == "Bilge level high. Start the pump."


def test_lines_that_cannot_be_read_are_named_and_the_rest_goes_on(
    prefrontal: Prefrontal, stream: Stream
) -> None:
    name = stream(
        {"event_id": "first", "text": "x"},
        "{not json",
        '{"text": NaN}',
        '{"text": "x", "salience": {"threat": 2}}',
        "",
        '{"text": "nul \\u0000"}',
        '{"text": "half \\ud800"}',
        '{"text": "x", "colour": "red"}',
        '"a bare text"',
        '{"text": "x", "text": "y"}',
        '{"text": "x", "occurred_at": "2026-13-01"}',
        json.dumps({"text": "a" * 1_100_000}),
        {"event_id": "last", "text": "x"},
    )
    result = prefrontal("run", name, "--json")
    assert result.exit_code == 1
    assert [line["event_id"] for line in records(result)] == ["first", "last"]
    for number, fault in {
        2: "not JSON at column 2",
        3: "NaN is not JSON",
        4: "salience.threat",
        6: "NUL character",
        7: "surrogate",
        8: "unknown field 'colour'",
        9: "an event is a JSON object",
        10: "stands twice",
        11: "occurred_at",
        12: "longer than",
    }.items():
        assert f"events.jsonl:{number}: " in result.stderr
        assert fault in result.stderr
    assert "10 of 12 lines could not be used" in result.stderr


def test_bytes_that_are_not_utf_8_are_named(prefrontal: Prefrontal, here: Path) -> None:
    (here / "odd.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "marked"}\r\n{"text": "\xff"}\n')
    result = prefrontal("run", "odd.jsonl", "--json")
    assert len(records(result)) == 1
    assert "odd.jsonl:2: not UTF-8" in result.stderr


def test_standard_input_is_a_stream(prefrontal: Prefrontal) -> None:
    result = prefrontal("run", "-", "--json", given='{"text": "x"}\nodd\n{"text": "y"}')
    assert result.exit_code == 1
    assert len(records(result)) == 2
    assert "stdin:2: not JSON" in result.stderr


def test_an_event_sent_again_shows_the_first_decision(prefrontal: Prefrontal, stream: Stream):
    same = {**BILGE, "event_id": "a"}
    first, again, other = records(
        prefrontal("run", stream(same, same, {**same, "text": "z"}), "--json")
    )
    assert again == {**first, "duplicate": True}
    assert (other["event_id_reused"], other["duplicate"]) == (True, False)


def test_a_held_event_is_shown_once_when_its_hold_ends(prefrontal: Prefrontal, stream: Stream):
    name = stream(
        {
            "kind": "signal",
            "text": "call",
            "payload": {"busy": "call"},
            "occurred_at": AT.format(0, 0),
        },
        {**BILGE, "event_id": "held", "occurred_at": AT.format(0, 1)},
        {"event_id": "dull", "text": "x", "occurred_at": AT.format(0, 2)},
        {
            "kind": "signal",
            "text": "end",
            "payload": {"signal": "call_ended"},
            "occurred_at": AT.format(0, 9),
        },
    )
    lines = records(prefrontal("run", name, "--json"))
    assert [line["event_id"] for line in lines if not line["event_id"].startswith("evt-")] == [
        "dull",
        "held",
    ]
    assert [line["outcome"] for line in lines if line["event_id"] == "held"] == ["spoke"]


def test_holds_end_by_the_events_own_time_and_at_the_end_of_the_stream(
    prefrontal: Prefrontal, stream: Stream
) -> None:
    busy = {"kind": "signal", "text": "call", "payload": {"busy": "call"}}
    name = stream(
        {**busy, "occurred_at": AT.format(0, 0)},
        {**BILGE, "event_id": "first", "occurred_at": AT.format(0, 1)},
        {"event_id": "later", "text": "x", "occurred_at": AT.format(59, 0)},
        {**BILGE, "event_id": "second", "occurred_at": AT.format(59, 1)},
    )
    result = prefrontal("run", name, "--json")
    lines = [line for line in records(result) if not line["event_id"].startswith("evt-")]
    assert [(line["event_id"], line["reason"]) for line in lines] == [
        ("first", "hold_expired"),
        ("later", "dull"),
        ("second", "hold_expired"),
    ]
    assert lines[0]["recorded_at"] < AT.format(59, 0)


def test_a_duplicate_of_a_held_event_is_shown_when_that_settles(
    prefrontal: Prefrontal, stream: Stream
) -> None:
    busy = {"kind": "signal", "text": "call", "payload": {"busy": "call"}}
    held = {**BILGE, "event_id": "held", "occurred_at": AT.format(0, 1)}
    name = stream({**busy, "occurred_at": AT.format(0, 0)}, held, held)
    lines = records(prefrontal("run", name, "--json"))
    assert [line["reason"] for line in lines if line["event_id"] == "held"] == ["hold_expired"] * 2


def test_the_clock_starts_at_the_first_time_in_the_file(prefrontal: Prefrontal, stream: Stream):
    name = stream({"text": "x"}, {**BILGE, "event_id": "a", "occurred_at": "2020-01-01T00:00:00Z"})
    assert [line["outcome"] for line in records(prefrontal("run", name, "--json"))][1] == "spoke"


def test_the_real_clock_finds_an_old_event_too_old(prefrontal: Prefrontal, stream: Stream) -> None:
    name = stream({**BILGE, "occurred_at": "2020-01-01T00:00:00Z"}, BILGE)
    lines = records(prefrontal("run", name, "--json", "--clock", "real"))
    assert [line["reason"] for line in lines] == ["expired", "relevant"]


def test_the_real_clock_ends_a_hold_at_its_signal(prefrontal: Prefrontal, stream: Stream) -> None:
    name = stream(
        {"kind": "signal", "text": "call", "payload": {"busy": "call"}},
        {**BILGE, "event_id": "held"},
        {"kind": "signal", "text": "end", "payload": {"signal": "call_ended"}},
    )
    lines = records(prefrontal("run", name, "--json", "--clock", "real"))
    assert [line["outcome"] for line in lines] == ["silent", "silent", "spoke"]


def test_a_stream_leaves_nothing_behind(prefrontal: Prefrontal, stream: Stream, here: Path) -> None:
    name = stream({**BILGE, "event_id": "a"})
    first, again = (records(prefrontal("run", name, "--json"))[0] for _ in range(2))
    assert first["recorded_at"] != again["recorded_at"]
    assert [path.name for path in here.iterdir()] == ["events.jsonl"]


def test_a_named_folder_keeps_the_decisions(prefrontal: Prefrontal, stream: Stream) -> None:
    name = stream({**BILGE, "event_id": "a"})
    first, again = (
        records(prefrontal("run", name, "--json", "--data-dir", "kept"))[0] for _ in range(2)
    )
    assert again == first | {"duplicate": True}
    assert "Said" in prefrontal("why", "a", "--data-dir", "kept").stdout


def test_without_json_a_person_can_read_it(prefrontal: Prefrontal, stream: Stream) -> None:
    result = prefrontal(
        "run", stream(BILGE, {"text": "x\x1b[2J"}, {"text": "check stock", "user": "b"})
    )
    assert "» bilge: Bilge level high" in result.stdout
    assert "Suppressed: nothing in it stands out" in result.stdout
    assert "\x1b" not in result.stdout
    assert "decisions" in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "absent.jsonl"),
        ("run", "."),
        ("run", "-", "--clock", "sundial"),
        ("run", "-", "--pack", "atlantis"),
        ("run", "a" * 5_000),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(prefrontal: Prefrontal, words) -> None:
    result = prefrontal(*words, given="")
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert result.stderr


def test_a_faulty_pack_fails_with_file_and_line(prefrontal: Prefrontal, shop: Path) -> None:
    (shop / "heuristics.yaml").write_text("heuristics:\n  - {id: x, colour: red}\n", "utf-8")
    result = prefrontal("run", "-", given='{"text": "x"}')
    assert result.exit_code == 1
    assert "heuristics.yaml:2" in result.stderr


def test_what_it_says_of_itself_is_a_line_too_and_no_mute_stops_the_clock(
    prefrontal: Prefrontal, stream: Stream
) -> None:
    ben = {"user": "ben", "role": "engineer", "kind": "message"}
    name = stream(
        {**ben, "text": "remind me in 2 minutes to call home", "occurred_at": AT.format(0, 0)},
        {**ben, "text": "be quiet for an hour", "occurred_at": AT.format(5, 0)},
        {**BILGE, "event_id": "b", "occurred_at": AT.format(6, 0), "expires_in_seconds": 10},
        {"text": "x", "occurred_at": AT.format(9, 0)},
    )
    lines = records(prefrontal("run", name, "--json"))
    assert [line["reason"].partition(":")[0] for line in lines] == [
        "addressed",
        "reminder",
        "addressed",
        "expired",
        "dull",
    ]
    assert lines[1]["text"] == "Reminder: call home"
