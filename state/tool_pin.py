"""A pinned tool of an MCP server: what was accepted, what its server says now, and who accepts."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.noun import CleanText, Noun


class ToolChange(Noun):
    """One field in which a tool differs from its pin."""

    field: str = Field(description="such as description or schema.properties.to.type")
    before: str | None = Field(default=None, description="as JSON; null: it was not there")
    after: str | None = Field(default=None, description="as JSON; null: it is gone")


class PinnedTool(Noun):
    """A tool as it was when first seen or last accepted, and how its server describes it now."""

    id: str = Field(description="PACK/SERVER/TOOL")
    action: str | None = Field(
        default=None, description="its name in the catalogue; null: it is not loaded"
    )
    standing: Literal["pinned", "changed"] = Field(
        description="changed: unavailable until a person accepts the change"
    )
    sha256: str = Field(description="of the pinned description")
    pinned_at: datetime
    accepted_by: str | None = Field(default=None, description="null: pinned when it was first seen")
    seen_sha256: str | None = Field(default=None, description="of what its server says instead")
    seen_at: datetime | None = None
    changes: tuple[ToolChange, ...] = ()
    approver_roles: tuple[str, ...] = Field(
        default=(), description="who may accept a change; empty: anyone whose key may approve"
    )


class ToolAcceptance(Noun):
    """A person's yes to the changed description of one tool."""

    id: CleanText = Field(min_length=1, max_length=400, description="PACK/SERVER/TOOL")
    sha256: str = Field(
        pattern=r"^[0-9a-f]{64}$", description="seen_sha256 of the change that was read"
    )
