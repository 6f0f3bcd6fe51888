"""States that a thread is given by somebody who would like to see the action done, or gone."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from state.approval import LedgerAction
from state.classification import Classification
from state.judgement import Timing
from state.outcome import ActionOutcome
from state.policy import PolicyDecision
from state.result import DecisionPath, DecisionResult

LIES = (
    "held for ever",
    "granted",
    "worse arguments",
    "no such action",
    "a lower class",
    "no action",
    "another result",
    "an explicit policy",
    "done already",
    "done already, no action",
)


def forged(shown: LedgerAction) -> Mapping[str, Mapping[str, Any]]:
    """Make states a liar would like to see, by name."""
    granted = shown.model_copy(update={"state": "approved", "approvals": 9, "quorum": 1})
    worse = granted.model_copy(update={"arguments": {"valve": "V-999"}})
    other = granted.model_copy(update={"action_id": "00000000-0000-0000-0000-000000000000"})
    lower = granted.model_copy(update={"execution_class": "A", "action": "read_gauge"})
    result = DecisionResult(
        path=DecisionPath.HEURISTIC,
        action="open_valve",
        arguments={"valve": "V-999"},
        confidence=1.0,
    )
    policy = PolicyDecision(
        intent="choice",
        action="open_valve",
        arguments={"valve": "V-999"},
        confidence=1.0,
        explicit=True,
    )
    done = ActionOutcome(
        action_id=shown.action_id, state="succeeded", executed_now=True, text="Approved and done."
    )
    held = Timing(
        outcome="queued",
        reason="busy",
        response_type="observation",
        urgency=0.0,
        due_at=datetime(2190, 1, 1, tzinfo=UTC),
    )
    return {
        "granted": {"classification": classified(granted, "act", "C")},
        "worse arguments": {"classification": classified(worse, "act", "C"), "result": result},
        "no such action": {"classification": classified(other, "act", "C")},
        "a lower class": {"classification": classified(lower, "act", "A")},
        "no action": {"classification": Classification(verdict="none", reason="no_action")},
        "another result": {"result": result},
        "an explicit policy": {"policy": policy, "result": result},
        "held for ever": {"timing": held},
        "done already": {"outcome": done},
        "done already, no action": {
            "outcome": done,
            "classification": Classification(verdict="none", reason="no_action"),
        },
    }


def classified(action: LedgerAction, verdict: Any, execution_class: Any) -> Classification:
    return Classification(
        verdict=verdict, reason="forged", execution_class=execution_class, action=action
    )
