"""The whole graph as it is drawn: every stage, every way on, and no other."""

import inspect
from typing import Any

import pytest
from langchain_core.runnables.graph import Graph

from graph.diagram import FILE, mermaid_diagram
from graph.execution.threads import RECURSION_LIMIT
from graph.flow import build_flow
from nodes.confirm import Confirm
from tests.graph.harbour import Harbour

STAGES = {
    "receive",
    "filter_salience",
    "assess_relevance",
    "choose_timing",
    "decide_policy",
    "apply_policy",
    "answer_question",
    "decide_by_heuristic",
    "decide_by_model",
    "decline",
    "classify_action",
    "offer_choices",
    "confirm",
    "take_answer",
    "act",
    "advance_stage",
    "compose",
    "deliver",
    "note_decisions",
    "write_record",
}
SURE = {
    ("__start__", "receive"),
    ("apply_policy", "classify_action"),
    ("answer_question", "classify_action"),
    ("decide_by_heuristic", "classify_action"),
    ("decide_by_model", "classify_action"),
    ("decline", "classify_action"),
    ("offer_choices", "compose"),
    ("confirm", "take_answer"),
    ("take_answer", "act"),
    ("advance_stage", "compose"),
    ("compose", "deliver"),
    ("deliver", "note_decisions"),
    ("note_decisions", "write_record"),
    ("write_record", "__end__"),
}
ROUTED = {
    ("receive", "__end__"),
    ("receive", "filter_salience"),
    ("receive", "write_record"),
    ("filter_salience", "assess_relevance"),
    ("filter_salience", "write_record"),
    ("assess_relevance", "choose_timing"),
    ("assess_relevance", "write_record"),
    ("choose_timing", "decide_policy"),
    ("choose_timing", "write_record"),
    ("decide_policy", "apply_policy"),
    ("decide_policy", "answer_question"),
    ("decide_policy", "decide_by_heuristic"),
    ("decide_policy", "decide_by_model"),
    ("decide_policy", "decline"),
    ("classify_action", "offer_choices"),
    ("classify_action", "confirm"),
    ("classify_action", "act"),
    ("classify_action", "compose"),
    ("classify_action", "write_record"),
    ("act", "confirm"),
    ("act", "advance_stage"),
}


@pytest.fixture
async def graph(harbour: Harbour) -> Graph:
    return build_flow(harbour.executive._box).get_graph()


def ways(edges: set[tuple[str, str]], *, avoiding: str) -> set[str]:
    """Return what can be reached from the start without a stage."""
    reached = {"__start__"}
    while True:
        further = {
            target
            for source, target in edges
            if source in reached and target != avoiding and target not in reached
        }
        if not further:
            return reached
        reached |= further


async def test_every_stage_is_drawn(graph: Graph) -> None:
    assert set(graph.nodes) == STAGES | {"__start__", "__end__"}


async def test_every_way_on_is_drawn_and_no_other(graph: Graph) -> None:
    assert {(edge.source, edge.target) for edge in graph.edges if not edge.conditional} == SURE
    assert {(edge.source, edge.target) for edge in graph.edges if edge.conditional} == ROUTED
    assert len(graph.edges) == len(SURE | ROUTED)


def test_no_stage_is_reached_past_the_class_of_an_action() -> None:
    assert {"act", "confirm", "offer_choices"} & ways(
        SURE | ROUTED, avoiding="classify_action"
    ) == set()


def test_nothing_ends_without_a_record_but_a_duplicate() -> None:
    reached = ways(SURE | ROUTED, avoiding="write_record")
    assert {source for source, target in SURE | ROUTED if target == "__end__"} & reached == {
        "receive"
    }


def test_nothing_is_spoken_without_having_been_judged() -> None:
    for gate in ("filter_salience", "assess_relevance", "choose_timing", "decide_policy"):
        assert "deliver" not in ways(SURE | ROUTED, avoiding=gate)


def test_the_longest_way_is_within_the_limit() -> None:
    assert len(STAGES) < RECURSION_LIMIT


async def test_the_gate_is_tried_once_and_never_again(harbour: Harbour) -> None:
    flow = build_flow(harbour.executive._box)
    retried: dict[str, Any] = {
        name: node.retry_policy for name, node in flow.nodes.items() if node.retry_policy
    }
    assert retried == {}
    assert "interrupt(" in inspect.getsource(Confirm)


def test_the_diagram_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == mermaid_diagram(), "run `make diagram`"
