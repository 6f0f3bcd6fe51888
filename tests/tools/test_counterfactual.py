"""What would have changed a message's end is told by what ended it, never by its being heard."""

import pytest

from state.record import Outcome
from state.stages import Gathered
from tests.stages import every_stage
from tools.observability.decision_record import (
    CHIP,
    COVERED,
    NAMED,
    ROLE,
    TOLD_APART,
    counterfactual_of,
)


def gathered(kind: str, upto: str = "delivery") -> Gathered:
    stages = every_stage()
    if upto == "relevance":
        kept = ("event", "arrival", "session", "salience", "relevance")
        stages = {name: stages[name] for name in kept}
    event = stages["event"].model_copy(update={"kind": kind})
    return Gathered.model_validate({**stages, "event": event})


@pytest.mark.parametrize(
    ("outcome", "reason", "told"),
    [
        ("silent", "nothing_asked", COVERED),
        ("rejected", "llm_unavailable", COVERED),
        ("rejected", "no_such_click", None),
        ("refused", "role", ROLE),
        ("refused", "standing_refusal", None),
        ("offered", "class_B", CHIP),
        ("offered", "several_plausible", TOLD_APART),
        ("spoke", "missing_slot", NAMED),
        ("spoke", "addressed", None),
    ],
)
def test_a_message_is_told_by_what_ended_it(
    outcome: Outcome, reason: str, told: str | None
) -> None:
    assert counterfactual_of(gathered("message"), outcome, reason) == told


@pytest.mark.parametrize(
    ("outcome", "reason", "words"),
    [
        ("awaiting_approval", "class_C", "would run it"),
        ("executed", "class_C", "would not have run"),
        ("refused", "approval_rejected", "in time"),
    ],
)
def test_what_needs_a_yes_names_whose(outcome: Outcome, reason: str, words: str) -> None:
    found = gathered("message")
    told = counterfactual_of(found, outcome, reason) or ""
    assert found.classification
    assert found.classification.action
    assert words in told
    assert all(role in told for role in found.classification.action.approver_roles)


def test_without_an_action_no_yes_is_promised() -> None:
    assert counterfactual_of(gathered("message", "relevance"), "awaiting_approval", "x") is None


def test_what_merely_happens_is_told_by_its_gate() -> None:
    found = gathered("ambient")
    assert found.relevance
    assert counterfactual_of(found, "spoke", "relevant") == found.relevance.counterfactual
