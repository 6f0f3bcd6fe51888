"""The examples of reminders shown in OpenAPI."""

from typing import Any

from api.examples.common import Json

REMINDER: Json = {
    "reminder_id": "reminder-0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "session_id": "engine-room",
    "text": "check the furnace",
    "due_at": "2026-02-07T14:52:00Z",
    "user": "amir",
    "standing": "scheduled",
    "decision_id": None,
}
WISHES: dict[str, Any] = {
    "in a while": {
        "value": {"session_id": "engine-room", "text": "check the furnace", "in_seconds": 1200}
    },
    "at a time": {"value": {"text": "call the yard", "at": "2026-02-08T09:00:00Z"}},
}
