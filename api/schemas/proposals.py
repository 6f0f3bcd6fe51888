"""Request and response types of the catalog and of agents' proposals."""

from typing import Any

from pydantic import Field

from api.schemas.common import After, NextCursor
from api.schemas.examples import APPROVE, DIALOG, Json
from state.agent_call import AgentCall
from state.catalog_entry import CatalogEntry
from state.declared_tool import DeclaredTool, KeptTool
from state.noun import Name, Noun
from state.proposal_view import ProposalStatus, ProposalView

MOST_PROPOSALS = 100
"""Proposals of one request."""
LONGEST_WAIT = 25.0
"""Seconds a request may wait for an answer: below what clients and proxies give up at."""


class NewProposal(AgentCall):
    """A call that an agent proposes."""

    session_id: Name = "default"
    tenant_id: Name | None = Field(default=None, description="the key's; another one is refused")
    on_behalf_of: Name | None = Field(
        default=None, description="for whom it is; a key that may speak for others may say so"
    )
    role: Name | None = Field(default=None, description="of that person")
    idempotency_key: Name | None = Field(
        default=None, description="the same key and call again: the same proposal"
    )

    def call(self) -> AgentCall:
        """Return the call alone."""
        return AgentCall.model_validate(
            {name: getattr(self, name) for name in AgentCall.model_fields}
        )


class OneProposal(NewProposal):
    """The only proposal of a request."""

    wait_seconds: float = Field(
        default=0.0, ge=0.0, le=LONGEST_WAIT, description="answer as soon as it is final"
    )


class ProposalFilter(Noun):
    """Which proposals to list."""

    status: ProposalStatus | None = None
    agent: Name | None = Field(default=None, description="who proposed them")
    limit: int = Field(default=50, ge=1, le=200)
    cursor: After = None


class ProposalPage(Noun):
    """Proposals, newest first; with a status, fewer than `limit` may come before the last page."""

    proposals: tuple[ProposalView, ...]
    next_cursor: NextCursor = None


class ProposalWait(Noun):
    """How long to wait for a proposal to become final."""

    wait: float = Field(default=0.0, ge=0.0, le=LONGEST_WAIT, description="seconds")


class PermitRequest(Noun):
    """Which permit an agent takes."""

    digest: Name = Field(description="of the proposal's `permit`: what you are about to run")


class Declarations(Noun):
    """Tools that an agent keeps."""

    tools: tuple[DeclaredTool, ...] = Field(min_length=1, max_length=MOST_PROPOSALS)


class KeptTools(Noun):
    """Tools that agents keep, as they stand."""

    tools: tuple[KeptTool, ...]


class Catalog(Noun):
    """The actions that the caller may propose."""

    actions: tuple[CatalogEntry, ...]


