"""Did somebody just decide something? The words that count, and those that only sound like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.note import DetectedDecision
from tests.stages import TUNING
from tools.journal.conversation import detect_decision
from tools.journal.detection.context_window import READ_CHARACTERS


def detected_in(text: str) -> DetectedDecision | None:
    return detect_decision(text, TUNING.journal.detection_threshold)


@pytest.mark.parametrize(
    ("text", "decision", "rationale"),
    [
        (
            "We decided to use the starboard generator tonight because the port one runs hot",
            "use the starboard generator tonight",
            "the port one runs hot",
        ),
        ("Let's go with the blue paint.", "go with the blue paint", ""),
        ("We're going with Postgres since everybody knows it", "Postgres", "everybody knows it"),
        ("Decision: moor at berth four.", "moor at berth four", ""),
        ("Resolved: the levy rises to 4 %", "the levy rises to 4 %", ""),
        ("The board has approved the new crane.", "the new crane", ""),
        ("We have agreed on a Friday stand-up in order to plan", "a Friday stand-up", "plan"),
        ("Good morning all. We've decided to dredge in May.", "dredge in May", ""),
    ],
)
def test_a_decision_is_taken_from_the_words_it_was_said_in(
    text: str, decision: str, rationale: str
) -> None:
    detected = detected_in(text)
    assert detected is not None
    assert (detected.decision, detected.rationale) == (decision, rationale)
    assert detected.confidence >= TUNING.journal.detection_threshold


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Should we go with the blue paint?",
        "We haven't decided to dredge yet",
        "Maybe we agreed on too much",
        "What if we decided to stay",
        "We decided on the crane last week",
        "Why did we decide to use Postgres?",
        "Did we agree to the levy?",
        "I propose that we agreed on nothing",
        "> We decided to moor at berth four",
        "```\nDecision: moor here\n```",
        "The tide turns at noon",
        "we will decide tomorrow",
    ],
)
def test_talk_about_a_decision_is_none(text: str) -> None:
    assert detected_in(text) is None


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert detected_in("x" * READ_CHARACTERS + " Decision: moor here") is None


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=300))
def test_what_is_detected_stands_in_the_message(text: str) -> None:
    detected = detected_in("We decided to " + text)
    if detected is not None:
        spoken = ("We decided to " + text).replace("’", "'")
        assert detected.decision in spoken
        assert detected.rationale in spoken


@settings(deadline=None)
@given(st.text(alphabet=".,; abcW", max_size=60))
def test_a_decision_has_words(text: str) -> None:
    detected = detected_in("We decided to " + text)
    assert detected is None or detected.decision
