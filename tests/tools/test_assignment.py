"""Trials reach a stable share of people, each trial another one."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from state.execution import ChipOrdering
from tools.platform.experiments import assigned_ordering, hash_position, is_canary


def test_places_are_spread_evenly() -> None:
    places = sorted(hash_position("salt", str(number)) for number in range(1_000))
    assert all(abs(place - number / 1_000) < 0.06 for number, place in enumerate(places))


@given(st.text(), st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_greater_share_keeps_who_was_in(
    tenant: str, session: str, one: float, other: float
) -> None:
    less, more = sorted((one, other))
    assert is_canary(tenant, session, less) <= is_canary(tenant, session, more)
    assert not is_canary(tenant, session, 0.0)
    assert is_canary(tenant, session, 1.0)


def test_a_person_keeps_an_ordering_and_the_shares_hold() -> None:
    shares: Mapping[ChipOrdering, float] = {"confidence": 3.0, "chosen_before": 1.0}
    assigned = [assigned_ordering("t", f"user-{number}", shares) for number in range(2_000)]
    assert assigned == [assigned_ordering("t", f"user-{number}", shares) for number in range(2_000)]
    assert 0.20 < assigned.count("chosen_before") / 2_000 < 0.30
    assert {assigned_ordering("t", str(number), {"confidence": 1.0}) for number in range(50)} == {
        "confidence"
    }


def test_two_trials_do_not_take_the_same_people() -> None:
    users = [f"user-{number}" for number in range(400)]
    both = sum(hash_position("a", user) < 0.5 and hash_position("b", user) < 0.5 for user in users)
    assert 70 < both < 130
