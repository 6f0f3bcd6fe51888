"""What a decision strategy is given and leaves behind. Source: decision strategy interface spec."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from state.heuristic import Signal
from state.noun import Noun, Score
from state.personality import Mood, Traits
from state.policy import Suggestion
from state.response import ResponseType
from state.result import DecisionPath

StrategyName = Literal["heuristic_first", "always_llm", "hybrid"]
AssignedBy = Literal["session", "pack", "settings", "share"]


class Remark(Noun):
    """Something that happened lately and what we said of it."""

    at: datetime = Field(description="on the person's clock")
    about: str = Field(description="the event's own words; empty: unknown")
    said: str


class Background(Noun):
    """What is known beside an event. Source: Executive decision loop §9.2."""

    kind: ResponseType = Field(default="observation", description="what the answer is to be")
    at: datetime | None = Field(default=None, description="on the person's clock")
    context: str | None = Field(default=None, description="such as gaming.minecraft")
    traits: Traits = Traits()
    mood: Mood = Mood()
    person: str | None = Field(default=None, description="who is spoken to")
    goals: tuple[str, ...] = Field(default=(), description="open ones, newest last")
    remarks: tuple[Remark, ...] = Field(default=(), description="newest last")
    facts: tuple[str, ...] = Field(default=(), description="what is remembered, newest last")
    details: tuple[str, ...] = Field(default=(), description="the event's entities and values")


class DecisionContext(Noun):
    """Input to a decision strategy; the first six fields are the spec's, the others ours."""

    event_id: str
    event_text: str
    event_source: str
    salience: Mapping[str, float] = Field(default_factory=dict)
    suggestion: Suggestion | None = Field(default=None, description="the best heuristic that fits")
    immediate: bool = Field(description="it may be answered now; a model is asked for nothing else")
    decision_id: str = Field(default="", description="names the response; empty: the event does")
    addressed: bool = Field(default=False, description="a person waits for an answer")
    candidates: tuple[Suggestion, ...] = Field(
        default=(), description="heuristics that fit, best first, `suggestion` among them"
    )
    urgency: Score = Field(default=0.0, description="lowers the bar for firing alone above .5")
    is_alert: bool = Field(default=False, description="a threat: it waits for no model")
    actions: Mapping[str, str] = Field(
        default_factory=dict, description="what a model may propose: name → how it is listed"
    )
    background: Background = Background()

    @property
    def stake(self) -> float:
        """Tell how much hangs on it, 0 to 1: a person who waits, a threat, a goal, a chance."""
        if self.addressed:
            return 1.0
        named = ("threat", "goal_relevance", "opportunity")
        return max((self.salience.get(name, 0.0) for name in named), default=0.0)


class PathChoice(Noun):
    """Which way a strategy takes, and why."""

    path: DecisionPath
    reason: str = Field(description="reason code, such as confident, uncertain, llm_unavailable")


class ReasoningTrace(Noun):
    """How a response came about, for whoever rates it. The first seven fields are the spec's."""

    response_id: str
    timestamp: float = Field(description="seconds since 1970")
    event_id: str
    context_text: str
    response: str
    matched_heuristic_id: str | None = None
    predicted_success: Score = 0.0
    prediction_confidence: Score = 0.0
    path: DecisionPath = DecisionPath.REJECTED
    strategy: str | None = None
    tenant_id: str = "default"
    session_id: str = "default"
    decision_id: str = ""
    event_source: str = "unknown"
    event_kind: str = "ambient"
    action: str | None = None
    user: str | None = Field(default=None, description="whom it answers; none: nobody by name")
    prompt_hash: str | None = None
    model: str | None = None


class Assigned(Noun):
    """Which strategy decides here, and what put it there."""

    strategy: StrategyName
    by: AssignedBy


class Traced(Noun):
    """How a response came about, and what was said of it."""

    trace: ReasoningTrace
    explicit: Signal | None = None
    implicit: Signal | None = None
