"""Quiet mode: its reasons, its end, and what still gets through."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from prefrontal.types.attention import QuietHours
from prefrontal.types.noun import Noun, Score


class Waits(Noun):
    """A decision that waits for its moment."""

    decision_id: str
    text: str
    why: str = Field(description="queued, batched or deferred")
    until: datetime = Field(description="the end of its life")
    ends_on: tuple[str, ...] = Field(description="signals that release it")


class UsedTo(Noun):
    """A pattern of events that has become boring."""

    pattern: str
    level: Score = Field(description="0 is fresh, .9 is thoroughly bored")


class Topic(Noun):
    """What was asked to be left alone or watched for."""

    topic: str
    kind: str
    until: datetime | None = None
    threats: bool = False
    learned: bool = Field(default=False, description="proposed, and somebody said yes")


class Cause(Noun):
    """What was told and hides what follows from it."""

    text: str
    rule: str
    until: datetime


class Quietness(Noun):
    """How a session stands on speaking, at one moment."""

    session_id: str
    at: datetime
    is_quiet: bool = Field(description="nothing but a threat is told: a mute or quiet hours")
    reason: str = Field(description="muted, quiet_hours, busy:call, asked, load, annoyance, free")
    until: datetime | None = Field(default=None, description="when that ends by itself")
    threshold: Score = Field(description="what an event without further merits has to reach")
    usual_threshold: Score = Field(description="the same without requests, load and annoyance")
    moves: Mapping[str, float] = Field(description="what raises (+) and lowers (-) it now")
    said_lately: int = Field(description="utterances of the last ten minutes")
    free_utterances: float = Field(description="how many of these do not raise the threshold")
    quiet_hours: QuietHours | None = None
    topics: tuple[Topic, ...] = ()
    goals: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    used_to: tuple[UsedTo, ...] = ()
    waiting: tuple[Waits, ...] = ()
    counterfactual: str = Field(description="what would be said all the same, and how to end it")


class UnaskedBudget(Noun):
    """How much a session may hear that nobody asked for: check-ins, observations, mood."""

    said: int = Field(description="in the last hour")
    hourly: float = Field(description="how many an hour may hear")
