"""attention.yaml of a pack: what stands out in its domain, and what hides what follows from it."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from state.noun import CleanText, Name, Noun
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


class WantedKind(Noun):
    """Situations in which a word from us helps."""

    adds: SalienceVector = Field(description="what makes such an event matter, in proportion")
    examples: tuple[CleanText, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _adds_something(self) -> Self:
        if not any(value for name, value in self.adds if name != "threat"):
            raise ValueError("adds: name a dimension beside threat; a threat alone is never talk")
        return self


class UnwantedKind(Noun):
    """Situations in which we had better be silent."""

    examples: tuple[CleanText, ...] = Field(min_length=1)


class SituationKinds(Noun):
    """Situations in plain words, by kind; events without a vector are compared with them."""

    wanted: Mapping[Name, WantedKind] = Field(default_factory=dict)
    unwanted: Mapping[Name, UnwantedKind] = Field(default_factory=dict)


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
    situations: SituationKinds = SituationKinds()
    inhibits: tuple[Inhibition, ...] = ()
