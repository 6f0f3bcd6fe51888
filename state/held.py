"""Decisions that wait for their moment, and what becomes of them when another one is told."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.event import Event
from state.initiative import Initiative
from state.noun import Noun, Score
from state.salience import Salience


class Held(Noun):
    """A decision that waits."""

    decision_id: str
    event: Event
    timing: Literal["queued", "batched", "deferred"]
    group: str = Field(description="what it is told together with")
    release_on: tuple[str, ...]
    urgency: Score
    initiative: Initiative | None = None
    held_at: datetime
    due_at: datetime


class Beside(Noun):
    """A decision that waited beside the one that is told, judged again at that moment."""

    decision_id: str
    text: str
    salience: Salience
    relevance: Score = Field(description="R at that moment")
    ending: Literal["told", "passed", "stays"]
    reason: str
    counterfactual: str
