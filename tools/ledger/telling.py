"""What webhooks tell of approvals: asked, running out, decided; kept as it is written down."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from state.approval import LedgerAction
from tools.ledger.rows import read_action
from tools.webhooks.outbox import Outbox

ASKED, EXPIRING, DECIDED = "approval:asked", "approval:expiring", "approval:decided"
_KINDS: Mapping[str, str] = {
    "proposed pending": ASKED,
    "pending": ASKED,  # there was no room for it when it was proposed
    "expiring": EXPIRING,
    "approved": DECIDED,
    "rejected": DECIDED,
    "expired": DECIDED,
    "superseded": DECIDED,
    "stale": DECIDED,
}


@dataclass(frozen=True)
class ApprovalNews:
    """Tells who waits for whom, and how it ended.

    No arguments, no sentence made of them and no reason: those are read with a key.
    """

    outbox: Outbox

    def __call__(self, connection: Connection, action_id: str, event: str) -> None:
        """Keep an event for who wants it, in the transaction it tells of."""
        kind = _KINDS.get(event)
        if kind is None or not self.outbox.endpoints:
            return
        standing = read_action(connection, action_id)
        if standing.execution_class == "C":
            # None of a session's words is in it, and who decides has to hear of it in time.
            self.outbox.note(connection, kind, standing.tenant_id, _told(standing), ())


def _told(standing: LedgerAction) -> dict[str, object]:
    return {
        "action_id": standing.action_id,
        "decision_id": standing.decision_id,
        "action": standing.action,
        "pack": standing.pack,
        "state": standing.state,
        "requester": standing.requester,
        "approver_roles": list(standing.approver_roles),
        "quorum": standing.quorum,
        "four_eyes": standing.four_eyes,
        "expires_at": standing.expires_at.isoformat() if standing.expires_at else None,
        "decided_by": standing.decided_by,
    }
