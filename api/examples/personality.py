"""The examples of personality and skills shown in OpenAPI."""

from typing import Any

from api.examples.common import Json

_STILL = dict.fromkeys(
    ("humor", "sarcasm", "formality", "proactive", "enthusiasm", "helpfulness", "verbosity"), 0.0
)
STANDING: Json = {
    "session_id": "overworld",
    "user": "sam",
    "template": "dry_wit",
    "templates": ["cheerful", "dry_wit", "mentor"],
    "base_traits": {
        "humor": 0.7,
        "sarcasm": 0.8,
        "formality": 0.3,
        "proactive": 0.4,
        "enthusiasm": 0.3,
        "helpfulness": 0.6,
        "verbosity": 0.4,
    },
    "context_modifiers": {**_STILL, "sarcasm": -0.18, "proactive": 0.135},
    "circumstances": {"high_threat": 0.45},
    "mood_modifiers": {**_STILL, "sarcasm": -0.03, "proactive": -0.04, "formality": -0.012},
    "user_overrides": {**_STILL, "sarcasm": -0.2},
    "effective_traits": {
        "humor": 0.7,
        "sarcasm": 0.39,
        "formality": 0.288,
        "proactive": 0.495,
        "enthusiasm": 0.3,
        "helpfulness": 0.6,
        "verbosity": 0.4,
    },
    "mood": {"valence": -0.12, "arousal": 0.2, "at": 1781452800.0},
    "rapport": 0.34,
}
SKILL: Json = {
    "name": "minecraft_expertise",
    "type": "domain_skill",
    "summary": "Knows the creatures, ores and nights of Minecraft",
    "is_loaded": True,
    "reason": "the context is gaming.minecraft",
    "capabilities": ["threat_assessment"],
}
TEMPLATES: dict[str, Any] = {"a template": {"value": {"template": "dry_wit"}}}
TRAITS: dict[str, Any] = {
    "a bit less": {"value": {"session_id": "overworld", "trait": "sarcasm", "step": -0.1}},
    "none of it": {"value": {"trait": "humor", "value": 0}},
}
