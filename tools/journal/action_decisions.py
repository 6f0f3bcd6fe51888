"""Journal entries for the Executive's own actions.

An entry names the requester, the approvers, the reason and the outcome of a ledger action.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from state.approval import ActionState, LedgerAction
from state.event import Event
from state.journal import Alternative, Decision, DecisionStatus, JournalMessage, Span, Vote
from state.policy import Candidate
from tools.journal.extraction.attributes import find_artifacts
from tools.journal.extraction.extractor import title_of
from tools.journal.extraction.sentences import CitedSpan, cite_sentences, cite_whole, reason_in

SETTLED: tuple[ActionState, ...] = ("succeeded", "failed", "unknown", "rejected")
"""A change that people decided on, one way or the other; a question that ran out is none."""
REFUSED = "It was refused"
_NOT_SAID = "It was allowed, and its agent has not said yet whether it happened"
_NOT_BEGUN = "It was allowed and did not begin"
_ENDS: dict[ActionState, str] = {
    "approved": _NOT_SAID,
    "started": _NOT_SAID,
    "expired": _NOT_BEGUN,
    "stale": _NOT_BEGUN,
    "failed": "It was allowed and failed",
    "unknown": "It was allowed, and nobody knows yet whether it happened",
    "rejected": REFUSED,
}


def action_entry_id(action_id: str) -> str:
    """Name the entry of an action of the ledger."""
    return f"act-{action_id}"


def action_decision(
    action: LedgerAction,
    event: Event,
    *,
    approvers: Iterable[str],
    alternatives: Iterable[Candidate] = (),
    at: datetime,
) -> Decision:
    """Write an ended action down as a decision.

    Args:
        action: as the ledger has it, with its secrets covered in `summary` by the catalogue.
        event: what it was asked with; its words are cited, secrets covered.
        approvers: who said yes.
        alternatives: what else the words could have meant.
        at: when it came to its end.
    """
    asked = JournalMessage(
        message_id=event.event_id, session_id=event.session_id, content=event.text[:100_000]
    )
    votes = _votes(action, tuple(approvers))
    cited = _cited(asked)
    why = action.reason if action.state == "rejected" else None
    people = (action.requester, *votes)
    return Decision(
        id=action_entry_id(action.action_id),
        timestamp=at,
        session_id=event.session_id,
        tenant_id=action.tenant_id,
        origin="action",
        heard_in=action.decision_id,
        title=title_of(action.summary or action.action),
        decision=action.summary or action.action,
        context=asked.content,
        rationale=why or " ".join(one.text for one in cited.get("rationale", ())),
        category="process",
        confidence=1.0,
        alternatives=tuple(_alternatives(alternatives)),
        stakeholders=tuple(dict.fromkeys(people)),
        decision_maker=action.decided_by or action.requester,
        votes=votes,
        related_features=tuple(one.text for one in cited.get("related_features", ())),
        status=action_status(action.state),
        supersedes=action_entry_id(action.undo_of) if action.undo_of else None,
        notes=action_outcome_text(action),
        tags=tuple(dict.fromkeys((action.action, action.pack))),
        evidence=_evidence(cited),
    )


def action_status(state: ActionState) -> DecisionStatus:
    """Tell where a change stands: what was refused or failed is not in force."""
    return DecisionStatus.ACTIVE if state == "succeeded" else DecisionStatus.REJECTED


def action_outcome_text(action: LedgerAction) -> str:
    """Say how it ended, when it did not simply happen."""
    said = _ENDS.get(action.state, "")
    is_told = said and action.reason and action.state != "rejected"
    return f"{said}: {action.reason}" if is_told else said


def _votes(action: LedgerAction, approvers: tuple[str, ...]) -> dict[str, Vote]:
    votes: dict[str, Vote] = dict.fromkeys(approvers, "for")
    if action.state == "rejected" and action.decided_by:
        votes[action.decided_by] = "against"
    return votes


def _cited(asked: JournalMessage) -> dict[str, tuple[CitedSpan, ...]]:
    if not asked.content.strip():
        return {}
    reasons = [why for one in cite_sentences(asked) if (why := reason_in(one)) is not None]
    return {
        "context": (cite_whole(asked),),
        "rationale": tuple(reasons[:1]),
        "related_features": find_artifacts([asked]).features,
    }


def _alternatives(candidates: Iterable[Candidate]) -> Iterator[Alternative]:
    for one in candidates:
        why = f"understood with a confidence of {one.confidence:.2f}"
        yield Alternative(option=one.action, why_not_chosen=why)


def _evidence(cited: dict[str, tuple[CitedSpan, ...]]) -> dict[str, tuple[Span, ...]]:
    return {field: tuple(one.span for one in found) for field, found in cited.items() if found}
