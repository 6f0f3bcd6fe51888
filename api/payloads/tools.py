"""What is sent and shown of the pinned tools of MCP servers, with its examples."""

from typing import Any

from pydantic import Field

from api.examples.common import Json
from state.noun import Noun
from state.tool_pin import PinnedTool

_PINNED = "0c7f1d0f3a5c4f6e9e5f6c1a2b3d4e5f60718293a4b5c6d7e8f9000102030405"
_SEEN = "9b1de2f3c4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff"


class ToolPage(Noun):
    """The pinned tools of a deployment."""

    tools: tuple[PinnedTool, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


CHANGED: Json = {
    "id": "desk/notebook/erase_notebook",
    "action": "notebook_erase_notebook",
    "standing": "changed",
    "sha256": _PINNED,
    "pinned_at": "2026-06-14T18:00:00Z",
    "accepted_by": None,
    "seen_sha256": _SEEN,
    "seen_at": "2026-06-15T07:30:00Z",
    "changes": [{"field": "annotations.readOnlyHint", "before": None, "after": "true"}],
    "approver_roles": ["captain"],
}
ACCEPTED: Json = {
    **CHANGED,
    "standing": "pinned",
    "sha256": _SEEN,
    "pinned_at": "2026-06-15T08:00:00Z",
    "accepted_by": "marta",
    "seen_sha256": None,
    "seen_at": None,
    "changes": [],
}
ACCEPTANCES: dict[str, Any] = {
    "a change that was read": {
        "value": {"id": "desk/notebook/erase_notebook", "sha256": _SEEN},
    }
}
