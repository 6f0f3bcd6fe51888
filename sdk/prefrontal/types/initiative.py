"""Speaking without being spoken to: what our own clock meant by a tick, and what it goes by."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from prefrontal.types.noun import Name, Noun
from prefrontal.types.talk import Repeat, TalkRequest

InitiativeKind = Literal[
    "check_in", "observation", "mood_comment", "achievement", "reminder", "proposal", "emitted"
]
KEPT: tuple[InitiativeKind, ...] = ("achievement", "reminder", "emitted")
"""What was asked for or earned: it is kept over a quiet and a busy time, the rest is let go."""


class Initiative(Noun):
    """Why a tick speaks; read from our own rows: what an event says of itself is no authority."""

    kind: InitiativeKind
    about: str = Field(default="", description="the rule, the pattern or the reminders behind it")
    proposes: TalkRequest | None = Field(default=None, description="what a yes to it does")
    count: int | None = Field(default=None, description="the milestone of an achievement")


class Tally(Noun):
    """How often something that a pack counts has happened in a session."""

    total: int = 0
    recent: tuple[float, ...] = Field(default=(), description="seconds since 1970, oldest first")
    observed_at: float | None = Field(default=None, description="when it was last remarked on")
    told: int = Field(default=0, description="the highest milestone that was told")


class Proactive(Noun):
    """What a session's own initiatives go by; times in seconds since 1970."""

    engaged_at: float | None = Field(default=None, description="when a person last spoke to us")
    checked_in_at: float | None = None
    ignored_check_ins: int = Field(default=0, description="in a row, before the last one")
    said_at: tuple[float, ...] = Field(default=(), description="check-ins and the like, by budget")
    observed_at: float | None = None
    mood_commented_at: float | None = None
    mood_strong_since: float | None = None
    tallies: Mapping[str, Tally] = Field(default_factory=dict, description="rule → how often")


class OpenProposal(Noun):
    """Something a yes would do: it was kept before it was asked."""

    request: TalkRequest
    decision_id: str = Field(description="the decision that asks")
    at: float = Field(description="seconds since 1970")


ReminderStanding = Literal["scheduled", "told", "cancelled"]


class Reminder(Noun):
    """Something a person wants to be told at a time, again and again, or when something happens."""

    reminder_id: Name
    session_id: Name
    text: str
    due_at: datetime = Field(
        description="when it is told next; with `on_event`, until when it waits for that"
    )
    repeats: Repeat | None = Field(default=None, description="null: it is told once")
    on_event: str | None = Field(default=None, description="what has to happen")
    seen_at: datetime | None = Field(default=None, description="when that happened last")
    user: str | None = Field(default=None, description="who asked for it")
    standing: ReminderStanding = "scheduled"
    decision_id: str | None = Field(default=None, description="the decision that told it")

    def is_of(self, user: str | None) -> bool:
        """Tell whether somebody may speak of it as theirs; what nobody asked for is anybody's."""
        return self.user is None or self.user == user
