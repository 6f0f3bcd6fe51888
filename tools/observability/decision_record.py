"""Build the record of a decision from its stages: outcome, reason, text and counterfactual."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from state.action import DECLARED
from state.approval import ActionState
from state.classification import Classification
from state.model_use import ModelUse
from state.principal import roles_in_words
from state.record import DecisionRecord, Outcome
from state.stages import Gathered
from tools.platform.texts import t

_BY_ENDING: Mapping[tuple[Outcome, str], str] = {
    ("silent", "nothing_asked"): "covered",
    ("spoke", "nothing_asked"): "covered",
    ("rejected", "llm_unavailable"): "covered",
    ("rejected", "no_matching_action"): "covered",
    ("rejected", "alert_waits_for_no_model"): "covered",
    ("refused", "role"): "role",
    ("offered", "several_plausible"): "told_apart",
    ("offered", "read_or_change"): "show_or_change",
    ("spoke", "read_or_change"): "show_or_change",
    ("spoke", "several_plausible"): "told_apart",
    ("spoke", "missing_slot"): "named",
    ("spoke", "lookup_failed"): "looked_up",
}
"""Outcome and reason to the text under `decision.instead`."""
_BY_APPROVAL: Mapping[Outcome, str] = {
    "awaiting_approval": "approval_open",
    "executed": "approval_given",
    "permitted": "approval_given",
    "refused": "approval_missing",
}
_NOT_YES = ("approval_rejected", "approval_expired")
_NEEDS_YES = ("awaiting_approval", "executed", "permitted")


def counterfactual_of(gathered: Gathered, outcome: Outcome, reason: str) -> str | None:
    """Say what would have changed the decision; the stage that ended it is the one that knows."""
    if gathered.relevance is None:
        return None
    if not gathered.event.is_addressed or outcome in ("passed", "held"):
        return gathered.relevance.counterfactual
    if outcome in _NEEDS_YES or (outcome == "refused" and reason in _NOT_YES):
        return _of_approval(gathered, outcome)
    name = _BY_ENDING.get((outcome, reason), "chip" if outcome == "offered" else None)
    return name and t(f"decision.instead.{name}")


def _of_approval(gathered: Gathered, outcome: Outcome) -> str | None:
    """Name whose yes decides; None for what is done without one."""
    action = gathered.classification.action if gathered.classification else None
    if action is None or action.execution_class != "C":
        return None
    if action.grant_id is not None and outcome == "executed":
        return t("decision.instead.approval_granted", who=action.decided_by)
    who = roles_in_words(action.approver_roles) or t("decision.instead.anybody")
    return t(f"decision.instead.{_BY_APPROVAL[outcome]}", who=who, until=None)


NOT_STAGES = {"event", "session"}


def record_of(gathered: Gathered, *, now: datetime, elapsed_ms: float) -> DecisionRecord:
    """Sum a decision up on one line, whatever stage it has come to."""
    event, arrival = gathered.event, gathered.arrival
    relevance, timing, policy = gathered.relevance, gathered.timing, gathered.policy
    classification, result = gathered.classification, gathered.result
    outcome, reason = _ending(gathered)
    return DecisionRecord(
        event_id=event.event_id,
        decision_id=arrival.decision_id,
        outcome=outcome,
        spoke=gathered.delivery is not None and gathered.delivery.output != "silent",
        relevance=relevance.score if relevance else None,
        threshold=relevance.threshold if relevance else None,
        threat=relevance.threat if relevance else None,
        timing=timing.outcome if timing else None,
        response_type=gathered.response.type if gathered.response else None,
        output=gathered.delivery.output if gathered.delivery else "silent",
        path=result.path if result else None,
        execution_class=classification.execution_class if classification else None,
        action=_action(gathered),
        arguments=_arguments(gathered),
        confidence=result.confidence if result else None,
        alternatives=policy.alternatives if policy else (),
        reason=reason,
        counterfactual=counterfactual_of(gathered, outcome, reason),
        text=_text(gathered),
        elapsed_ms=round(elapsed_ms, 3),
        session_id=event.session_id,
        tenant_id=event.tenant_id,
        intent=policy.intent if policy else None,
        stage=_stage(gathered),
        action_id=_action_id(gathered),
        offer_id=gathered.offer.offer_id if gathered.offer else None,
        response_id=result.response_id or None if result else None,
        heuristic_id=result.matched_heuristic_id if result else None,
        strategy=result.strategy if result else None,
        models=_models(gathered),
        event_id_reused=event.variant is not None,
        recorded_at=now,
    )


def stages_of(gathered: Gathered) -> Mapping[str, Any]:
    """Dump every stage that was reached, as JSON, in order."""
    return gathered.model_dump(mode="json", exclude=NOT_STAGES, exclude_none=True)


def _ending(gathered: Gathered) -> tuple[Outcome, str]:
    if gathered.event.kind == "signal":
        return "silent", "signal_noted"
    if gathered.salience is not None and gathered.relevance is None:
        return "passed", "dull"
    if gathered.relevance and gathered.relevance.verdict in ("pass", "drop"):
        return "passed", gathered.relevance.reason
    if gathered.timing and gathered.timing.outcome != "immediate":
        dropped = gathered.timing.outcome == "dropped"
        return ("passed" if dropped else "held"), gathered.timing.reason
    if gathered.outcome is not None:
        return _acted(gathered.outcome.state, gathered.classification)
    if gathered.classification is not None and gathered.classification.verdict == "shadow":
        return "silent", gathered.classification.reason
    return _answered(gathered)


def _acted(state: ActionState, classification: Classification | None) -> tuple[Outcome, str]:
    match state:
        case "succeeded":
            return "executed", classification.reason if classification else "done"
        case "failed" | "unknown":
            return "failed", f"action_{state}"
        case "approved" | "started" if _is_kept_by_agent(classification):
            return "permitted", classification.reason if classification else "permitted"
        case "proposed" | "pending" | "approved" | "started":
            return "awaiting_approval", f"action_{state}"
        case "rejected" | "expired" | "superseded" | "stale":
            return "refused", f"approval_{state}"


def _is_kept_by_agent(classification: Classification | None) -> bool:
    frozen = classification.action if classification else None
    return frozen is not None and frozen.pack == DECLARED


def _answered(gathered: Gathered) -> tuple[Outcome, str]:
    classification, result = gathered.classification, gathered.result
    verdict = classification.verdict if classification else "none"
    if classification and verdict == "confirm":
        return "awaiting_approval", classification.reason
    if classification and verdict == "offer":
        return "offered", classification.reason
    if classification and verdict == "refuse":
        return "refused", classification.reason
    if classification and verdict == "ask":
        asks = gathered.event.call is None  # nobody stands there to be asked back
        return ("spoke" if asks else "refused"), classification.reason
    if result is not None and result.metadata.get("reason") == "nothing_asked":
        spoke = gathered.delivery is not None and gathered.delivery.output != "silent"
        return ("spoke" if spoke else "silent"), "nothing_asked"
    if result is not None and result.path == "rejected":
        return "rejected", str(result.metadata.get("reason", "rejected"))
    if gathered.delivery is not None and gathered.delivery.output == "silent":
        return "silent", gathered.delivery.reason
    return "spoke", gathered.relevance.reason if gathered.relevance else "said"


def _action(gathered: Gathered) -> str | None:
    if gathered.result is not None:
        return gathered.result.action
    return None


def _arguments(gathered: Gathered) -> Mapping[str, Any] | None:  # typed by the catalogue's slots
    outcome, classification = gathered.outcome, gathered.classification
    if outcome is not None and outcome.arguments is not None:
        return outcome.arguments  # what ran, which an approver may have edited
    if classification is not None and classification.action is not None:
        return classification.action.arguments
    return gathered.result.arguments if gathered.result else None


def _stage(gathered: Gathered) -> str | None:
    """Tell where the session stands in the pack of the action, or in the only one with stages."""
    if gathered.advanced is not None:
        return gathered.advanced.to_stage
    staged = {pack: kept.stage for pack, kept in gathered.session.memory.items() if kept.stage}
    frozen = gathered.classification.action if gathered.classification else None
    if frozen is not None:
        return staged.get(frozen.pack)
    return next(iter(staged.values())) if len(staged) == 1 else None


def _action_id(gathered: Gathered) -> str | None:
    if gathered.outcome is not None:
        return gathered.outcome.action_id
    frozen = gathered.classification.action if gathered.classification else None
    return frozen.action_id if frozen else None


def _models(gathered: Gathered) -> tuple[ModelUse, ...]:
    """List every call of a model for a decision: whether, what, and in which words."""
    whether = gathered.relevance.models if gathered.relevance else ()
    content = gathered.result.models if gathered.result else ()
    return (*whether, *content, *(gathered.response.models if gathered.response else ()))


def _text(gathered: Gathered) -> str:
    if gathered.response is not None:
        return gathered.response.text
    frozen = gathered.classification.action if gathered.classification else None
    if frozen is None:
        return ""
    if frozen.state == "proposed":
        return t("answer.queued", summary=frozen.summary)
    told = gathered.result.told_beside if gathered.result else ""
    return t("answer.approval_required", told=told, summary=frozen.summary)
