"""A no that stands: what comes like it is refused without asking anybody."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.noun import CleanJson, CleanText, Name, Noun

LONGEST_MINUTES = 527_040.0
"""A year and a day."""

Minutes = Field(
    default=None, gt=0, le=LONGEST_MINUTES, description="how long; none: until it is withdrawn"
)


class RefusalWish(Noun):
    """What a person who rejects an action wants refused from now on."""

    same: Literal["action", "arguments", "requester"] = Field(
        description="the action; with these arguments; or whenever this person asks for it"
    )
    minutes: float | None = Minutes


class NewRefusal(Noun):
    """A standing refusal as it is asked for; it never allows anything."""

    action: Name
    arguments: Mapping[CleanText, CleanJson] = Field(
        default_factory=dict, description="those that must be equal; none: any"
    )
    requester: Name | None = Field(default=None, description="none: whoever asks")
    reason: CleanText = Field(default="", max_length=2_000)
    minutes: float | None = Minutes


class Refusal(Noun):
    """A standing refusal, as it is kept."""

    refusal_id: str
    tenant_id: str
    action: str
    arguments: Mapping[str, Any]
    requester: str | None = None
    reason: str
    created_by: str
    created_at: datetime
    until: datetime | None = None
    withdrawn_by: str | None = None
    withdrawn_at: datetime | None = None
