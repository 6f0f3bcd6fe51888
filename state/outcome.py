"""What came of an action."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from state.approval import ActionState
from state.noun import Noun


class ActionOutcome(Noun):
    """The ledger's answer to `execute`: what happened now or had happened before."""

    action_id: str
    state: ActionState
    executed_now: bool = Field(description="False when the ledger only told its stored outcome")
    text: str = ""
    data: Mapping[str, Any] = Field(default_factory=dict)
    changed: tuple[str, ...] = ()
    reason: str | None = None
    summary: str = Field(default="", description="of what it ran or would have run")
    decided_by: str | None = Field(default=None, description="whose answer settled it")
    editor: str | None = Field(default=None, description="who changed its arguments")
    undo_minutes: float | None = Field(
        default=None, description="how long it can be taken back; None: not at all"
    )
    arguments: Mapping[str, Any] | None = Field(
        default=None, description="what it ran or would have run with; an edit may have changed it"
    )
