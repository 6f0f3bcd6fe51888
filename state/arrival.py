"""How an event met the store."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.initiative import Initiative
from state.noun import Noun

Standing = Literal["accepted", "held", "released", "waiting", "recorded", "duplicate"]
"""Where a decision stands; duplicate: another thread has it, or it is decided."""


class Arrival(Noun):
    """The receipt of an event."""

    decision_id: str
    standing: Standing
    received_at: datetime
    age_seconds: float = Field(description="since it happened; negative when its clock is ahead")
    released_by: str | None = Field(default=None, description="what ended a hold")
    held_since: datetime | None = Field(default=None, description="when the hold began")
    initiative: Initiative | None = Field(
        default=None, description="what our own clock means by it; from our rows alone"
    )
    repeats: int = Field(
        default=1,
        ge=1,
        description="itself and the identical ones that came before its turn",
    )
    started_ns: int = Field(description="wall clock, for the time the decision took")
