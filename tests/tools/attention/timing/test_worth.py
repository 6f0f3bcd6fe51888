"""What waits: its worth, its order, its urgency. Source: executive.md §1.4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stages import event_of
from tools.storage.release_priority import (
    ReleaseCandidate,
    decayed_relevance,
    group_of,
    next_to_release,
)

scores = st.floats(0, 1)
waits = st.builds(
    ReleaseCandidate,
    decision_id=st.uuids().map(str),
    relevance=scores,
    urgency=scores,
    held_at=st.floats(0, 1_000),
    life_seconds=st.floats(1, 2_000),
)


@pytest.mark.parametrize(
    ("age", "life", "golden"), [(0, 300, 0.8), (150, 300, 0.4), (300, 300, 0.2), (75, 300, 0.5657)]
)
def test_worth_halves_with_half_of_a_life(age: float, life: float, golden: float) -> None:
    assert decayed_relevance(0.8, age, life) == pytest.approx(golden, abs=5e-5)


def test_the_order_is_relevance_raised_by_urgency_and_lowered_by_age() -> None:
    assert ReleaseCandidate("a", 0.6, 0.5, 0.0, 300.0).worth(150.0) == pytest.approx(0.6 * 1.5 / 2)


@given(st.lists(waits, min_size=1, max_size=8, unique_by=lambda one: one.decision_id))
def test_the_order_of_arrival_does_not_choose(waiting: list[ReleaseCandidate]) -> None:
    assert next_to_release(waiting, 1_000.0) == next_to_release(reversed(waiting), 1_000.0)


@given(st.lists(waits, min_size=1, max_size=8, unique_by=lambda one: one.decision_id))
def test_at_the_end_of_their_lives_the_most_urgent_goes_first(
    waiting: list[ReleaseCandidate],
) -> None:
    first = next_to_release(waiting, 1_000.0, at_the_end=True)
    assert first.urgency == max(one.urgency for one in waiting)


@given(scores, st.floats(0, 1e6), st.floats(0, 1e6), st.floats(1, 1e4))
def test_waiting_never_adds_worth(relevance: float, age: float, more: float, life: float) -> None:
    assert (
        decayed_relevance(relevance, age + more, life)
        <= decayed_relevance(relevance, age, life)
        <= relevance
    )


def test_things_belong_together_by_their_entity_else_by_source_and_kind() -> None:
    sluice = event_of(entities=["Sluice"])
    assert group_of(sluice) == group_of(event_of(source="quay", entities=["sluice"]))
    assert group_of(event_of()) == "buoy|ambient"
