"""What policy makes of a text: the action meant, the alternatives, the intent, the permissions."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from state.note import DetectedDecision
from state.noun import Noun, Score
from state.talk import TalkRequest

Mood = Literal["command", "request", "question", "negated", "reported", "hypothetical", "statement"]

ASKS_NOTHING: frozenset[Mood] = frozenset({"negated", "reported", "hypothetical"})
"""Moods of a text that names an action and does not ask for it: nothing is done or offered."""


class Candidate(Noun):
    """An action that might be meant."""

    action: str
    confidence: Score


class EntityMention(Noun):
    """A thing of the pack's world found in a text; span counts characters, end exclusive."""

    type: str
    value: str = Field(description="the canonical name or id")
    confidence: Score
    span: tuple[int, int]


class SearchPolicy(Noun):
    """Structured search fields. Source: policy-first plan, target architecture §1."""

    topic: str | None = None
    query_terms: tuple[str, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    open_access_only: bool | None = None
    limit: int = Field(default=10, ge=1, le=100)


class Routing(Noun):
    """What the router read from one text; `action` is None when nothing in the catalogue fits."""

    text: str
    normalized: str
    tokens: tuple[str, ...]
    action: str | None
    confidence: Score
    alternatives: tuple[Candidate, ...] = Field(
        default=(), description="best first, without action"
    )
    mood: Mood
    verb_family: str | None = None
    target_object: str | None = None
    target_container: str | None = None
    slots: Mapping[str, Any] = Field(default_factory=dict)  # typed by the catalogue's slots
    missing_slots: tuple[str, ...] = Field(
        default=(), description="required, not found in the text"
    )
    entities: tuple[EntityMention, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="slot → the several things its words may name"
    )
    not_found: Mapping[str, str] = Field(
        default_factory=dict, description="slot → a name that is nobody's and nothing's"
    )
    reasons: tuple[str, ...] = ()


class StageTransition(Noun):
    """A step of a pack's own state machine, taken by code when an action succeeds."""

    to_stage: str
    on_action: str
    reason: str


PolicyIntent = str
"""action, clarify, choice, control, journal, decision, general, notice, or one a pack declares."""


class PolicyDecision(Noun):
    """The one deterministic decision made before any model. Source: policy-first plan."""

    intent: PolicyIntent
    routing: Routing | None = None
    action: str | None = Field(default=None, description="the action policy settled on")
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    confidence: Score = 0.0
    alternatives: tuple[Candidate, ...] = ()
    explicit: bool = Field(default=False, description="a person chose exactly this: a chip")
    offer_id: str | None = Field(default=None, description="the offer the chip came from")
    undo_of: str | None = Field(default=None, description="the action that this one takes back")
    variants: tuple[Mapping[str, Any], ...] = Field(
        default=(), description="the arguments it may mean, where a name fits several things"
    )
    unclear: str = Field(default="", description="what could not be made out, as a sentence")
    says: str = Field(default="", description="the answer, when policy has it already")
    force_tool: str | None = None
    search: SearchPolicy | None = None
    stage_transition: StageTransition | None = None
    blocked: tuple[str, ...] = Field(default=(), description="actions this role may not ask for")
    suggestion: "Suggestion | None" = None
    detected: DetectedDecision | None = Field(default=None, description="people just decided this")
    talk: TalkRequest | None = Field(default=None, description="asked about the talking itself")
    reasons: tuple[str, ...] = ()


class Suggestion(Noun):
    """A pack's heuristic that matches the event. Source: decision strategy spec."""

    heuristic_id: str
    confidence: Score
    condition_text: str
    suggested_action: str = Field(description="the words to say")


PolicyDecision.model_rebuild()
