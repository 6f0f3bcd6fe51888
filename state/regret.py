"""Utterances and silences that people regret, and how many there are per 100 events."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from state.noun import Noun

RegretKind = Literal["utterance", "silence"]
RegretCause = Literal["rated", "said", "suppressed", "quieted", "should_have_told"]
"""rated: rated bad; said: annoyance in words; suppressed: its topic was muted at once; quieted:
quiet was asked for at once; should_have_told: somebody said so of a silence."""


class Regret(Noun):
    """A decision on an event that somebody wishes had been the other one."""

    decision_id: str
    session_id: str
    source: str
    kind: RegretKind
    cause: RegretCause
    decided_at: datetime
    at: datetime = Field(description="when somebody said so last")


class RegretCounts(Noun):
    """Counts over events that nobody addressed to us; messages are not among them."""

    events: int
    spoken: int = Field(description="of the events: spoken about")
    utterances: int = Field(description="regretted utterances")
    silences: int = Field(description="regretted silences")
    utterances_per_100: float | None = Field(description="of 100 events; null: no events")
    silences_per_100: float | None = Field(description="of 100 events; null: no events")


class WeekRegrets(RegretCounts):
    """The counts of one week."""

    week: date = Field(description="its Monday, UTC")


class SourceRegrets(RegretCounts):
    """The counts of one source of events."""

    source: str


class Regrets(Noun):
    """What people regret, in all, by week and by source."""

    total: RegretCounts
    weeks: tuple[WeekRegrets, ...] = Field(description="oldest first; weeks without events not")
    sources: tuple[SourceRegrets, ...] = Field(
        description="most regretted first, then most events; the first 50"
    )
    newest: tuple[Regret, ...] = Field(description="the newest regrets that you may read")
