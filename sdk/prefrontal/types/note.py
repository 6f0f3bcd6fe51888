"""A decision people took in conversation, as noted from one message."""

from datetime import datetime

from pydantic import Field

from prefrontal.types.journal import DecisionStatus, Origin
from prefrontal.types.noun import Noun, Score


class DetectedDecision(Noun):
    """Words that decide something; both texts stand verbatim in the message."""

    decision: str
    rationale: str = ""
    confidence: Score


class NotedDecision(Noun):
    """What was decided and why, each a verbatim part of the message it came from."""

    note_id: str
    decision_id: str = Field(description="the Executive's decision on that message")
    decision: str
    rationale: str = ""
    decision_maker: str | None = None
    confidence: Score
    decided_at: datetime | None = Field(description="null: a record without a date")
    origin: Origin = "conversation"
    status: DecisionStatus = DecisionStatus.ACTIVE
    source: str | None = Field(default=None, description="path of the record it was read from")
    imported_by: str | None = Field(default=None, description="who brought it in; null: heard here")
    asked_by: str | None = Field(default=None, description="who asked for a change of ours")
    quote: str = Field(default="", description="the words it was asked for with")
    ending: str = Field(default="", description="what became of it, when it was not simply done")
    successor: str | None = Field(default=None, description="what replaced it, by its title")