_ID = "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001"
PROPOSAL: Json = {
    "action": "close_work_order",
    "arguments": {"work_order": "WO-1042", "note": "the filter is changed"},
    "reason": "the job card is signed",
    "session_id": "engine-room",
    "wait_seconds": 20,
}
PENDING: Json = {
    "proposal_id": _ID,
    "status": "pending_approval",
    "action": "close_work_order",
    "arguments": PROPOSAL["arguments"],
    "summary": "Close work order WO-1042: the filter is changed",
    "class": "C",
    "reasons": ["class_C"],
    "message": "Waiting for approval by chief engineer or captain: Close work order WO-1042: the "
    "filter is changed. Nothing has run. Do not propose it again; read this proposal until its "
    "status changes.",
    "result": None,
    "approval": {
        "id": "8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e",
        "url": "https://prefrontal.example/console/approvals/8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e",
        "digest": APPROVE["digest"],
        "state": "pending",
        "expires_at": "2026-02-07T14:48:00Z",
        "approver_roles": ["chief_engineer", "captain"],
        "quorum": 1,
        "approvals": 0,
        "dialog": DIALOG,
    },
    "choice": None,
    "permit": None,
    "edited": False,
    "duplicate_of": None,
    "chosen_decision_id": None,
    "decided_by": None,
    "decision_id": _ID,
    "session_id": "engine-room",
    "proposed_by": "maintenance-agent",
    "on_behalf_of": None,
    "proposed_at": "2026-02-07T14:33:00Z",
}
DONE: Json = PENDING | {
    "status": "executed",
    "message": "WO-1042 is closed.",
    "result": {
        "text": "WO-1042 is closed.",
        "data": {"work_order": "WO-1042"},
        "changed": ["WO-1042: open → closed"],
    },
    "approval": None,
    "decided_by": "ingrid",
}
WITHDRAWN: Json = PENDING | {
    "status": "withdrawn",
    "message": "Withdrawn before it began: Close work order WO-1042: the filter is changed.",
    "approval": None,
    "decided_by": "maintenance-agent",
}
CATALOG: Json = {
    "actions": [
        {
            "name": "close_work_order",
            "pack": "vessel",
            "summary": "Close work order {work_order}: {note}",
            "description": "",
            "arguments": {
                "type": "object",
                "properties": {
                    "work_order": {"type": "string", "description": "Name or id of the work order"},
                    "note": {"type": "string"},
                },
                "required": ["work_order"],
                "additionalProperties": False,
            },
            "effect": "destructive",
            "class": "C",
            "runs": "after_approval",
            "mode": "execute",
            "approver_roles": ["chief_engineer", "captain"],
            "quorum": 1,
            "four_eyes": False,
            "approval_minutes": 15,
            "undo_minutes": 15,
            "examples": ["close WO-1042, the filter is changed"],
        }
    ]
}
DECLARATION: Json = {
    "name": "send_invoice",
    "description": "Send an invoice to a customer by e-mail",
    "arguments": {
        "type": "object",
        "properties": {"invoice": {"type": "string"}, "copy_to": {"type": "string"}},
        "required": ["invoice"],
    },
    "effect": "financial",
    "summary": "Send invoice {invoice}",
}
DECLARATIONS: dict[str, Any] = {"one": {"value": {"tools": [DECLARATION]}}}
KEPT: Json = {
    "tools": [
        {
            "name": "send_invoice",
            "id": "declared/billing-agent/send_invoice",
            "keeper": "billing-agent",
            "description": DECLARATION["description"],
            "summary": "Send invoice {invoice}",
            "arguments": {
                "type": "object",
                "properties": {
                    "invoice": {"type": "string", "maxLength": 8000},
                    "copy_to": {"type": "string", "maxLength": 8000},
                },
                "required": ["invoice"],
                "additionalProperties": False,
            },
            "effect": "financial",
            "class": "C",
            "runs": "after_approval",
            "standing": "pinned",
            "sha256": "0c7f1d0f3a5c4f6e9e5f6c1a2b3d4e5f60718293a4b5c6d7e8f9000102030405",
            "declared_at": "2026-02-07T09:00:00Z",
            "accepted_by": None,
            "seen_sha256": None,
        }
    ]
}
PERMIT_REQUEST: dict[str, Any] = {"take": {"value": {"digest": APPROVE["digest"]}}}
PERMIT: Json = {
    "permit": "kq2mS0c5Y0yVJwF8Zt1nq7yq4Q0l9m3x8c2J5n6b7vA",
    "proposal_id": _ID,
    "action": "send_invoice",
    "arguments": {"invoice": "INV-7"},
    "digest": APPROVE["digest"],
    "expires_at": "2026-02-07T14:53:00Z",
}
OUTCOMES: dict[str, Any] = {
    "it went well": {
        "value": {
            "permit": PERMIT["permit"],
            "outcome": "succeeded",
            "text": "INV-7 was sent to accounts@example.com",
            "data": {"message_id": "a7c1"},
            "evidence": "message a7c1 in the outbox",
        }
    },
    "it did not": {
        "value": {
            "permit": PERMIT["permit"],
            "outcome": "failed",
            "text": "the mail server refused it; nothing was sent",
        }
    },
}
REPORTED: Json = PENDING | {
    "status": "executed",
    "action": "send_invoice",
    "arguments": PERMIT["arguments"],
    "summary": "Send invoice INV-7",
    "message": "INV-7 was sent to accounts@example.com",
    "result": {
        "text": "INV-7 was sent to accounts@example.com",
        "data": {"message_id": "a7c1"},
        "changed": [],
    },
    "approval": None,
    "decided_by": "ingrid",
}
EXAMPLES: dict[str, Any] = {
    "one": {"value": PROPOSAL},
    "several": {"value": [{k: v for k, v in PROPOSAL.items() if k != "wait_seconds"}]},
}
