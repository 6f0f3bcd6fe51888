"""What a thread has stored at the gate is read back strictly, type by type."""

import json

from pydantic import BaseModel

from state.checkpointed import CHECKPOINTED
from tests.graph.harbour import Harbour
from tests.state.nouns import nouns_of


async def test_every_noun_at_the_gate_comes_back_as_itself(harbour: Harbour) -> None:
    await harbour.says("stop telling me about the ferry")
    await harbour.happens("Smoke on the quay", salience={"threat": 0.9, "goal_relevance": 0.9})
    waiting = await harbour.says("close lock LK-12")
    snapshot = await harbour.snapshot(waiting.decision_id)
    assert snapshot.next == ("confirm",)
    kinds = {type(noun) for noun in nouns_of(snapshot.values)}
    assert {(kind.__module__, kind.__name__) for kind in kinds} <= set(CHECKPOINTED)
    assert {"Event", "Session", "Traits", "TopicRule", "ThreatTold", "LedgerAction"} <= {
        kind.__name__ for kind in kinds
    }
    assert all(isinstance(noun, BaseModel) for noun in snapshot.values.values())
    assert snapshot.values["session"].threats
    assert snapshot.values["session"].topics


async def test_the_trace_is_plain_json(harbour: Harbour) -> None:
    waiting = await harbour.says("close lock LK-12")
    trace = await harbour.executive.records.trace(waiting.decision_id, "default")
    assert json.loads(json.dumps(dict(trace.stages))) == trace.stages
    assert list(trace.stages) == [
        "arrival",
        "salience",
        "relevance",
        "timing",
        "policy",
        "result",
        "classification",
    ]


async def test_a_decision_is_one_thread_with_little_in_it(harbour: Harbour) -> None:
    for number in range(30):
        await harbour.happens(f"Ferry {number}", salience={"goal_relevance": 0.9})
    waiting = await harbour.says("close lock LK-12")
    snapshot = await harbour.snapshot(waiting.decision_id)
    assert len(snapshot.values["session"].spoken) <= 20
    assert waiting.decision_id == snapshot.config["configurable"]["thread_id"]
