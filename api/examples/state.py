"""The example of the state shown in OpenAPI."""

from api.examples.common import RECORD, Json
from api.examples.personality import STANDING as PERSONALITY
from api.examples.quiet import STANDING
from api.examples.reminders import REMINDER
from api.payloads.goals import GOAL
from api.payloads.memory import SAID
from api.payloads.modulations import MODULATION

STATE: Json = {
    "session_id": "engine-room",
    "active_context": None,
    "loaded_skills": [],
    "personality": PERSONALITY,
    "user_state": {"busy": "call", "focus": 0.5, "present": True},
    "quiet": STANDING,
    "modulations": [MODULATION],
    "goals": [GOAL],
    "reminders": [REMINDER],
    "recent_responses": [SAID],
    "recent_events": [RECORD],
}
