"""What a row says, and what never reaches it."""

from typing import Any

import pytest

from state.action import Slot
from state.policy import READ_OR_CHANGE
from state.record import DecisionRecord
from tests.stages import event_of
from tests.tools.storage.made import NOW
from tools.catalog.action_catalog import Catalogue
from tools.nlu.lexicon.normalization import normalise
from tools.observability.query_row import QueryRowBuilder, SecretValues
from tools.platform.redaction import MASK

SECRET = "Hunter2 Überall"


@pytest.fixture
def hiding(catalogue: Catalogue, reading: QueryRowBuilder) -> QueryRowBuilder:
    """Return a reading for a catalogue in which what is noted is a secret."""
    noting = catalogue.actions["note_in_log"]
    slots = {"note": Slot(type="text", required=True, secret=True)}
    actions = {**catalogue.actions, "note_in_log": noting.model_copy(update={"slots": slots})}
    made = Catalogue(catalogue.packs, actions, catalogue.entities, catalogue.version)
    return QueryRowBuilder(made, reading.tuning, reading.observed_seconds)


def row_of(reading: QueryRowBuilder, text: str, **stages: Any) -> dict[str, Any]:
    event = event_of(text, kind="message", user="amir", role="keeper")
    record = DecisionRecord(
        event_id=event.event_id,
        decision_id=event.decision_id,
        outcome="spoke",
        spoke=True,
        reason="said",
        recorded_at=NOW,
    )
    return reading.row(event, record, stages)


def routed(text: str, **fields: Any) -> dict[str, Any]:
    read = normalise(text)
    return {
        "routing": {
            "normalized": read.text,
            "tokens": [token.text for token in read.tokens],
            "alternatives": [],
            "entities": [],
            **fields,
        }
    }


@pytest.mark.parametrize("said", [SECRET, SECRET.lower(), SECRET.upper()])
def test_the_value_of_a_secret_slot_stands_in_no_column(hiding: QueryRowBuilder, said: str) -> None:
    text = f"write in the log: {said}"
    mention = {"type": "thing", "value": said, "confidence": 1.0, "span": [0, 1]}
    row = row_of(
        hiding,
        text,
        policy=routed(text, entities=[mention]),
        result={"action": "note_in_log", "arguments": {"note": said}, "confidence": 0.9},
    )
    shown = str(row).casefold()
    assert "hunter2" not in shown
    assert "überall" not in shown
    assert row["raw_text"] == f"write in the log: {MASK}"


def test_a_slot_that_is_no_secret_is_logged(reading: QueryRowBuilder) -> None:
    text = f"write in the log: {SECRET}"
    result = {"action": "note_in_log", "arguments": {"note": SECRET}, "confidence": 0.9}
    assert row_of(reading, text, policy=routed(text), result=result)["raw_text"] == text


def test_every_value_of_a_list_of_secrets_is_hidden(hiding: QueryRowBuilder) -> None:
    result = {"action": "note_in_log", "arguments": {"note": ["one key", "another"]}}
    hidden = SecretValues.of(hiding.catalogue, {"result": result})
    assert hidden.masked("one key and another") == f"{MASK} and {MASK}"


def test_what_was_never_routed_has_its_words_all_the_same(reading: QueryRowBuilder) -> None:
    row = row_of(reading, "Be QUIET, please")
    assert (row["normalized"], row["tokens"]) == ("be quiet, please", ["be", "quiet", "please"])
    assert (row["predicted_action"], row["execution_class"]) == (None, "none")


@pytest.mark.parametrize(
    ("rival", "confidence", "collision"),
    [
        ("drain_basin", 0.85, "suggestion_worthy"),
        ("note_in_log", 0.85, "routing_bug"),
        ("search_notices", 0.85, "suggestion_worthy"),
        ("note_in_log", 0.5, "none"),
    ],
)
def test_only_a_rival_inside_the_margin_collides(
    reading: QueryRowBuilder, rival: str, confidence: float, collision: str
) -> None:
    policy = routed("x", alternatives=[{"action": rival, "confidence": confidence}])
    result = {"action": "close_lock", "arguments": {}, "confidence": 0.9}
    assert row_of(reading, "x", policy=policy, result=result)["collision"] == collision


def test_in_shadow_the_word_is_what_would_have_followed(reading: QueryRowBuilder) -> None:
    shadow = {
        "verdict": "shadow",
        "would": "offer",
        "would_show": ["close_lock", "show_lock"],
        "phase": "shadow",
        "raised": ["low_confidence"],
    }
    row = row_of(reading, "x", policy=routed("x"), classification=shadow)
    assert (row["execution_class"], row["phase"]) == ("suggest", "shadow")
    assert (row["chips_shown"], row["reasons"]) == (
        ["close_lock", "show_lock"],
        ["low_confidence"],
    )


def either(text: str, slots: dict[str, Any]) -> dict[str, Any]:
    """Make the stages of a text of which it is open whether it reads or changes."""
    first = {"action": "note_in_log", "confidence": 0.45, "slots": slots}
    other = {"action": "show_lock", "confidence": 0.2, "slots": None}
    known = routed(text, action="note_in_log", confidence=0.45, alternatives=[other])
    chips = [{"action": one["action"]} for one in (first, other)]
    return {
        "policy": known | {"reasons": [READ_OR_CHANGE], "alternatives": [first, other]},
        "result": {"action": None, "arguments": {}, "confidence": 0.45},
        "offer": {"chips": chips},
    }


def test_what_may_be_shown_or_changed_predicts_neither(reading: QueryRowBuilder) -> None:
    row = row_of(reading, "log that lock", **either("log that lock", {"note": "that lock"}))
    assert (row["predicted_action"], row["confidence"]) == (None, 0.45)
    assert [one["action"] for one in row["alternatives"]] == ["note_in_log", "show_lock"]
    assert (row["collision"], row["reasons"]) == ("suggestion_worthy", [READ_OR_CHANGE])


def test_a_secret_is_hidden_before_anybody_chose(hiding: QueryRowBuilder) -> None:
    text = f"write in the log: {SECRET}"
    row = row_of(hiding, text, **either(text, {"note": SECRET}))
    assert "hunter2" not in str(row).casefold()
