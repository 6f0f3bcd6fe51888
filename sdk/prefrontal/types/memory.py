"""What a session keeps for one pack: its stage, what was said and listed, the last search."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from prefrontal.types.noun import Noun
from prefrontal.types.policy import SearchPolicy


class StageChange(Noun):
    """One step of a pack's state machine, with what took it."""

    from_stage: str | None
    to_stage: str
    at: float = Field(description="seconds since 1970")
    on_action: str
    reason: str
    decision_id: str


class Learnt(Noun):
    """One thing a session remembers by name, such as the research question."""

    value: str
    source: Literal["said", "search", "action"]
    at: float = Field(description="seconds since 1970")
    decision_id: str


class Listed(Noun):
    """The things an answer listed, in its order: `the second one` is among them."""

    values: tuple[str, ...] = Field(description="ids of one entity type")
    it: str | None = Field(default=None, description="the one that was looked at since")
    at: float = Field(description="seconds since 1970")


class Searched(Noun):
    """The last search, even if nobody answered it: a short follow-up refines it."""

    action: str
    search: SearchPolicy
    at: float = Field(description="seconds since 1970")


class PackMemory(Noun):
    """The memory of one pack in one session; written with a decision's record, by code alone."""

    stage: str | None = None
    history: tuple[StageChange, ...] = Field(default=(), description="newest last")
    facts: Mapping[str, Learnt] = Field(default_factory=dict)
    listed: Mapping[str, Listed] = Field(default_factory=dict, description="by entity type")
    searched: Searched | None = None
