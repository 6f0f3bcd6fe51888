"""A process that was stopped and wakes up late finds its place taken."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest

from state.errors import Busy
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, sql
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import TARGETS, effects, effects_inside, write_valves
from tests.torture.counts import few_or_many
from tools.gate.ledger.claim import BEGIN_WITHIN_SECONDS

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


@dataclass(frozen=True)
class Other:
    """A target that can be asked, or our own store: where it stops, and what is then the truth."""

    target: str
    place: str
    state: str
    effects: int


OTHERS = (
    Other("status", "in_effect", "succeeded", 1),
    Other("transactional", "after_claim", "failed", 0),
)


@few_or_many(1, 100)
@pytest.mark.parametrize("other", OTHERS, ids=lambda other: other.target)
async def test_a_zombie_finds_its_end_told_by_the_target(
    nursery: Nursery, fresh: Path, tmp_path: Path, other: Other, count: int
) -> None:
    pack = write_valves(tmp_path, *TARGETS[other.target])
    for turn in range(count):
        data_dir = shutil.copytree(fresh, tmp_path / f"data-{turn}")
        plan = {"data_dir": str(data_dir), "pack": str(pack), "place": other.place}
        stopped = nursery.run({**plan, "by": "SIGSTOP"})
        assert stopped.is_stopped
        sql(data_dir, "update ledger_action set lease_until = 1.0")
        async with opened_ledger(data_dir, pack) as ledger:
            [settled] = await ledger.executing.reconcile()
            assert settled.state == other.state
            assert nursery.wake(stopped).code == 0
            now = await ledger.action(settled.action_id)
            assert now.model_copy(update={"request": None}) == settled
        done = len(effects(data_dir)) + len(effects_inside(data_dir / FILE))
        assert done == other.effects
        shutil.rmtree(data_dir)


@pytest.mark.torture
async def test_a_claim_that_was_stopped_for_longer_than_it_may_wait_is_not_begun(
    nursery: Nursery, data_dir: Path, pack: Path
) -> None:
    plan = {"data_dir": str(data_dir), "pack": str(pack), "place": "after_claim"}
    stopped = nursery.run({**plan, "by": "SIGSTOP"})
    assert stopped.is_stopped
    Event().wait(BEGIN_WITHIN_SECONDS + 1)  # the time has to pass for a process that stands still
    assert nursery.wake(stopped).code == 0
    assert sql(data_dir, "select state from ledger_action") == [("failed",)]
    assert effects(data_dir) == []


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
