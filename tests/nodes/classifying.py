"""Classify one made decision, for the tests of the node."""

from pathlib import Path
from typing import Any

from nodes.classify_action import ClassifyAction
from state.classification import Classification
from state.event import Event
from state.execution import ExecutionTuning, ReleasePhase
from state.policy import PolicyDecision
from state.result import DecisionResult
from state.stages import Resolved
from tests.nodes.conftest import Knows, Told, message, on_thread
from tests.stages import TUNING, every_stage
from tools.catalog.action_catalog import Catalogue
from tools.gate.ledger.ledger import Ledger
from tools.gate.risk.classifier import Classifier
from tools.nlu.taint import Taint
from tools.platform.clock import VirtualClock
from tools.ports import RoutingEnvironment
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions


def classifying(
    catalogue: Catalogue,
    ledger: Ledger,
    database: Database,
    told: Told,
    clock: VirtualClock,
    tuning: ExecutionTuning = TUNING.execution,
) -> ClassifyAction:
    classifier = Classifier(catalogue, Taint(Knows(), RoutingEnvironment(Path("nowhere"))), tuning)
    return ClassifyAction(classifier, ledger, SqlDecisions(database), told, clock)


async def classified(
    node: ClassifyAction,
    action: str | None,
    arguments: dict[str, Any] | None = None,
    *,
    event: Event | None = None,
    confidence: float = 0.95,
    path: str = "heuristic",
    tainted: bool = False,
    **policy: Any,
) -> Classification:
    happened = event or message()
    assert isinstance(node.decisions, SqlDecisions)
    await node.decisions.accept((happened,))
    given = every_stage()
    state = Resolved.model_validate(
        {
            **given,
            "event": happened,
            "arrival": given["arrival"].model_copy(update={"decision_id": happened.decision_id}),
            "policy": PolicyDecision.model_validate({"intent": "action", **policy}),
            "result": DecisionResult.model_validate(
                {
                    "path": path,
                    "action": action,
                    "arguments": arguments or {},
                    "confidence": confidence,
                    "tainted": tainted,
                }
            ),
        }
    )
    return (await node(state, on_thread(happened)))["classification"]


def phased(phase: ReleasePhase, **fields: Any) -> ExecutionTuning:
    return TUNING.execution.model_copy(update={"phase": phase, **fields})
