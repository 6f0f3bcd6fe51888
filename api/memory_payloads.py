"""What is asked of the memory over the wire, with its examples."""

from pydantic import Field

from api.examples import RECORD, Json
from state.noun import Name, Noun
from state.remembered import Remembered, SaidBy
from tools.memory.recalling import Where


class MemoryQuery(Noun):
    """What to recall; without `about` the newest."""

    about: str | None = Field(default=None, min_length=2, max_length=400)
    session_id: Name | None = Field(default=None, description="null: any of the tenant's")
    said_by: SaidBy | None = None
    user: Name | None = None
    limit: int = Field(default=10, ge=1, le=100)

    def where(self, tenant_id: str) -> Where:
        """Say in whose words to look."""
        return Where(tenant_id, self.session_id, self.said_by, self.user)


class MemoryPage(Noun):
    """What was found."""

    said: tuple[Remembered, ...]


SAID: Json = {
    "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "session_id": "engine-room",
    "said_by": "us",
    "user": None,
    "at": "2026-02-07T14:32:00Z",
    "text": "Watermaker salinity high: 520 ppm",
    "about": "tank_sensor watermaker",
    "action": {"event_id": "evt-18", "response_type": "observation", "skills_used": []},
    "reaction": "good",
}
ENTITY: Json = {"entity": "watermaker", "said": [SAID], "happened": [RECORD], "facts": {}}
