"""How well policy keeps its word (policy-first plan, phase G), and what people regret."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from pydantic import Field

from state.noun import Name, Noun
from state.query import Rate

Miss = Literal["tool_not_called", "clarified_first", "recency_lost", "stage_missed"]
"""What policy had decided and did not come about."""


class TurnQuality(Noun):
    """What one message or choice says about the policy of its pack."""

    decision_id: str
    tenant_id: str
    pack: Name
    intent: str | None
    action: str | None
    direct: bool = Field(description="its intent forces a read that this role may ask for")
    called: bool = Field(description="that read, or another search, was called")
    clarified: bool = Field(description="it was answered with a question or chips instead")
    recency_asked: bool = Field(description="a search ran, and the text limits it in time")
    recency_kept: bool = Field(description="the arguments that ran hold exactly those dates")
    stage_due: bool = Field(description="the action succeeded, and a step of the pack follows")
    stage_made: bool = Field(description="the session stands where that step leads")

    @property
    def misses(self) -> tuple[Miss, ...]:
        """Name what did not come about."""
        found: list[Miss] = []
        if self.direct and not self.called:
            found.append("clarified_first" if self.clarified else "tool_not_called")
        if self.recency_asked and not self.recency_kept:
            found.append("recency_lost")
        if self.stage_due and not self.stage_made:
            found.append("stage_missed")
        return tuple(found)


class MissedTurn(Noun):
    """A turn to look into: `prefrontal why` explains it."""

    decision_id: str
    at: datetime
    intent: str | None
    action: str | None
    misses: tuple[Miss, ...]


class QualityRates(Noun):
    """The four rates of phase G."""

    turns: int = Field(description="messages and choices of the pack")
    direct_search_tool_call_rate: Rate = Field(
        description="of the turns whose intent forces a read: it was called"
    )
    clarification_first_rate: Rate = Field(
        description="of the same turns: answered with a question or chips first; should be 0"
    )
    recency_filter_compliance_rate: Rate = Field(
        description="of the searches limited in time: run with exactly those dates"
    )
    stage_transition_success_rate: Rate = Field(
        description="of the successes that a step follows: the session stands where it leads"
    )

    @property
    def worst(self) -> float:
        """Give the lowest of the rates, questions turned round; 1 when there is none."""
        rates = [
            self.direct_search_tool_call_rate.value,
            self.recency_filter_compliance_rate.value,
            self.stage_transition_success_rate.value,
        ]
        asked = self.clarification_first_rate.value
        turned = [] if asked is None else [1 - asked]
        return min([*(rate for rate in rates if rate is not None), *turned], default=1.0)


class QualityMetrics(QualityRates):
    """The rates of a pack since they were last reset."""

    pack: Name
    since: datetime | None = Field(description="of the last reset; null: from the first turn on")
    intents: Mapping[str, int] = Field(description="turns by intent")
    missed: tuple[MissedTurn, ...] = Field(description="the newest turns that missed something")


class QualityBucket(QualityRates):
    """The rates of a span of time."""

    start: datetime


class QualityHistory(Noun):
    """The rates of a pack over time, oldest first; spans without a turn are left out."""

    pack: Name
    aggregate_minutes: int
    buckets: tuple[QualityBucket, ...]


class QualityCounts(Noun):
    """The counters under the rates, for a dashboard that divides by itself."""

    turns: int = 0
    direct_search_turns: int = 0
    direct_search_tool_calls: int = 0
    clarification_first: int = 0
    recency_asked: int = 0
    recency_kept: int = 0
    stage_due: int = 0
    stage_made: int = 0


RegretKind = Literal["utterance", "silence"]
SILENT = ("passed", "merged", "silent")
"""Outcomes of an event that was not told."""
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
