"""The examples of quiet shown in OpenAPI."""

from typing import Any

from api.examples.common import Json

STANDING: Json = {
    "session_id": "engine-room",
    "at": "2026-02-07T14:32:00Z",
    "is_quiet": False,
    "reason": "free",
    "until": None,
    "threshold": 0.56,
    "usual_threshold": 0.56,
    "moves": {"theta0": 0.6, "proactive": -0.04},
    "said_lately": 1,
    "free_utterances": 3.3,
    "quiet_hours": None,
    "topics": [{"topic": "watermaker", "kind": "suppress", "until": None, "threats": False}],
    "goals": [],
    "causes": [],
    "used_to": [{"pattern": "tank_sensor|ambient|", "level": 0.41}],
    "waiting": [],
    "counterfactual": "an event of relevance 0.56 would be told now, and any threat of 0.8",
}
MUTED: Json = {
    **STANDING,
    "is_quiet": True,
    "reason": "muted",
    "until": "2026-02-07T14:52:00Z",
    "waiting": [
        {
            "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
            "text": "Watermaker salinity high: 520 ppm",
            "why": "deferred",
            "until": "2026-02-07T14:52:00Z",
            "ends_on": ["quiet_ended"],
        }
    ],
    "counterfactual": "a threat of 0.8 would be told now; the rest is kept and told at 14:52 UTC, "
    'or when you say "you can talk"',
}
WISHES: dict[str, Any] = {
    "for a time": {"value": {"session_id": "engine-room", "minutes": 20}},
    "every night": {"value": {"quiet_hours": {"starts": "22:00", "ends": "07:00"}}},
    "a topic": {"value": {"topic": "watermaker", "minutes": 60}},
}
