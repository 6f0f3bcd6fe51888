"""A Class C action waiting for a person, and the person's answer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.action import ExecutionClass
from prefrontal.types.execution import ReleasePhase
from prefrontal.types.noun import CleanJson, CleanText, Name, Noun
from prefrontal.types.preview import Preview
from prefrontal.types.proposal import Origin
from prefrontal.types.refusal import RefusalWish

ActionState = Literal[
    "proposed",
    "pending",
    "approved",
    "started",
    "succeeded",
    "failed",
    "unknown",
    "rejected",
    "expired",
    "superseded",
    "stale",
]
"""Where an action stands in the ledger. `proposed`: queued, because its asker has caused many
questions this hour; the ended ones never move again, but for `unknown`, which a person settles."""


class Duplicate(Noun):
    """Another action with the same arguments.

    It ran or was rejected lately, is running, or is asked for too.
    """

    action_id: str | None = Field(description="null: its session is closed to who reads this")
    state: ActionState
    requester: str | None = Field(description="null: as above")
    at: datetime = Field(
        description="when it was started or rejected; when it was asked for, if it was not"
    )
    decided_by: str | None = Field(default=None, description="who rejected it; null: as above")
    reason: str | None = Field(default=None, description="why they did; null: as above")


class OriginalRequest(Noun):
    """The words that led to an action, as they came; nothing of them decides anything."""

    decision_id: str = Field(description="of the event that they came in")
    words: str | None = Field(description="null: its session is closed to who reads this")
    earlier: tuple[str, ...] = Field(
        default=(), description="what the same person said before, when we asked back for a slot"
    )
    user: str | None = Field(description="who said them; null: no person did")
    source: str
    relayed: bool = Field(description="a service passed them on in that person's name")
    agent: str | None = Field(default=None, description="who proposed them as a typed call")
    received_at: datetime


class LedgerAction(Noun):
    """One row of the ledger: exactly what would run, who asked, and where it stands."""

    action_id: str
    tenant_id: str
    decision_id: str
    action: str
    pack: str
    execution_class: ExecutionClass
    arguments: Mapping[str, Any]
    digest: str = Field(
        description="sha256 over tenant, action, schema, policy, arguments, targets"
    )
    summary: str = Field(description="rendered by code from the typed arguments")
    state: ActionState
    requester: str
    requester_roles: tuple[str, ...]
    approver_roles: tuple[str, ...]
    quorum: int
    four_eyes: bool
    approvals: int = Field(default=0, description="yes votes so far")
    said_yes: tuple[str, ...] = Field(default=(), description="whose these are, first ones first")
    proposed_at: datetime
    expires_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    replaced_by: str | None = Field(default=None, description="the edited action, when superseded")
    decided_by: str | None = None
    reason: str | None = None
    result: Mapping[str, Any] | None = None
    schema_hash: str = ""
    policy_version: str = Field(default="", description="sha256 over the thresholds it was under")
    target_versions: Mapping[str, str] = Field(default_factory=dict)
    preview: Preview | None = Field(default=None, description="what it would do, as it was read")
    raised: tuple[str, ...] = Field(default=(), description="what raised its class")
    phase: ReleasePhase = "general"
    origin: Origin = "routed"
    editor: str | None = Field(default=None, description="who wrote these arguments")
    asked_at: datetime | None = Field(default=None, description="null: queued, or never asked")
    warned_at: datetime | None = None
    grant_id: str | None = Field(
        default=None, description="the grant that allowed it; null: people were asked"
    )
    settled_by: str | None = Field(default=None, description="who said what became of it")
    evidence: str | None = None
    undo_of: str | None = Field(default=None, description="the action that this one takes back")
    undo_until: datetime | None = None
    undo_by: str | None = None
    undo_at: datetime | None = None
    duplicates: tuple[Duplicate, ...] = Field(
        default=(), description="of a Class C action: the same asked for by others, or run lately"
    )
    request: OriginalRequest | None = Field(
        default=None, exclude=True, description="for the dialog alone: kept with its decision"
    )


class ApprovalAnswer(Noun):
    """What a person says about one action; `digest` repeats the one they were shown."""

    decision: Literal["approve", "reject", "edit", "respond"]
    digest: Name
    arguments: Mapping[CleanText, CleanJson] | None = Field(
        default=None, description="for edit: all of them"
    )
    reason: CleanText | None = Field(
        default=None, max_length=2_000, description="why; with respond: what you say instead"
    )
    typed: CleanText | None = Field(
        default=None, max_length=200, description="the phrase the dialog asks to be typed by hand"
    )
    standing: RefusalWish | None = Field(
        default=None, description="with reject: refuse what comes like it, too"
    )
