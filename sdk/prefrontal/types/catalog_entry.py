"""An action as an agent sees it before it proposes one."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.action import Effect, ExecutionClass
from prefrontal.types.noun import Noun
from prefrontal.types.proposal_view import CLASS

Mode = Literal["execute", "permit"]
"""Who runs it: we do, or the agent that keeps the tool, with a permit of ours."""
Runs = Literal["at_once", "after_choice", "after_approval"]
"""When an untainted call runs, if nothing raises its class: a person's choice is one click."""


class CatalogEntry(Noun):
    """One action that a caller may propose."""

    name: str
    pack: str
    summary: str = Field(description="template over the arguments")
    description: str = Field(default="", description="more about it; empty: the summary is all")
    arguments: Mapping[str, Any] = Field(description="JSON Schema, draft 2020-12")
    effect: Effect
    execution_class: ExecutionClass = Field(
        validation_alias=CLASS,
        serialization_alias="class",
        description="the lowest it can have",
    )
    runs: Runs
    mode: Mode = "execute"
    approver_roles: tuple[str, ...] = Field(description="who may approve it; empty: any person")
    quorum: int
    four_eyes: bool = Field(description="the requester may not approve")
    approval_minutes: float = Field(description="how long an approval stands open")
    undo_minutes: float | None = Field(description="how long it can be undone; null: not at all")
    examples: tuple[str, ...] = Field(default=(), description="how people ask for it")
