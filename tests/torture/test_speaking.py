"""Every property of speaking (executive.md §2) on random cases: 1,000, or 100,000 as torture."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, seed, settings

from tests.torture.speaking_cases import Case, cases, check
from tests.torture.tally import Tally

SHARDS = 10
"""Of 10,000 each, with its own seed: they may run side by side, and one that fails names itself."""


@pytest.mark.parametrize(
    ("shard", "count"),
    [
        pytest.param(0, 1_000, id="1000"),
        *(
            pytest.param(shard, 10_000, id=f"10000-{shard}", marks=pytest.mark.torture)
            for shard in range(1, SHARDS + 1)
        ),
    ],
)
def test_what_must_hold_of_speaking_holds_in_every_case(
    tally: Tally, shard: int, count: int
) -> None:
    @seed(shard)
    @given(cases)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    def holds(case: Case) -> None:
        tally.add("random cases of speaking")
        check(case, runner)

    with asyncio.Runner() as runner:
        holds()
    assert tally.counts["random cases of speaking"] >= count
