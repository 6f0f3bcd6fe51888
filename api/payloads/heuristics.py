"""What is sent and shown of heuristics and feedback, with its examples."""

from typing import Any

from pydantic import Field

from api.examples.common import Json
from state.heuristic import KnownHeuristic
from state.noun import Noun, Score


class HeuristicPage(Noun):
    """The heuristics of a tenant."""

    heuristics: tuple[KnownHeuristic, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


class HeuristicChange(Noun):
    """What is to be changed; what is left out stays."""

    says: str = Field(default="", min_length=1, max_length=2_000)
    floor: Score = 0.05
    ceiling: Score = 0.95
    weight: float = Field(default=1.0, ge=0, le=10, description="of every signal")
    locked: bool = Field(default=False, description="feedback does not move it")
    disabled: str | None = Field(default=None, max_length=200, description="why; null: in use")


CHANGES: dict[str, Any] = {
    "words": {"value": {"says": "Look at the raw water strainer first."}},
    "out of use": {"value": {"disabled": "the pump was replaced"}},
}
RATINGS: dict[str, Any] = {
    "good": {"value": {"response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001", "rating": "good"}},
    "bad": {
        "value": {
            "response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
            "rating": "bad",
            "attribution": "bad_timing",
        }
    },
}
HEURISTIC: Json = {
    "heuristic": {
        "heuristic_id": "learned-5b0c6d2a-3a52-5d1e-8a10-0d2f6a7b9c11",
        "tenant_id": "default",
        "origin": "learned",
        "condition": "Watermaker strainer clogged",
        "source": "tank_sensor",
        "kind": "ambient",
        "says": "Clean the strainer before the next run.",
        "action": None,
        "declared": None,
        "locked": False,
        "floor": 0.05,
        "ceiling": 0.95,
        "weight": 1.0,
        "reworded": False,
        "disabled": None,
        "made_at": 1770474720.0,
        "made_from": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    },
    "confidence": {
        "usable": 0.409,
        "mean": 0.533,
        "lower": 0.409,
        "a": 1.6,
        "b": 1.4,
        "blocked": False,
        "doubted": False,
        "taught_by": ["ann"],
        "taught_in": ["engine-room"],
        "shared": False,
        "goods": 1,
        "bads": 0,
        "signals": 1,
    },
}
TRACED: Json = {
    "trace": {
        "response_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
        "timestamp": 1770474720.0,
        "event_id": "evt-18",
        "context_text": "Watermaker strainer clogged",
        "response": "Clean the strainer before the next run.",
        "matched_heuristic_id": None,
        "predicted_success": 0.7,
        "prediction_confidence": 0.8,
        "path": "llm",
        "strategy": "heuristic_first",
        "tenant_id": "default",
        "session_id": "engine-room",
        "decision_id": "7c1f0f0e-2a52-5d1e-8a10-0d2f6a7b9c11",
        "event_source": "tank_sensor",
        "event_kind": "ambient",
        "action": None,
        "user": None,
        "prompt_hash": "de7d1b721a1e0632",
        "model": "gpt-5-mini",
    },
    "explicit": {
        "sign": "good",
        "attribution": None,
        "session_id": "engine-room",
        "given_by": "ann",
        "strength": 1.0,
    },
    "implicit": None,
}
