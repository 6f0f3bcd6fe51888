"""What a plain answer means where nothing was asked."""

import pytest

from state.policy import Candidate, PolicyDecision
from tests.stages import frozen_action
from tools.dialogue.reply_decisions import nothing_to_answer, on_resolved

LIKELY = (Candidate(action="close_lock", confidence=0.6),)


@pytest.mark.parametrize("read", [{"action": "close_lock"}, {"alternatives": LIKELY}])
def test_it_makes_up_no_request(read: dict[str, object]) -> None:
    told = nothing_to_answer(PolicyDecision.model_validate({"intent": "action", **read}))
    assert (told.action, told.alternatives) == (None, ())
    assert told.reasons == ("nothing_to_answer",)


@pytest.mark.parametrize(
    "read",
    [
        {"reasons": ("points_at:lock:LK-12",)},
        {"force_tool": "close_lock"},
        {"unclear": "There is no number 2: the last list has 1. Which lock?"},
    ],
)
def test_it_still_points_at_what_was_listed(read: dict[str, object]) -> None:
    found = PolicyDecision.model_validate({"intent": "action", "action": "close_lock", **read})
    assert nothing_to_answer(found) is found


def test_it_may_ask_for_nothing_at_all() -> None:
    said = PolicyDecision(intent="general", reasons=("small_talk",))
    assert nothing_to_answer(said) is said


def test_a_late_no_is_told_why_its_question_is_off() -> None:
    told = on_resolved(frozen_action(state="stale", reason="the same was done meanwhile"))
    assert told.says.endswith(". The same was done meanwhile.")
    assert "not done" not in told.says
