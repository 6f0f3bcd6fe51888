"""The gate: ask a person, and nothing else."""

from collections.abc import Mapping
from typing import Any

from langgraph.types import interrupt

from state.approval import LedgerAction
from state.channels import State
from state.stages import Classified


async def confirm(state: Classified) -> State:
    """Stop until the thread is resumed.

    What it is resumed with is thrown away: the yes stands in the ledger or it does not exist.
    The node restarts from its top on every resume, so nothing but the question may stand here.
    """
    if state.classification.action is not None:
        interrupt(question(state.classification.action))
    return {}


def question(action: LedgerAction) -> Mapping[str, Any]:
    """Lay the question out as Agent Inbox and LangGraph Studio read it (safety.md §5, A)."""
    return {
        "action_request": {"action": action.action, "args": dict(action.arguments)},
        # No button that does nothing: answers count at our API and command line alone.
        "config": dict.fromkeys(
            ("allow_accept", "allow_edit", "allow_respond", "allow_ignore"), False
        ),
        "description": f"{action.summary}\n\nAnswer at POST /v1/approvals/{action.action_id}",
        "approval_id": action.action_id,
        "payload_hash": action.digest,
        "class": action.execution_class,
        "expires_at": action.expires_at.isoformat() if action.expires_at else None,
    }
