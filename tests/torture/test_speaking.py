"""Every property of speaking (executive.md §2) on random cases: 1,000, or 100,000 as torture."""

import asyncio

from hypothesis import HealthCheck, given, settings

from tests.torture.counts import few_or_many
from tests.torture.speaking_cases import Case, cases, check
from tests.torture.tally import Tally


@few_or_many(1_000, 100_000)
def test_what_must_hold_of_speaking_holds_in_every_case(tally: Tally, count: int) -> None:
    @given(cases)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    def holds(case: Case) -> None:
        tally.add("random cases of speaking")
        check(case, runner)

    with asyncio.Runner() as runner:
        holds()
    assert tally.counts["random cases of speaking"] >= count
