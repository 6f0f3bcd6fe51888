"""Killed while a break tells what waited: nothing is lost, nothing is told twice."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.safety.benches import sql
from tests.safety.breaking import signal_of
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.torture.tally import Tally

ENDINGS = "select outcome from decision where event_id like 'w-%'"
WAITS = "select decision_id from hold"
FEW = (2, 3)
LAST = 8
"""Transactions from the break on; a later one is never reached."""


@pytest.mark.parametrize("place", ["begin", "commit"])
@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(nth, marks=() if nth in FEW else pytest.mark.torture)
        for nth in range(1, LAST + 1)
    ],
)
async def test_killed_at_a_break_each_is_told_once(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, place: str, nth: int
) -> None:
    folder = shutil.copytree(fresh, tmp_path / "data")
    plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
    died = nursery.run({**plan, "story": "break"})
    tally.add("kills at a break", int(died.is_killed))
    async with opened_executive(folder, pack) as opened:
        await opened.recover()
        if sql(folder, WAITS):  # the break itself was lost before it was accepted: it comes again
            await opened.executive.submit(signal_of("over", signal="call_ended"))
            await opened.executive.resume_unfinished()
    outcomes = Counter(outcome for (outcome,) in sql(folder, ENDINGS))
    assert outcomes == {"spoke": 1, "merged": 2}
    assert sql(folder, WAITS) == []
