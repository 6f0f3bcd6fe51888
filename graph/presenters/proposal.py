"""Word where an agent's call stands: its status, what it repeats, its result, its message."""

from collections.abc import Mapping

from state.action import DECLARED
from state.approval import LedgerAction
from state.errors import AlreadyAsked
from state.principal import roles_in_words
from state.proposal_view import CallResult, ProposalStatus
from state.record import DecisionRecord
from state.stored_call import StoredCall
from tools.platform.texts import t

_STATUS_OF: Mapping[str, ProposalStatus] = {
    "proposed": "pending_approval",
    "pending": "pending_approval",
    "approved": "running",
    "started": "running",
    "succeeded": "executed",
    "failed": "failed",
    "unknown": "unknown",
    "rejected": "refused",
    "expired": "expired",
    "superseded": "refused",
    "stale": "refused",
}
"""The ledger's state to a status; see state/approval.py."""
_STATUS_OF_OUTCOME: Mapping[str, ProposalStatus] = {
    "awaiting_approval": "pending_approval",
    "offered": "needs_choice",
    "permitted": "permitted",
    "executed": "executed",
    "failed": "failed",
}
"""The outcome of a decision to a status; any other is a refusal."""
_STATUS_OF_REASON: Mapping[str, ProposalStatus] = {
    "action_unknown": "unknown",
    "approval_expired": "expired",
}
"""Reasons that say more than the outcome."""
_SAYS_TOO_LITTLE = ("approval_rejected", AlreadyAsked.code)
"""Whether its agent called it off, and how the call stands that it repeats, our tables know."""


def status_of(stored: StoredCall, standing: LedgerAction | None) -> ProposalStatus:
    """Tell where a call stands.

    Args:
        standing: its action as it is by now; None: it led to none.
    """
    if standing is None:
        return status_without_action(stored)
    if standing.state == "approved" and standing.pack == DECLARED:
        return "permitted"
    if standing.state == "rejected" and standing.decided_by == stored.event.sender:
        return "withdrawn"
    return _STATUS_OF[standing.state]


def status_of_record(record: DecisionRecord) -> ProposalStatus | None:
    """Tell where a call stands whose decision was just recorded; None: the tables know."""
    if record.outcome == "offered" or record.reason in _SAYS_TOO_LITTLE:
        return None
    by_reason = _STATUS_OF_REASON.get(record.reason)
    return by_reason or _STATUS_OF_OUTCOME.get(record.outcome, "refused")


def status_without_action(stored: StoredCall) -> ProposalStatus:
    """Tell where a call stands that is not in the ledger."""
    record = stored.record
    if record is None:
        return "accepted"
    if record.outcome == "offered":
        if stored.chosen is not None:  # chosen, and then refused: a role or a rule was missing
            return "failed" if stored.chosen.outcome == "failed" else "refused"
        if stored.chosen_decision_id is not None:
            return "running"
        if stored.is_withdrawn:
            return "withdrawn"
        return "needs_choice" if stored.is_offer_open else "expired"
    return "failed" if record.outcome == "failed" else "refused"


def duplicate_of(stored: StoredCall, standing: LedgerAction | None) -> str | None:
    """Name the call whose question or suggestion answers this one too; None: it has its own."""
    told, offer, own = stored.chosen or stored.record, stored.offer, stored.event.decision_id
    if offer is not None and offer.decision_id != own:
        return offer.decision_id
    is_duplicate = told is not None and told.reason == AlreadyAsked.code
    return standing.decision_id if is_duplicate and standing is not None else None


def result_of(standing: LedgerAction) -> CallResult:
    """Give what the handler of an executed call gave back."""
    kept = standing.result or {}
    return CallResult(
        text=str(kept.get("text", "")),
        data=kept.get("data") or {},
        changed=tuple(kept.get("changed") or ()),
    )


def _sentence(said: str) -> str:
    """End a reason as a sentence ends: others stand behind it."""
    said = said.strip()
    return said if not said or said[-1] in ".!?" else f"{said}."


def message_of(
    status: ProposalStatus, stored: StoredCall, standing: LedgerAction | None, summary: str
) -> str:
    """Say in words how a call stands, for the model that made it."""
    told = stored.chosen or stored.record
    match status:
        case "executed":
            return str((standing.result or {}).get("text", "")) if standing else ""
        case "pending_approval":
            who = roles_in_words(standing.approver_roles) if standing else ""
            return t("proposal.says.pending_approval", summary=summary, who=who)
        case "refused" | "failed" | "unknown" if standing is not None:
            return t(
                f"proposal.says.{status}",
                summary=summary,
                reason=_sentence(standing.reason or ""),
                who=standing.decided_by,
            )
        case "refused" | "failed":
            said = _sentence(told.text if told else "")
            return t(f"proposal.says.{status}", summary=summary, reason=said, who=None)
        case _:
            return t(f"proposal.says.{status}", summary=summary)
