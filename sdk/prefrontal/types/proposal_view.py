"""Where an agent's call stands, as its agent reads it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import AliasChoices, Field

from prefrontal.types.action import ExecutionClass
from prefrontal.types.approval import ActionState
from prefrontal.types.dialog import Dialog
from prefrontal.types.noun import Noun

ProposalStatus = Literal[
    "accepted",
    "needs_choice",
    "pending_approval",
    "permitted",
    "running",
    "executed",
    "failed",
    "unknown",
    "refused",
    "expired",
    "withdrawn",
]
"""accepted: on disk, to be decided; needs_choice: a person has to choose it; pending_approval: a
person has to approve it; permitted: its agent may take the permit and run its tool; unknown: it
began and its outcome cannot be told. From `executed` on the status is final, but for `unknown`,
which a person settles."""

CLASS = AliasChoices("execution_class", "class")
"""Names of the class of an action: in Python, where `class` is taken, and in JSON."""
OPEN: frozenset[ProposalStatus] = frozenset(
    {"accepted", "needs_choice", "pending_approval", "permitted", "running"}
)
"""Statuses that will change."""
AWAITED: frozenset[ProposalStatus] = OPEN - {"permitted"}
"""Statuses that somebody else will change: whoever reads them has nothing to do but wait."""


class CallResult(Noun):
    """What a handler gave back."""

    text: str
    data: Mapping[str, Any] = Field(default_factory=dict)
    changed: tuple[str, ...] = Field(default=(), description="such as `WO-1042: open → closed`")


class PendingApproval(Noun):
    """The approval that a call waits for."""

    id: str
    url: str | None = Field(description="the page to approve it on; null: nothing is served")
    digest: str
    state: ActionState
    expires_at: datetime | None = Field(description="null: it is queued")
    approver_roles: tuple[str, ...]
    quorum: int
    approvals: int
    dialog: Dialog | None = Field(description="null: its pack is not loaded")


class PendingChoice(Noun):
    """The suggestion that a person has to choose."""

    offer_id: str
    chip_id: str
    url: str | None = Field(description="the page to choose it on; null: nothing is served")
    summary: str
    expires_at: datetime | None


class OpenPermit(Noun):
    """The permit that a call's agent may take; it repeats the digest when it does."""

    digest: str
    expires_at: datetime | None


class ProposalView(Noun):
    """Where an agent's call stands."""

    proposal_id: str
    status: ProposalStatus
    action: str
    arguments: Mapping[str, Any] = Field(description="as they run; secrets covered")
    summary: str = Field(description="the action in words")
    execution_class: ExecutionClass | None = Field(
        default=None,
        validation_alias=CLASS,
        serialization_alias="class",
    )
    reasons: tuple[str, ...] = Field(
        default=(), description="codes: what raised the class, and why it stands as it does"
    )
    message: str = Field(description="the same in words for the model that called")
    result: CallResult | None = None
    approval: PendingApproval | None = None
    choice: PendingChoice | None = None
    permit: OpenPermit | None = Field(
        default=None, description="of a tool that its agent keeps, while it may begin"
    )
    edited: bool = Field(
        default=False, description="an approver changed the arguments; these are the new ones"
    )
    duplicate_of: str | None = Field(
        default=None, description="the proposal whose approval answers this one too"
    )
    chosen_decision_id: str | None = Field(
        default=None, description="of the choice that a person made of it"
    )
    decided_by: str | None = None
    decision_id: str
    session_id: str
    proposed_by: str | None
    on_behalf_of: str | None = None
    proposed_at: datetime

    @property
    def is_open(self) -> bool:
        """Tell whether the status will change."""
        return self.status in OPEN

    @property
    def is_awaited(self) -> bool:
        """Tell whether it is open and not the agent's turn."""
        return self.status in AWAITED
