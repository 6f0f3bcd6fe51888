"""Two processes on one file: the second service is refused, and two ledgers run nothing twice."""

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest

from state.errors import Busy
from tests.safety.benches import opened_ledger, proposal, sql
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects
from tools.gate.ledger.audit import audit


async def test_a_second_service_on_one_folder_is_refused(data_dir: Path, pack: Path) -> None:
    async with opened_executive(data_dir, pack):
        with pytest.raises(Busy):
            async with opened_executive(data_dir, pack):
                pass


LET_IN = 100
"""SQLite's lock is not fair: of fewer actions one process may well take them all."""


@pytest.mark.parametrize(
    "count", [pytest.param(20, id="20"), pytest.param(500, id="500", marks=pytest.mark.torture)]
)
async def test_eight_clients_of_two_processes_run_each_action_once_or_never(
    nursery: Nursery, data_dir: Path, pack: Path, tmp_path: Path, count: int
) -> None:
    async with opened_ledger(data_dir, pack) as ledger:
        for number in range(count):
            asked = proposal(decision_id=f"d-{number}", valve=f"V-{number}")
            who = asked.requester.model_copy(update={"user": f"amir-{number // 20}"})
            await ledger.propose(asked.model_copy(update={"requester": who}))
    meeting = tmp_path / "meeting"
    os.mkfifo(meeting)
    plan = {"what": "vote", "data_dir": str(data_dir), "pack": str(pack), "meeting": str(meeting)}
    with Nursery() as other:
        ends = await asyncio.gather(
            asyncio.to_thread(nursery.run, {**plan, "seed": 0}),
            asyncio.to_thread(other.run, {**plan, "seed": 4}),
        )
    assert [(each.signal, each.code) for each in ends] == [(0, 0)] * 2
    async with opened_ledger(data_dir, pack) as ledger:
        assert (await audit(ledger.database, {})).report.faults == ()
    states = dict(sql(data_dir, "select action_id, state from ledger_action"))
    assert len(states) == count
    assert set(states.values()) == {"succeeded", "rejected"}
    ran = Counter(str(each["action_id"]) for each in effects(data_dir))
    assert set(ran.values()) == {1}
    assert set(ran) == {each for each, state in states.items() if state == "succeeded"}
    if count > LET_IN:
        owners = sql(data_dir, "select count(distinct owner) from ledger_action where fence = 1")
        assert owners == [(2,)], "only one of the two ever came first"
