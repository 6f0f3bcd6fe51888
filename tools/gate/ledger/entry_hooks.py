"""Hooks that run in a ledger transaction.

Webhooks about approvals and journal entries of ended changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, select

from state.action import DECLARED
from state.approval import LedgerAction
from state.event import Event
from state.journal import Decision, DecisionStatus
from state.record import DecisionRecord
from tools.gate.ledger.rows import read_action
from tools.journal import JournalEvents, JournalStore
from tools.journal.action_decisions import (
    SETTLED,
    action_decision,
    action_entry_id,
    action_outcome_text,
    action_status,
)
from tools.journal.store.entry_rows import read_decision, update_status
from tools.notifications import Outbox
from tools.storage import RecordRedactor
from tools.storage.record_hooks import SettledDecision
from tools.storage.tables.ledger import ledger_approval

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
class ApprovalWebhooks:
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


_YES = select(ledger_approval.c.approver).where(
    ledger_approval.c.action_id == bindparam("action"), ledger_approval.c.decision == "approve"
)


@dataclass(frozen=True)
class ActionJournalHook:
    """Keeps every gated change that people decided on as an entry of the journal."""

    journal: JournalStore
    covering: RecordRedactor
    events: JournalEvents = field(default_factory=JournalEvents)

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note a change that was made, failed or was refused; reads leave nothing."""
        connection, record = settled.connection, settled.record
        if settled.standing != "recorded":
            return None
        if record.action_id is None or record.execution_class == "A":
            return None
        action = read_action(connection, record.action_id)
        is_left = action.pack == DECLARED and action.state in ("approved", "started")
        if action.execution_class == "A" or not (is_left or action.state in SETTLED):
            return None
        if action.decision_id != record.decision_id:  # told of what another decision asked for
            return None
        asked, action, is_verbatim = self._covered(settled.event, action, record)
        made = action_decision(
            action,
            asked,
            approvers=connection.scalars(_YES, {"action": action.action_id}).all(),
            alternatives=record.alternatives,
            at=record.recorded_at,
        )
        if not is_verbatim:
            made = made.model_copy(update={"evidence": {}})
        _take_back(connection, made)
        keeping = self.journal.keep(connection, [made])

        def after() -> None:
            keeping()
            self.events.kept([made])

        return after

    def _covered(
        self, event: Event, action: LedgerAction, record: DecisionRecord
    ) -> tuple[Event, LedgerAction, bool]:
        """Cover secrets in what people typed, as they are covered in the record itself."""
        said = {"arguments": action.arguments, "text": event.text, "reason": action.reason}
        _record, told = self.covering.decision(record, {"action": action.action, **said})
        text, reason = told["text"], told["reason"]
        asked = event.model_copy(update={"text": text})
        return asked, action.model_copy(update={"reason": reason}), text == event.text


def update_resolved_entry(connection: Connection, action: LedgerAction) -> None:
    """Say in the entry of an action what became of it, as a person found or its agent reported."""
    known = read_decision(connection, action_entry_id(action.action_id), action.tenant_id)
    if known is not None:
        update = {"status": action_status(action.state), "notes": action_outcome_text(action)}
        update_status(connection, known.model_copy(update=update))


def _take_back(connection: Connection, made: Decision) -> None:
    if made.supersedes is None or made.status is not DecisionStatus.ACTIVE:
        return
    known = read_decision(connection, made.supersedes, made.tenant_id)
    if known is not None:
        update = {"status": DecisionStatus.SUPERSEDED, "superseded_by": made.id}
        update_status(connection, known.model_copy(update=update))
