"""Killed within a transaction or whenever, in a race: no half approval, nothing twice or lost."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.dying import ACKNOWLEDGED
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.gate.ledger.audit import audit

WITHIN = {
    "propose": ("insert ledger_action", "ask", 1),
    "approve": ("insert ledger_approval", "approve", 1),
    "journal write of a question": ("insert ledger_entry", "ask", 1),
    "journal write of a yes": ("insert ledger_entry", "approve", 1),
    "journal write of an approval": ("insert ledger_entry", "approve", 2),
}
"""What is being written, where it dies and while doing what: after the row, before its commit."""
HALVES = """
select a.action_id from ledger_action a where
  (a.execution_class <> 'A' and a.state in ('approved', 'started', 'succeeded') and not exists (
    select 1 from ledger_approval v where v.action_id = a.action_id and v.decision = 'approve'))
  or (a.state = 'pending' and a.quorum = 1 and exists (
    select 1 from ledger_approval v where v.action_id = a.action_id and v.decision = 'approve'))
  or not exists (select 1 from ledger_entry e where e.action_id = a.action_id)
"""
RUNS = 100
"""Kills of one data folder, one after the other."""
SHARDS = 20


@few_or_many(1, 200)
@pytest.mark.parametrize("step", WITHIN)
async def test_killed_within_a_transaction_nothing_is_half_written(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, step: str, count: int
) -> None:
    place, story, nth = WITHIN[step]
    for turn in range(count):
        folder = shutil.copytree(fresh, tmp_path / f"data-{turn}")
        plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
        assert nursery.run({**plan, "story": story}).is_killed
        tally.add(f"kills in {step}")
        assert sql(folder, HALVES) == []
        assert sql(folder, "select * from ledger_approval") == []
        async with opened_executive(folder, pack) as opened:
            await opened.recover()
            assert (await audit(opened.box.database, {})).report.faults == ()
            shown = await opened.asked()
            assert (shown.state, shown.approvals) == ("pending", 0)
            done = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
            assert done.state == "succeeded"
            assert (await audit(opened.box.database, {})).report.faults == ()
        assert sql(folder, "select state from ledger_action") == [("succeeded",)]
        assert len(effects(folder)) == 1
        shutil.rmtree(folder)


async def test_eight_clients_killed_whenever_a_few_times(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally
) -> None:
    await _kill_often(nursery, data_dir, pack, tally, range(3))


@pytest.mark.torture
@pytest.mark.parametrize("shard", range(SHARDS))
async def test_eight_clients_killed_whenever_two_thousand_times(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally, shard: int
) -> None:
    """A hundred kills of one folder in each of twenty parts; each start finishes what was left."""
    await _kill_often(nursery, data_dir, pack, tally, range(shard * RUNS, shard * RUNS + RUNS))


async def _kill_often(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally, seeds: range
) -> None:
    for seed in seeds:
        plan = {"data_dir": str(data_dir), "pack": str(pack), "place": "whenever"}
        assert nursery.run({**plan, "story": "race", "seed": seed}).is_killed
        tally.add("kills at random, in a race")
        _assert_nothing_twice(data_dir)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        await opened.recover()
        assert (await audit(opened.box.database, {})).report.faults == ()
    _assert_nothing_twice(data_dir)
    standing = dict(sql(data_dir, "select event_id, standing from decision"))
    acknowledged = (data_dir / ACKNOWLEDGED).read_text("utf-8").split()
    assert acknowledged
    assert set(acknowledged) <= set(standing)
    assert set(standing.values()) <= {"recorded", "waiting"}
    waiting = "select count(*) from decision where standing = 'waiting'"
    pending = "select count(*) from ledger_action where state = 'pending'"
    assert sql(data_dir, waiting) == sql(data_dir, pending)
    tally.add("events acknowledged in a race", len(set(acknowledged)))


def _assert_nothing_twice(data_dir: Path) -> None:
    ran = Counter(
        str(each["action_id"]) for each in effects(data_dir) if each["action"] != "read_gauge"
    )
    assert set(ran.values()) <= {1}
    query = "select action_id, state from ledger_action where action <> 'read_gauge'"
    states = {str(action): str(state) for action, state in sql(data_dir, query)}
    assert set(ran) <= {each for each, state in states.items() if state in RAN}
    assert {each for each, state in states.items() if state == "succeeded"} <= set(ran)
    assert sql(data_dir, HALVES) == []


RAN = ("started", "succeeded", "unknown")
