"""The record of one decision: its outcome on one line, and every stage behind it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.action import ExecutionClass
from prefrontal.types.model_use import ModelUse
from prefrontal.types.noun import Noun
from prefrontal.types.policy import Candidate
from prefrontal.types.response import OutputChannel, ResponseType
from prefrontal.types.result import DecisionPath

Outcome = Literal[
    "passed",
    "held",
    "merged",
    "spoke",
    "silent",
    "offered",
    "awaiting_approval",
    "permitted",
    "executed",
    "refused",
    "failed",
    "rejected",
]


class DecisionRecord(Noun):
    """One line of `prefrontal run --json`: a contract, fields are added and never renamed."""

    event_id: str
    decision_id: str
    outcome: Outcome
    spoke: bool
    relevance: float | None = None
    threshold: float | None = None
    threat: float | None = None
    timing: str | None = None
    response_type: ResponseType | None = None
    output: OutputChannel | None = None
    path: DecisionPath | None = None
    execution_class: ExecutionClass | None = None
    action: str | None = None
    arguments: Mapping[str, Any] | None = None
    confidence: float | None = None
    alternatives: tuple[Candidate, ...] = ()
    reason: str = Field(description="reason code")
    counterfactual: str | None = None
    text: str = ""
    elapsed_ms: float = 0.0
    session_id: str = "default"
    tenant_id: str = "default"
    intent: str | None = Field(default=None, description="what policy took the message for")
    stage: str | None = Field(default=None, description="of the pack's state machine, after it")
    action_id: str | None = Field(default=None, description="the ledger's row, if there is one")
    offer_id: str | None = None
    response_id: str | None = Field(default=None, description="what feedback names")
    heuristic_id: str | None = Field(default=None, description="the heuristic that fitted best")
    strategy: str | None = Field(default=None, description="the decision strategy of this session")
    models: tuple[ModelUse, ...] = Field(
        default=(), description="calls of a model: tokens, cost, hash of the prompt, how it ended"
    )
    duplicate: bool = Field(
        default=False, description="the same event was sent before: this is its first decision"
    )
    event_id_reused: bool = Field(
        default=False,
        description="its sender used the event_id for something else before; judged by itself",
    )
    recorded_at: datetime


class DecisionTrace(Noun):
    """A record with its event and what every stage added, in order."""

    record: DecisionRecord
    event: Mapping[str, Any]
    stages: Mapping[str, Any]
    thread_id: str
