"""Which kind of response fits: executive.md §1.5."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.personality import Traits
from state.response import ResponseType
from state.salience import DIMENSIONS, SalienceVector
from tools.response.response_type import ChosenType, choose_response_type

NEUTRAL = Traits(helpfulness=0.5)


def choose(vector: SalienceVector, **given_as: Any) -> ChosenType:
    asked = {
        "traits": NEUTRAL,
        "confidence": 1.0,
        "context": "default",
        "busy": False,
        "quipped_lately": False,
        **given_as,
    }
    return choose_response_type(vector, asked.pop("traits"), **asked)


@pytest.mark.parametrize(
    ("vector", "kind"),
    [
        (SalienceVector(threat=0.9), "alert"),
        (SalienceVector(humor=0.9), "quip"),
        (SalienceVector(opportunity=0.8, actionability=0.8), "suggestion"),
        (SalienceVector(goal_relevance=0.8), "observation"),
        (SalienceVector(novelty=0.8), "observation"),
        (SalienceVector(social=0.9), "observation"),
        (SalienceVector(), "observation"),
    ],
)
def test_the_strongest_reason_names_the_kind(vector: SalienceVector, kind: str) -> None:
    assert choose(vector).type == kind


def test_an_unsure_goal_becomes_a_question() -> None:
    goal = SalienceVector(goal_relevance=0.9)
    assert choose(goal, confidence=0.5).type == "question"
    assert choose(goal, confidence=0.0).type == choose(goal, confidence=1.0).type == "observation"


@pytest.mark.parametrize(
    ("kind", "vector", "confidence", "utility"),
    [
        ("alert", SalienceVector(threat=0.8), 1.0, 1.2 * 0.8),
        ("alert", SalienceVector(threat=0.49), 1.0, 0.0),
        ("question", SalienceVector(goal_relevance=0.8), 0.5, 0.8 * 0.75),
        ("question", SalienceVector(goal_relevance=0.8), 0.9, 0.8 * 0.75 * 0.2),
        ("suggestion", SalienceVector(opportunity=0.9, actionability=0.4), 1.0, 0.6),
        ("observation", SalienceVector(novelty=0.6, goal_relevance=0.4), 1.0, 0.4),
        ("quip", SalienceVector(humor=0.5), 1.0, 0.4),
        ("quip", SalienceVector(humor=0.5, threat=0.5), 1.0, 0.1),
    ],
)
def test_a_utility_is_the_formula_of_the_page(
    kind: str, vector: SalienceVector, confidence: float, utility: float
) -> None:
    assert choose(vector, confidence=confidence).utilities[kind] == pytest.approx(utility, abs=1e-3)


@pytest.mark.parametrize("silenced", [{"busy": True}, {"quipped_lately": True}])
def test_no_joke_while_somebody_is_busy_or_right_after_the_last(silenced: dict[str, bool]) -> None:
    chosen = choose(SalienceVector(humor=0.9), **silenced)
    assert (chosen.type, chosen.utilities["quip"]) == ("observation", 0.0)


@pytest.mark.parametrize(
    ("context", "kind", "factor"),
    [
        ("gaming", "alert", 1.15),
        ("gaming", "quip", 1.15),
        ("work", "observation", 1.15),
        ("work", "quip", 0.5),
        ("home", "alert", 1.0),
    ],
)
def test_a_context_weighs_the_kinds(context: str, kind: str, factor: float) -> None:
    vector = SalienceVector(**dict.fromkeys(DIMENSIONS, 0.6))
    here = choose(vector, context=context).utilities[kind]
    assert here == pytest.approx(choose(vector).utilities[kind] * factor, abs=2e-4)


def test_a_helpful_one_suggests_more_and_a_funny_one_jokes_more() -> None:
    vector = SalienceVector(opportunity=0.6, actionability=0.6, humor=0.6)
    helpful, funny = Traits(helpfulness=1, humor=0), Traits(helpfulness=0, humor=1)
    assert choose(vector, traits=helpful).type == "suggestion"
    assert choose(vector, traits=funny).type == "quip"


def test_a_tie_goes_to_the_kind_listed_first() -> None:
    tied = choose(SalienceVector(threat=0.5, humor=0.96), traits=Traits(humor=1.0))
    assert tied.utilities["alert"] > tied.utilities["quip"]
    even = SalienceVector(opportunity=0.4, actionability=0.4, goal_relevance=1.0)
    chosen = choose(even)
    assert chosen.utilities["suggestion"] == chosen.utilities["observation"] == 0.4
    assert chosen.type == "suggestion"


@given(
    vector=st.builds(SalienceVector, **{name: st.floats(0, 1) for name in DIMENSIONS}),
    confidence=st.floats(0, 1),
    context=st.sampled_from(["gaming", "home", "work", "default"]),
    busy=st.booleans(),
)
def test_any_event_gets_a_kind_with_the_highest_utility(
    vector: SalienceVector, confidence: float, context: str, busy: bool
) -> None:
    chosen = choose(vector, confidence=confidence, context=context, busy=busy)
    assert chosen.type in get_args(ResponseType)
    assert chosen.utilities[chosen.type] == max(chosen.utilities.values())
    assert all(utility >= 0 for utility in chosen.utilities.values())
