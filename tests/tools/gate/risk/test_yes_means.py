"""What a plain yes takes of several chips is settled before they are shown, and never a guess."""

from typing import Any

import pytest

from state.classification import Classification
from state.offer import Chip
from state.policy import Candidate, PolicyDecision
from state.result import DecisionPath, DecisionResult
from state.stages import Classified
from tests.nodes.conftest import routing_of
from tests.stages import TUNING, every_stage
from tools.gate.risk.offer_candidates import chip_for_yes

CHIPS = tuple(
    Chip(chip_id=f"chip-{place}", action=action, arguments={}, summary=action, confidence=0.5)
    for place, action in enumerate(("show_lock", "note_in_log", "close_lock"), start=1)
)


def meant(
    *,
    confidence: float = 0.95,
    other: Candidate | None = None,
    reason: str = "class_B",
    mood: str = "command",
    chips: tuple[Chip, ...] = CHIPS,
    **policy: Any,
) -> str | None:
    fields = {
        "intent": "action",
        "routing": routing_of(mood=mood),
        "alternatives": () if other is None else (other,),
        **policy,
    }
    state = Classified.model_validate(
        {
            **every_stage(),
            "policy": PolicyDecision.model_validate(fields),
            "result": DecisionResult(
                path=DecisionPath.HEURISTIC,
                action="note_in_log",
                arguments={},
                confidence=confidence,
            ),
            "classification": Classification(verdict="offer", reason=reason, execution_class="B"),
        }
    )
    return chip_for_yes(state, chips, TUNING.execution)


def test_it_is_what_was_clearly_asked_for_wherever_it_stands() -> None:
    assert meant() == "chip-2"
    assert meant(other=Candidate(action="close_lock", confidence=0.3)) == "chip-2"


def test_of_one_chip_it_is_that() -> None:
    assert meant(confidence=0.3, mood="question", chips=CHIPS[:1]) == "chip-1"


@pytest.mark.parametrize(
    "doubt",
    [
        {"confidence": 0.8},
        {"other": Candidate(action="close_lock", confidence=0.6)},
        {"other": Candidate(action="close_lock", confidence=0.1, slots={"lock": "LK-12"})},
        {"reason": "low_confidence"},
        {"reason": "tainted"},
        {"mood": "question"},
        {"mood": "reported"},
        {"held": "several_requests"},
        {"unclear": "Which lock?"},
        {"variants": ({"note": "a"}, {"note": "b"})},
        {"chips": (CHIPS[0], CHIPS[2])},
    ],
)
def test_where_there_is_any_doubt_it_is_none(doubt: dict[str, Any]) -> None:
    assert meant(**doubt) is None
