"""A tool that an agent keeps and declares, and the permit to run it once."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, field_validator

from prefrontal.types.action import Effect, ExecutionClass
from prefrontal.types.catalog_entry import Runs
from prefrontal.types.noun import CleanJson, CleanText, Name, Noun
from prefrontal.types.proposal_view import CLASS

MOST_DECLARED = 200
"""Tools of one tenant."""
MOST_DECLARED_CHARACTERS = 1_000_000
"""Of all that the agents of one tenant declare, as JSON."""
LONGEST_DESCRIPTION = 4_000
LONGEST_SUMMARY = 500
MOST_DATA = 65_536
"""Bytes of what a tool gave back, as JSON."""
_NAME = r"^[A-Za-z_][A-Za-z0-9_.-]{0,63}$"


class DeclaredTool(Noun):
    """What an agent says of a tool that it keeps; all of it is data, none of it is trusted."""

    name: str = Field(pattern=_NAME)
    description: CleanText = Field(default="", max_length=LONGEST_DESCRIPTION)
    arguments: Mapping[CleanText, CleanJson] = Field(
        description="JSON Schema of the arguments, draft 2020-12, of type object"
    )
    effect: Effect = Field(
        default="destructive", description="left out: it may do anything, and needs an approval"
    )
    summary: CleanText | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_SUMMARY,
        description="template over the arguments: what people read",
    )

    @field_validator("effect", mode="before")
    @classmethod
    def _nothing_said_may_be_anything(cls, effect: object) -> object:
        return "destructive" if effect in (None, "unknown") else effect


class KeptTool(Noun):
    """A declared tool as it stands."""

    name: str
    id: str = Field(description="names it where a person accepts its change")
    keeper: Name = Field(description="the agent that declared it")
    description: str
    summary: str
    arguments: Mapping[str, Any] = Field(description="JSON Schema of what is accepted")
    effect: Effect = Field(
        description="as it counts: the graver of what is declared and what its name gives away"
    )
    execution_class: ExecutionClass = Field(validation_alias=CLASS, serialization_alias="class")
    runs: Runs
    standing: Literal["pinned", "changed", "withheld"] = Field(
        description="changed: used as it was, until a person accepts the change; withheld: not "
        "used until then"
    )
    sha256: str
    declared_at: datetime
    accepted_by: str | None = Field(default=None, description="null: no change was accepted yet")
    seen_sha256: str | None = Field(default=None, description="of what is declared instead")


class Permit(Noun):
    """The right to run a tool once, with exactly these arguments."""

    permit: str = Field(description="secret, shown once; report the outcome with it")
    proposal_id: str
    action: str
    arguments: Mapping[str, Any] = Field(description="as approved; run the tool with no others")
    digest: str
    expires_at: datetime = Field(description="report the outcome before; after it, it is unknown")


class PermitOutcome(Noun):
    """What an agent reports of its tool; it is the agent's word, and recorded as such."""

    permit: CleanText = Field(min_length=1, max_length=200)
    outcome: Literal["succeeded", "failed"]
    text: CleanText = Field(min_length=1, max_length=8_000, description="what happened, in words")
    data: Mapping[CleanText, CleanJson] = Field(default_factory=dict)
    evidence: CleanText | None = Field(
        default=None, max_length=2_000, description="what shows it: an id, a link, a receipt"
    )

    @field_validator("data")
    @classmethod
    def _is_bounded(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        if len(json.dumps(data)) > MOST_DATA:
            raise ValueError(f"holds more than {MOST_DATA} bytes; keep it and send a link to it")
        return data
