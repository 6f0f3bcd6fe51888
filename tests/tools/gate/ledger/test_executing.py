"""An approved action runs once, exactly as approved, or it does not run."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.errors import Busy, NotFound
from tests.safety.benches import (
    CAPTAIN,
    FILE,
    PERMISSIVE,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tools.gate.ledger.ledger import Ledger


async def test_a_yes_runs_it_once_however_often_it_is_asked_for(
    ledger: Ledger, data_dir: Path
) -> None:
    approved = await _approved(ledger)
    first = await ledger.execute(approved.action_id)
    again = [await ledger.execute(approved.action_id) for _ in range(3)]
    assert (first.state, first.executed_now, first.text) == ("succeeded", True, "open_valve done")
    assert {(each.state, each.executed_now, each.text) for each in again} == {
        ("succeeded", False, "open_valve done")
    }
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize("action", PERMISSIVE)
async def test_what_runs_is_what_was_approved(ledger: Ledger, data_dir: Path, action: str) -> None:
    shown = await ledger.propose(proposal(action, requester=CAPTAIN))
    for user in ("sven", "tove"):
        if shown.state == "pending":
            person = CAPTAIN.model_copy(update={"user": user})
            shown = await ledger.decide(shown.action_id, yes(shown), person)
    await ledger.execute(shown.action_id)
    [done] = effects(data_dir)
    assert done["action"] == action
    assert {k: v for k, v in done["arguments"].items() if v is not None} == PERMISSIVE[action]


async def test_asked_for_at_once_by_many_it_runs_once(ledger: Ledger, data_dir: Path) -> None:
    approved = await _approved(ledger)
    outcomes = await asyncio.gather(*(ledger.execute(approved.action_id) for _ in range(8)))
    assert sorted(each.executed_now for each in outcomes) == [False] * 7 + [True]
    assert {each.state for each in outcomes} == {"succeeded"}
    assert len(effects(data_dir)) == 1


async def test_two_processes_run_it_once(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        approved = await _approved(one)
        outcomes = await asyncio.gather(
            *(ledger.execute(approved.action_id) for ledger in (one, two, one, two))
        )
        assert [each.executed_now for each in outcomes].count(True) == 1
        assert len(effects(data_dir)) == 1
        assert (await two.execute(approved.action_id)).state == "succeeded"


@pytest.mark.parametrize("state", ["pending", "rejected", "expired", "superseded", "unknown"])
async def test_without_a_standing_yes_nothing_runs(
    ledger: Ledger, data_dir: Path, state: str
) -> None:
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (state,))
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, outcome.executed_now, effects(data_dir)) == (state, False, [])


async def test_an_id_that_is_not_there_is_not_found(ledger: Ledger) -> None:
    with pytest.raises(NotFound):
        await ledger.execute("00000000-0000-0000-0000-000000000000")


async def test_a_refusal_of_the_handler_is_told_and_final(ledger: Ledger, data_dir: Path) -> None:
    approved = await _approved(ledger, note="refuse")
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.reason) == ("failed", "the valve is locked")
    await ledger.execute(approved.action_id)
    assert effects(data_dir) == []


@pytest.mark.parametrize("note", ["break", "nonsense"])
async def test_a_handler_that_breaks_leaves_unknown_and_is_never_tried_again(
    ledger: Ledger, data_dir: Path, note: str
) -> None:
    approved = await _approved(ledger, note=note)
    outcomes = [await ledger.execute(approved.action_id) for _ in range(2)]
    assert [each.state for each in outcomes] == ["unknown", "unknown"]
    assert len(effects(data_dir)) == 1


async def test_a_handler_that_hangs_leaves_unknown(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack, handler_seconds=0.05) as ledger:
        approved = await _approved(ledger, note="hang")
        assert (await ledger.execute(approved.action_id)).state == "unknown"
        assert len(effects(data_dir)) == 1


async def test_a_read_that_breaks_has_failed(ledger: Ledger) -> None:
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-500"))
    assert (await ledger.execute(frozen.action_id)).state == "failed"


async def test_a_caller_that_goes_away_does_not_stop_it(data_dir: Path, pack: Path) -> None:
    claimed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(name: str) -> None:
        if name == "after_claim":
            loop.call_soon(claimed.set)

    async with opened_ledger(data_dir, pack, step=tell) as ledger:
        approved = await _approved(ledger)
        caller = asyncio.create_task(ledger.execute(approved.action_id))
        await claimed.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        outcome = await ledger.execute(approved.action_id)
        assert (outcome.state, len(effects(data_dir))) == ("succeeded", 1)


async def test_what_another_process_left_started_becomes_unknown(
    data_dir: Path, pack: Path
) -> None:
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        read = await ledger.propose(proposal("read_gauge", gauge="G-1"))
        sql(data_dir, "update ledger_action set state = 'started', owner = 'another', fence = 1")
        settled = await ledger.executing.settle_after_crash()
        assert {each.action_id: each.state for each in settled} == {
            approved.action_id: "unknown",
            read.action_id: "approved",
        }
        assert await ledger.executing.settle_after_crash() == ()
        assert (await ledger.execute(approved.action_id)).state == "unknown"
        assert (await ledger.execute(read.action_id)).state == "succeeded"
        assert [each["action"] for each in effects(data_dir)] == ["read_gauge"]


async def test_a_running_action_of_ours_is_not_taken_for_a_crash(
    data_dir: Path, pack: Path
) -> None:
    claimed = asyncio.Event()

    def tell(name: str) -> None:
        if name == "after_claim":
            claimed.set()

    async with opened_ledger(data_dir, pack, step=tell) as ledger:
        approved = await _approved(ledger, note="hang")
        running = asyncio.create_task(ledger.execute(approved.action_id))
        await claimed.wait()
        assert await ledger.executing.settle_after_crash() == ()
        assert (await ledger.action(approved.action_id)).state == "started"
        ledger.executing._under_way[approved.action_id].cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_worker_that_wakes_up_late_does_not_overwrite_the_end(
    data_dir: Path, pack: Path
) -> None:
    def settled_meanwhile(name: str) -> None:
        if name == "after_effect":
            sql(data_dir, "update ledger_action set state = 'unknown', fence = fence + 1")

    async with opened_ledger(data_dir, pack, step=settled_meanwhile) as ledger:
        approved = await _approved(ledger)
        assert (await ledger.execute(approved.action_id)).state == "unknown"


async def test_an_end_that_could_not_be_written_down_is_unknown(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(data_dir / FILE)) as other:

        def held_by_somebody_else(name: str) -> None:
            if name == "after_effect":
                other.execute("begin immediate")

        async with opened_ledger(data_dir, pack, step=held_by_somebody_else) as ledger:
            approved = await _approved(ledger)
            with pytest.raises(Busy):
                await ledger.execute(approved.action_id)
            other.rollback()
            assert (await ledger.execute(approved.action_id)).state == "unknown"
            assert len(effects(data_dir)) == 1


async def test_without_a_committed_claim_nothing_runs(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        with closing(sqlite3.connect(data_dir / FILE)) as other:
            other.execute("begin immediate")
            with pytest.raises(Busy):
                await ledger.execute(approved.action_id)
            assert effects(data_dir) == []
            other.rollback()
        assert (await ledger.execute(approved.action_id)).state == "succeeded"
        assert len(effects(data_dir)) == 1


async def test_a_handler_works_in_its_tenants_folder_of_the_packs(
    ledger: Ledger, data_dir: Path
) -> None:
    await ledger.execute((await _approved(ledger)).action_id)
    assert (data_dir / "packs" / "aurora" / "effects.jsonl").exists()


async def test_a_no_after_the_effect_comes_too_late(ledger: Ledger, data_dir: Path) -> None:
    approved = await _approved(ledger)
    await ledger.execute(approved.action_id)
    with pytest.raises(Exception, match="already"):
        await ledger.decide(approved.action_id, no(approved), CAPTAIN)
    assert (await ledger.action(approved.action_id)).state == "succeeded"


async def _approved(ledger: Ledger, *, note: str | None = None) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
