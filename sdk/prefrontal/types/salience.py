"""How much an event stands out, and why."""

from typing import Literal

from pydantic import Field

from prefrontal.types.noun import Noun, Score

DIMENSIONS = (
    "threat",
    "opportunity",
    "goal_relevance",
    "actionability",
    "novelty",
    "social",
    "humor",
)


class SalienceVector(Noun):
    """One score a dimension, as the salience gateway sends it; an absent dimension is 0."""

    threat: Score = 0.0
    opportunity: Score = 0.0
    goal_relevance: Score = 0.0
    actionability: Score = 0.0
    novelty: Score = 0.0
    social: Score = 0.0
    humor: Score = 0.0


class Salience(Noun):
    """What the salience filter made of an event."""

    vector: SalienceVector
    source: Literal["given", "words", "meaning", "addressed"] = Field(
        description="the gateway's vector, one computed from words or from meaning too, or someone "
        "spoke to us"
    )
    pattern: str = Field(description="habituation key: source, type and entity, never free text")
    habituation: Score = Field(description="H: 0 is fresh, .9 is thoroughly bored")
    boost: float = Field(ge=1, le=2, description="B: 2 for a watched topic, 1 otherwise")
    watched: str | None = Field(default=None, description="the watch that matched")
    suppressed: str | None = Field(default=None, description="the topic rule that matched")
    suppressed_until: float | None = Field(default=None, description="seconds since 1970")
    suppressed_threats: bool = Field(default=False, description="the rule includes threats")
    opens: tuple[str, ...] = Field(default=(), description="causes it is, when told: rule and key")
    ends: tuple[str, ...] = Field(default=(), description="open causes that it ends")
    hidden_by: str | None = Field(default=None, description="the open cause that explains it")
    goal_match: Score = Field(default=0.0, description="how near to a goal of the user")
    dull: bool = Field(description="nothing stands out: straight to the record")
    words: tuple[str, ...] = Field(default=(), description="the words that scored, when computed")
    wanted: Score | None = Field(default=None, description="how likely a word would help")
    worth: Score = Field(
        default=0.0, description="how likely somebody wants to know of it today, at the latest"
    )
    judged: str | None = Field(
        default=None,
        description="what is at stake, how it stands and whether it is real: `life, raised, real`",
    )
    situation: str | None = Field(default=None, description="what the event is like")
    like: str | None = Field(default=None, description="the example it is nearest to")
    prior: str | None = Field(default=None, description="the source that matters of itself")
    locked: bool = Field(default=False, description="a locked heuristic fits: grave at any age")
    is_new: bool = Field(default=False, description="never seen of a source that is known")
