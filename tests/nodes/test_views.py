"""Each node on its own: what it needs is its parameter's type, what it adds is its own channel."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel, ValidationError

from nodes.act import Act
from nodes.advance_stage import AdvanceStage
from nodes.answer_question import AnswerQuestion
from nodes.apply_policy import ApplyPolicy
from nodes.assess_relevance import AssessRelevance
from nodes.choose_timing import ChooseTiming
from nodes.classify_action import ClassifyAction
from nodes.compose import Compose
from nodes.confirm import Confirm
from nodes.decide_by_heuristic import DecideByHeuristic
from nodes.decide_by_model import DecideByModel
from nodes.decide_policy import DecidePolicy
from nodes.decline import Decline
from nodes.deliver import Deliver
from nodes.filter_salience import FilterSalience
from nodes.note_decisions import NoteDecisions
from nodes.offer_choices import OfferChoices
from nodes.receive import Receive
from nodes.take_answer import TakeAnswer
from nodes.write_record import WriteRecord
from state import stages
from state.channels import State
from tests.nodes.assessing import assessing, choosing, filtering
from tests.stages import every_stage
from tests.strategies import strategies_of
from tools.catalog.action_catalog import Catalogue

NEEDS: list[tuple[Callable[..., Any], type[BaseModel]]] = [
    (Receive.__call__, stages.Opened),
    (FilterSalience.__call__, stages.Received),
    (AssessRelevance.__call__, stages.Weighed),
    (ChooseTiming.__call__, stages.Assessed),
    (DecidePolicy.__call__, stages.Timed),
    (ApplyPolicy.__call__, stages.Decided),
    (AnswerQuestion.__call__, stages.Decided),
    (DecideByHeuristic.__call__, stages.Decided),
    (DecideByModel.__call__, stages.Decided),
    (Decline.__call__, stages.Decided),
    (ClassifyAction.__call__, stages.Resolved),
    (OfferChoices.__call__, stages.Classified),
    (Confirm.__call__, stages.Classified),
    (TakeAnswer.__call__, stages.Answered),
    (Act.__call__, stages.Classified),
    (AdvanceStage.__call__, stages.Settled),
    (Compose.__call__, stages.Settled),
    (Deliver.__call__, stages.Composed),
    (NoteDecisions.__call__, stages.Composed),
    (WriteRecord.__call__, stages.Gathered),
]
PURE: list[tuple[Any, type[BaseModel], set[str]]] = [
    (
        filtering(),
        stages.Received,
        {"salience", "session"},  # an event stirs up the traits it is judged with
    ),
    (
        assessing(),
        stages.Weighed,
        {"relevance"},
    ),
    (choosing(), stages.Assessed, {"timing"}),
    (Decline(strategies_of(), False, Catalogue.of([])), stages.Decided, {"result"}),
    (Compose(), stages.Settled, {"response"}),
]


@pytest.mark.parametrize(
    ("node", "stage"), NEEDS, ids=lambda value: getattr(value, "__qualname__", "")
)
def test_a_node_names_the_stage_it_needs_and_what_it_adds(node, stage) -> None:
    hints = get_type_hints(node)
    assert (hints["state"], hints["return"]) == (stage, State)
    assert inspect.iscoroutinefunction(node)


def alone(node: Any) -> Any:
    """Return a graph of this node only."""
    flow = StateGraph(State)
    flow.add_node("alone", node)
    flow.add_edge(START, "alone")
    flow.add_edge("alone", END)
    return flow.compile()


@pytest.mark.parametrize(("node", "stage", "adds"), PURE, ids=lambda value: type(value).__name__)
async def test_a_node_adds_its_own_channel_and_no_other(node, stage, adds) -> None:
    assert set(await node(stage.model_validate(every_stage()))) == adds


@pytest.mark.parametrize(
    ("node", "missing"),
    [
        (node, name)
        for node, stage, _adds in PURE
        for name, field in stage.model_fields.items()
        if field.is_required()
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
async def test_a_stage_that_was_skipped_stops_the_graph_and_is_named(node, missing) -> None:
    given = every_stage()
    del given[missing]
    with pytest.raises(ValidationError) as refused:
        await alone(node).ainvoke(given)
    assert [error["loc"] for error in refused.value.errors()] == [(missing,)]
