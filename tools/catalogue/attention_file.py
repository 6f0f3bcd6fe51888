"""attention.yaml of a pack: what stands out in its domain, and what hides what follows from it."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from state.noun import Name, Noun
from state.salience import SalienceVector

Dimension = Literal[
    "threat", "opportunity", "goal_relevance", "actionability", "novelty", "social", "humor"
]
Level = Annotated[float, Field(ge=0, le=1)]
"""A score as a key of YAML, where 1 may stand for 1.0."""


class Inhibition(Noun):
    """A cause that explains what follows: told once, it hides that until it is over."""

    id: Name
    cause: str = Field(min_length=1, max_length=500, description="words the cause must hold")
    source: Name | None = Field(default=None, description="a cause comes from this source only")
    hides: tuple[str, ...] = Field(min_length=1, description="words of what follows from it")
    equal: tuple[Literal["source", "entity"], ...] = Field(
        default=(), description="what both must have in common; empty: the session alone"
    )
    ends: str | None = Field(default=None, description="words that tell of its end")
    minutes: float = Field(default=30.0, gt=0, le=1_440, description="its longest life")


class AttentionFile(Noun):
    """All of attention.yaml."""

    sources: Mapping[Name, SalienceVector] = Field(
        default_factory=dict, description="what an event of a source matters at least"
    )
    words: Mapping[Dimension, Mapping[Level, tuple[Name, ...]]] = Field(
        default_factory=dict, description="dimension → score → words and phrases"
    )
    patterns: Mapping[Dimension, Mapping[Level, tuple[str, ...]]] = Field(
        default_factory=dict, description="dimension → score → Python regex, any case"
    )
    inhibits: tuple[Inhibition, ...] = ()
