"""The example of the state shown in OpenAPI."""

from api.examples import RECORD, Json
from api.goal_payloads import GOAL
from api.memory_payloads import SAID
from api.modulation_payloads import MODULATION
from api.personality_examples import STANDING as PERSONALITY
from api.quiet_examples import STANDING
from api.reminder_examples import REMINDER

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
