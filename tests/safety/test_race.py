"""Many clients answer the same questions at once, over HTTP: each is answered once, run once."""

import asyncio
import os
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import httpx
import pytest

from graph.executive import Executive
from state.approval import LedgerAction
from state.errors import Busy
from tests.safety.benches import CAPTAIN, ENGINEER, FILE, opened_ledger, proposal, sql
from tests.safety.executives import Opened, opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import TARGETS, effects, effects_inside, write_valves
from tests.torture.counts import few_or_many
from tests.torture.serving import served
from tools.gate.ledger.audit import audit
from tools.gate.ledger.claim import BEGIN_WITHIN_SECONDS

CLIENTS = 8


@pytest.mark.parametrize(
    "count", [pytest.param(40, id="40"), pytest.param(500, id="500", marks=pytest.mark.torture)]
)
async def test_eight_clients_who_all_approve_run_each_action_once(
    data_dir: Path, pack: Path, count: int
):
    async with opened_executive(data_dir, pack) as opened:
        shown = [await _asked(opened, n) for n in range(count)]
        answers = await _race(opened.executive, shown, ["approve"] * CLIENTS)
        states = [await opened.executive.approvals.get(each.action_id, "aurora") for each in shown]
    assert Counter(status for status, _state in answers) == {200: count, 409: count * 7}
    assert {state for status, state in answers if status == 200} == {"succeeded"}
    assert {each.state for each in states} == {"succeeded"}
    assert sorted(_effects(data_dir)) == sorted(each.action_id for each in shown)
    assert sql(data_dir, "select distinct standing, outcome from decision") == [
        ("recorded", "executed")
    ]


@pytest.mark.parametrize(
    "count", [pytest.param(20, id="20"), pytest.param(200, id="200", marks=pytest.mark.torture)]
)
async def test_of_a_yes_and_a_no_at_once_one_counts_and_is_what_happens(
    data_dir: Path, pack: Path, count: int
):
    async with opened_executive(data_dir, pack) as opened:
        shown = [await _asked(opened, n) for n in range(count)]
        answers = await _race(opened.executive, shown, ["approve", "reject"] * (CLIENTS // 2))
        states = {
            each.action_id: (await opened.executive.approvals.get(each.action_id, "aurora")).state
            for each in shown
        }
    assert Counter(status for status, _state in answers) == {200: count, 409: count * 7}
    assert set(states.values()) <= {"succeeded", "rejected"}
    done = sorted(_effects(data_dir))
    assert done == sorted(action for action, state in states.items() if state == "succeeded")
    outcomes = Counter(outcome for (outcome,) in sql(data_dir, "select outcome from decision"))
    assert outcomes == Counter(
        {"succeeded": "executed", "rejected": "refused"}[state] for state in states.values()
    )


async def _race(
    executive: Executive, shown: Sequence[LedgerAction], decisions: Sequence[str]
) -> list[tuple[int, str | None]]:
    """Let a client a decision answer everything, each in an order of its own."""
    keys = [await executive.keys.make(who) for who in (ENGINEER, CAPTAIN)]
    async with served(executive) as address, AsyncExitStack() as stack:

        async def answer_all(number: int, decision: str) -> list[tuple[int, str | None]]:
            client = await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=address,
                    headers={"Authorization": f"Bearer {keys[number % 2]}"},
                    timeout=60,
                )
            )
            order = random.Random(number // 2).sample(list(shown), len(shown))
            answers = []
            for each in order:
                body = {"decision": decision, "digest": each.digest}
                response = await client.post(f"/v1/approvals/{each.action_id}", json=body)
                answers.append((response.status_code, response.json().get("state")))
            return answers

        clients = (answer_all(number, decision) for number, decision in enumerate(decisions))
        return [answer for answers in await asyncio.gather(*clients) for answer in answers]


def _effects(data_dir: Path) -> list[str]:
    return [each["action_id"] for each in effects(data_dir)]


async def _asked(opened: Opened, number: int) -> LedgerAction:
    # By several: one person's questions would wait in a queue.
    return await opened.asked(f"open valve V-{number}", f"e-{number}", user=f"amir-{number // 20}")


# Two processes on one file: the second service is refused, and two ledgers run nothing twice.


async def test_a_second_service_on_one_folder_is_refused(data_dir: Path, pack: Path):
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
):
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


# A process that was stopped and wakes up late finds its place taken.

FEW, MANY = 1, 100


@pytest.mark.parametrize("place", ["after_claim", "in_effect"])
async def test_a_zombie_changes_nothing_that_was_settled(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, place: str
):
    await _stop_settle_and_wake(nursery, fresh, pack, tmp_path, place, FEW)


@pytest.mark.torture
@pytest.mark.parametrize("place", ["after_claim", "in_effect"])
async def test_a_hundred_zombies_change_nothing_that_was_settled(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, place: str
):
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
):
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
):
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
