"""An action with every kind of slot, and rows of the ledger for it."""

from datetime import UTC, datetime
from typing import Any

from state.action import Action, Approvers, Slot
from state.approval import LedgerAction
from tools.catalog.arguments import read_arguments, render_summary
from tools.gate.ledger.rows import digest_of

NOW = datetime(2026, 2, 7, 14, 33, tzinfo=UTC)

PAY = Action(
    name="pay_supplier",
    pack="bank",
    summary="Pay {supplier}: {note}",
    verb="update",
    object="invoice",
    slots={
        "supplier": Slot(type="text", required=True),
        "note": Slot(type="text"),
        "amount": Slot(type="number", risk="amount"),
        "invoices": Slot(type="invoice", many=True),
        "to": Slot(type="list", risk="recipients"),
        "pin": Slot(type="text", secret=True),
        "urgent": Slot(type="boolean"),
    },
    effect="financial",
    approvers=Approvers(roles=("boss",)),
    handler="handlers:pay",
)


def standing_of(action: Action = PAY, **given: Any) -> LedgerAction:
    """Freeze an action with its arguments, as the ledger does."""
    row = {name: given.pop(name) for name in list(given) if name in LedgerAction.model_fields}
    arguments = read_arguments(action, given)
    digest = digest_of(
        tenant_id="default",
        action=action.name,
        schema_hash="schema",
        policy_version="policy",
        arguments=arguments,
        targets={},
    )
    fields = {
        "action_id": "action-1",
        "tenant_id": "default",
        "decision_id": "decision-1",
        "action": action.name,
        "pack": action.pack,
        "execution_class": "C",
        "arguments": arguments,
        "digest": digest,
        "summary": render_summary(action, arguments),
        "state": "pending",
        "requester": "amir",
        "requester_roles": ("clerk",),
        "approver_roles": ("boss",),
        "quorum": 1,
        "four_eyes": False,
        "proposed_at": NOW,
        "expires_at": NOW,
    }
    return LedgerAction.model_validate(fields | row)
