"""How the assistant is: seven traits, what moves them, its mood, and how it stands with somebody.

Source: Executive decision loop §6.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field

from prefrontal.types.noun import Name, Noun, Score

TraitName = Literal[
    "humor", "sarcasm", "formality", "proactive", "enthusiasm", "helpfulness", "verbosity"
]
TRAITS: tuple[TraitName, ...] = get_args(TraitName)
Circumstance = Literal["high_threat", "opportunity", "user_struggling"]
"""What moves the traits for a while; each says how strong it is, and fades."""
CIRCUMSTANCES: tuple[Circumstance, ...] = get_args(Circumstance)

Shift = Annotated[float, Field(ge=-1, le=1)]
NEUTRAL_RAPPORT = 0.3
"""Where rapport begins and what it returns to. Source: executive.md §1.7."""


class Traits(Noun):
    """How the assistant is; .5 is neither one way nor the other."""

    humor: Score = 0.5
    sarcasm: Score = 0.2
    formality: Score = 0.5
    proactive: Score = 0.5
    enthusiasm: Score = 0.5
    helpfulness: Score = 0.7
    verbosity: Score = 0.5


class TraitShift(Noun):
    """How far something moves each trait."""

    humor: Shift = 0.0
    sarcasm: Shift = 0.0
    formality: Shift = 0.0
    proactive: Shift = 0.0
    enthusiasm: Shift = 0.0
    helpfulness: Shift = 0.0
    verbosity: Shift = 0.0


class Activation(Noun):
    """How strongly a circumstance holds: it rises at once and fades."""

    level: Score
    at: float = Field(description="seconds since 1970")


class Mood(Noun):
    """What lately went well or badly leaves behind; it fades within the hour."""

    valence: float = Field(default=0.0, ge=-1, le=1, description="bad to good")
    arousal: float = Field(default=0.0, ge=-1, le=1, description="calm to stirred")
    at: float | None = Field(default=None, description="seconds since 1970; null: never moved")


class Profile(Noun):
    """What is kept of one person in a tenant, in whatever session they are."""

    called: str | None = Field(default=None, description="how they want to be addressed")
    not_called: tuple[str, ...] = Field(default=(), description="how they do not")
    template: Name | None = Field(default=None, description="chosen; null: the pack's own")
    overrides: TraitShift = TraitShift()
    rapport: float = Field(default=NEUTRAL_RAPPORT, gt=0, lt=1)
    rapport_at: float = Field(default=0.0, description="seconds since 1970")


class Personality(Noun):
    """How a session is spoken to now, and where each part of it comes from."""

    session_id: str
    user: str | None = Field(description="whose profile counts: who spoke last")
    template: str | None
    templates: tuple[str, ...] = Field(default=(), description="that may be chosen")
    base_traits: Traits
    context_modifiers: TraitShift = Field(description="of the circumstances that hold now")
    circumstances: Mapping[Circumstance, Score] = Field(default_factory=dict)
    mood_modifiers: TraitShift = Field(description="of mood, rapport and a long session")
    user_overrides: TraitShift
    effective_traits: Traits
    mood: Mood
    rapport: float
