"""What the outside is told while it happens."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from state.noun import Noun

JournalNoticeKind = Literal[
    "context:decision:detected",
    "context:decision:extracted",
    "context:decision:indexed",
    "context:decision:superseded",
    "context:decision:searched",
    "context:decision:link_refused",
]
"""The specification's five, and that a link was refused or taken back."""
NoticeKind = Literal[
    "decision",
    "output",
    "words",
    "approval",
    "approval_expiring",
    "action_unknown",
    "proposal",
    "modulation",
    JournalNoticeKind,
]


class Notice(Noun):
    """One entry of a tenant's live stream; `id` grows by one, and further when we start anew."""

    id: int
    kind: NoticeKind
    tenant_id: str
    data: Mapping[str, Any]
    sessions: tuple[str, ...] = Field(
        default=(), description="whose words it tells: who may not read all of them hears nothing"
    )
