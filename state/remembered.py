"""What is recalled of what was said: by people, and by us with what came of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from state.noun import Noun
from state.record import DecisionRecord

SaidBy = Literal["person", "us"]
UserReaction = Literal["good", "bad", "ignored"]


class Remembered(Noun):
    """Something that was said; of ours also what it was. Source: Executive decision loop §9.3."""

    decision_id: str
    session_id: str
    said_by: SaidBy
    user: str | None = Field(default=None, description="who said it, or whom we answered")
    at: datetime
    text: str
    about: str = Field(default="", description="source and entities")
    action: Mapping[str, Any] = Field(
        default_factory=dict,
        description="of ours: event_id, response_type, skills_used, effective_traits",
    )
    reaction: UserReaction | None = None


class Forgotten(Noun):
    """What memory held of a person, and holds no more."""

    user: str
    said: int = Field(default=0, description="utterances: theirs, and what they were answered")
    reminders: int = 0
    goals: int = 0
    profile: bool = Field(default=False, description="template, overrides and rapport")
    sessions: int = Field(default=0, description="sessions that knew them")


class EntityMemory(Noun):
    """What is known of one thing: what was said of it, and what happened to it."""

    entity: str
    said: tuple[Remembered, ...]
    happened: tuple[DecisionRecord, ...]
    facts: Mapping[str, str] = Field(default_factory=dict, description="what packs remember of it")
