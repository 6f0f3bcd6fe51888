"""What is asked of the outputs over the wire, with its examples. Source: spec §14.3."""

from typing import Annotated, Any

from pydantic import Field

from api.examples.common import Json
from api.payloads.sessions import InSession
from state.noun import CleanText, Name, Noun


class Emission(InSession):
    """Words to be said."""

    text: Annotated[CleanText, Field(min_length=1, max_length=2_000)]


class Interruption(Noun):
    """Whose voice is to fall silent."""

    session_id: Name | None = Field(default=None, description="null: in every session of yours")


class Interrupted(Noun):
    """What came of it."""

    dropped: int = Field(description="utterances cut off or never begun")


STATE: Json = {
    "engine": "espeak-ng",
    "is_ready": True,
    "problem": None,
    "speaking": {
        "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
        "tenant_id": "default",
        "session_id": "engine-room",
        "text": "Bilge level high",
        "urgent": True,
        "speed": 1.2,
    },
    "since": "2026-02-07T14:32:00Z",
    "queue": [],
}
EMITS: dict[str, Any] = {"words": {"value": {"text": "Dinner is ready"}}}
INTERRUPTS: dict[str, Any] = {"a session": {"value": {"session_id": "engine-room"}}}
