"""A process that was stopped and wakes up late finds its place taken."""

import shutil
from pathlib import Path

import pytest

from state.errors import Busy
from tests.safety.benches import CAPTAIN, opened_ledger, sql
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects

FEW, MANY = 1, 100


@pytest.mark.parametrize("place", ["after_claim", "in_effect"])
async def test_a_zombie_changes_nothing_that_was_settled(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, place: str
) -> None:
    await _stop_settle_and_wake(nursery, fresh, pack, tmp_path, place, FEW)


@pytest.mark.torture
@pytest.mark.parametrize("place", ["after_claim", "in_effect"])
async def test_a_hundred_zombies_change_nothing_that_was_settled(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, place: str
) -> None:
    await _stop_settle_and_wake(nursery, fresh, pack, tmp_path, place, MANY)
    print(f"stopped {MANY} times {place}: nothing twice, nothing overwritten")


async def _stop_settle_and_wake(
    nursery: Nursery, fresh: Path, pack: Path, folder: Path, place: str, times: int
) -> None:
    for turn in range(times):
        data_dir = shutil.copytree(fresh, folder / f"data-{turn}")
        plan = {"data_dir": str(data_dir), "pack": str(pack), "place": place, "by": "SIGSTOP"}
        stopped = nursery.run(plan)
        assert stopped.is_stopped
        with pytest.raises(Busy):  # it holds the folder, so no service starts beside it
            async with opened_executive(data_dir, pack):
                pass
        sql(data_dir, "update ledger_action set lease_until = 1.0")
        async with opened_ledger(data_dir, pack) as other:
            [settled] = await other.executing.reconcile()
            assert settled.state == "unknown"
            await other.settle(settled.action_id, CAPTAIN, False, "looked at it")
            assert nursery.wake(stopped).code == 0
            told = await other.action(settled.action_id)
        assert (told.state, told.settled_by) == ("failed", "ingrid")
        assert len(effects(data_dir)) == 1
        async with opened_executive(data_dir, pack) as opened:
            await opened.recover()
        assert len(effects(data_dir)) == 1
        shutil.rmtree(data_dir)
