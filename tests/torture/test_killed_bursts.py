"""Killed while a burst is taken and folded: what was acknowledged is decided, and once."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.safety.benches import sql
from tests.safety.breaking import AT_ONCE, BURSTS
from tests.safety.dying import ACKNOWLEDGED
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.torture.tally import Tally

RECORDS = """
select event_id, standing, outcome, json_extract(record, '$.reason') as reason
from decision where event_id like 'b-%'
"""
JUDGED = "select decision_id from decision where outcome <> 'merged'"
FEW = (4,)
LAST = 14
"""Write transactions of three bursts; a later one is never reached."""


@pytest.mark.parametrize("place", ["begin", "commit"])
@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(nth, marks=() if nth in FEW else pytest.mark.torture)
        for nth in range(1, LAST + 1)
    ],
)
async def test_killed_in_a_burst_nothing_acknowledged_is_lost(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, place: str, nth: int
) -> None:
    folder = shutil.copytree(fresh, tmp_path / "data")
    plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
    died = nursery.run({**plan, "story": "burst"})
    tally.add("kills in a burst", int(died.is_killed))
    known = folder / ACKNOWLEDGED
    acknowledged = set(known.read_text("utf-8").split()) if known.exists() else set()
    async with opened_executive(folder, pack) as opened:
        await opened.recover()
    records = sql(folder, RECORDS)
    assert {standing for _name, standing, _outcome, _reason in records} <= {"recorded"}
    assert acknowledged <= {name for name, *_rest in records}
    if not died.is_killed:
        assert len(acknowledged) == BURSTS * AT_ONCE
    judged = {decision_id for (decision_id,) in sql(folder, JUDGED)}
    folded = [reason for _name, _standing, outcome, reason in records if outcome == "merged"]
    assert {reason.removeprefix("folded_into:") for reason in folded} <= judged
    said = Counter(outcome for _name, _standing, outcome, _reason in records)
    assert said["spoke"] <= BURSTS
    tally.add("events of killed bursts, folded", len(folded))
