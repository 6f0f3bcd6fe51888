"""Whether to respond, and when."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from state.held import Beside
from state.model_use import ModelUse
from state.noun import Noun, Score
from state.response import ResponseType

Verdict = Literal["alert", "continue", "pass", "drop", "hold"]
TimingOutcome = Literal["immediate", "queued", "batched", "deferred", "dropped"]


class Relevance(Noun):
    """The verdict on an event: its score against the threshold of this moment."""

    score: Score = Field(description="R")
    threshold: Score = Field(description="theta, after personality, mutes, load and annoyance")
    threat: Score = Field(description="T")
    verdict: Verdict
    reason: str = Field(description="reason code, such as below_threshold")
    counterfactual: str = Field(description="what would have changed the verdict, in words")
    rule: str | None = Field(default=None, description="the topic or cause that decided")
    until: datetime | None = Field(default=None, description="when that gate opens by itself")
    late: bool = Field(default=False, description="it came late: what is told says its age")
    model: str | None = Field(
        default=None, description="what a model made of an uncertain one, or why it did not"
    )
    terms: Mapping[str, float] = Field(description="every number that went into R and theta")
    models: tuple[ModelUse, ...] = Field(default=(), description="calls of a model for it")


class Timing(Noun):
    """When to respond: now, never (dropped), or after a hold."""

    outcome: TimingOutcome
    reason: str
    response_type: ResponseType
    utilities: Mapping[str, float] = Field(default_factory=dict, description="why this type won")
    urgency: Score
    release_on: tuple[str, ...] = Field(default=(), description="break signals that end the hold")
    due_at: datetime | None = Field(default=None, description="when the hold ends by itself")
    group: str = Field(default="", description="what it would be told together with")
    identity: str = Field(default="", description="the same thing, whatever its figures")
    life_seconds: float | None = Field(default=None, description="longest wait, from the first")
    value: float | None = Field(
        default=None, description="what is left of the relevance of what waited"
    )
    beside: tuple[Beside, ...] = Field(
        default=(), description="what waited too and is told, dropped or kept with this"
    )
