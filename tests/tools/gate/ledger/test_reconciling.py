"""What a crash left started is settled by what can be known of it, and never guessed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from state.approval import LedgerAction
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, proposal, sql, yes
from tests.safety.valves import TARGETS, effects, effects_inside, write_valves
from tests.tools.gate.ledger.ageing import age
from tests.tools.gate.ledger.clicking import click
from tools.gate.ledger.ledger import Ledger

LEFT = "update ledger_action set state = 'started', owner = 'another', fence = 1, lease_until = ?"
LONG_AGO, FAR_AHEAD = 1.0, 4e9
IDEMPOTENT = (
    'handler: "handlers:label_valve"',
    'handler: "handlers:label_valve"\n    idempotent: true',
)


class Killed(Exception):
    """The process ends here."""


@pytest.mark.parametrize("lease", [LONG_AGO, None])
async def test_a_blind_one_becomes_unknown_once_its_lease_is_over(
    ledger: Ledger, data_dir: Path, lease: float | None
) -> None:
    approved = await _approved(ledger)
    sql(data_dir, LEFT, (lease,))
    [settled] = await ledger.executing.reconcile()
    assert (settled.action_id, settled.state) == (approved.action_id, "unknown")
    assert await ledger.executing.reconcile() == ()
    assert effects(data_dir) == []


async def test_one_whose_lease_runs_is_left_alone(ledger: Ledger, data_dir: Path) -> None:
    approved = await _approved(ledger)
    sql(data_dir, LEFT, (FAR_AHEAD,))
    assert await ledger.executing.reconcile() == ()
    assert (await ledger.execute(approved.action_id)).state == "started"
    assert effects(data_dir) == []


async def test_after_a_start_nobody_elses_lease_counts(ledger: Ledger, data_dir: Path) -> None:
    await _approved(ledger)
    sql(data_dir, LEFT, (FAR_AHEAD,))
    [settled] = await ledger.executing.settle_after_crash()
    assert settled.state == "unknown"


@pytest.mark.parametrize(("has_happened", "state"), [(True, "succeeded"), (False, "failed")])
async def test_one_with_a_status_is_asked_what_became_of_it(
    data_dir: Path, tmp_path: Path, has_happened: bool, state: str
) -> None:
    pack = write_valves(tmp_path, *TARGETS["status"])
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        if has_happened:
            _leave_effect(data_dir, approved)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
        outcome = await ledger.execute(approved.action_id)
    assert (settled.state, outcome.state) == (state, state)
    assert len(effects(data_dir)) == int(has_happened)


async def test_one_whose_status_does_not_answer_is_unknown(data_dir: Path, tmp_path: Path) -> None:
    pack = write_valves(tmp_path, *TARGETS["status"])
    async with opened_ledger(data_dir, pack) as ledger:
        approved = await _approved(ledger)
        folder = data_dir / "packs" / "aurora"
        folder.mkdir(parents=True)
        (folder / "dumb").touch()
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert (settled.action_id, settled.state) == (approved.action_id, "unknown")
    assert "does not answer" in (settled.reason or "")


async def test_a_transactional_one_cannot_have_happened(data_dir: Path, tmp_path: Path) -> None:
    pack = write_valves(tmp_path, *TARGETS["transactional"])
    async with opened_ledger(data_dir, pack) as ledger:
        await _approved(ledger)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert settled.state == "failed"
    assert effects_inside(data_dir / FILE) == []


async def test_a_change_that_takes_keys_is_done_with_the_same_key(
    data_dir: Path, tmp_path: Path
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path, IDEMPOTENT)) as ledger:
        clicked = await click(ledger, valve="V-7")
        asked = proposal("label_valve", decision_id=clicked.decision_id, valve="V-7")
        action_id = (await ledger.propose(asked)).action_id
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
        assert (settled.action_id, settled.state) == (action_id, "succeeded")
    assert [each["action_id"] for each in effects(data_dir)] == [action_id]
    assert sql(data_dir, "select fence from ledger_action") == [(2,)]


async def test_one_that_takes_keys_and_never_ends_is_not_done_for_ever(
    data_dir: Path, tmp_path: Path
) -> None:
    def end_it(name: str) -> None:
        if name == "in_effect":
            raise Killed

    pack = write_valves(tmp_path, IDEMPOTENT)
    async with opened_ledger(data_dir, pack, step=end_it) as ledger:
        clicked = await click(ledger, valve="V-7")
        asked = proposal("label_valve", decision_id=clicked.decision_id, valve="V-7")
        action_id = (await ledger.propose(asked)).action_id
        with pytest.raises(Killed):
            await ledger.execute(action_id)
    for _start in range(4):
        async with opened_ledger(data_dir, pack, step=end_it) as ledger:
            with pytest.raises(Killed):
                await ledger.executing.settle_after_crash()
    async with opened_ledger(data_dir, pack, step=end_it) as ledger:
        [settled] = await ledger.executing.settle_after_crash()
    called = [each["action_id"] for each in effects(data_dir)]
    assert (settled.state, called) == ("unknown", [action_id] * 5)


async def test_a_dangerous_one_is_never_tried_again_even_if_it_takes_keys(
    data_dir: Path, tmp_path: Path
) -> None:
    keyed = 'handler: "handlers:open_valve"'
    pack = write_valves(tmp_path, (keyed, f"{keyed}\n    idempotent: true"))
    async with opened_ledger(data_dir, pack) as ledger:
        await _approved(ledger)
        sql(data_dir, LEFT, (LONG_AGO,))
        [settled] = await ledger.executing.reconcile()
    assert (settled.state, effects(data_dir)) == ("unknown", [])


async def test_under_other_code_nothing_is_concluded(data_dir: Path, tmp_path: Path) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as before:
        await _approved(before)
    sql(data_dir, LEFT, (LONG_AGO,))
    pack = write_valves(tmp_path, *TARGETS["transactional"])
    async with opened_ledger(data_dir, pack) as after:
        [settled] = await after.executing.settle_after_crash()
    assert settled.state == "unknown"


async def test_an_approved_one_that_nobody_starts_is_started(
    ledger: Ledger, data_dir: Path
) -> None:
    approved = await _approved(ledger)
    await ledger.executing.reconcile()
    assert (await ledger.action(approved.action_id)).state == "approved"
    age(data_dir, days=1)
    await ledger.executing.reconcile()
    assert (await ledger.action(approved.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1


async def test_an_end_that_comes_after_it_was_settled_changes_nothing(
    data_dir: Path, pack: Path
) -> None:
    claimed = asyncio.Event()

    def tell(name: str) -> None:
        if name == "after_claim":
            claimed.set()

    async with (
        opened_ledger(data_dir, pack, step=tell, handler_seconds=0.5) as late,
        opened_ledger(data_dir, pack) as other,
    ):
        approved = await _approved(late, note="hang")
        running = asyncio.create_task(late.execute(approved.action_id))
        await claimed.wait()
        sql(data_dir, "update ledger_action set lease_until = 1.0")
        [settled] = await other.executing.reconcile()
        await other.settle(approved.action_id, CAPTAIN, False, "I looked at the valve")
        outcome = await running
        standing = await other.action(approved.action_id)
    assert (settled.state, outcome.state) == ("unknown", "failed")
    assert standing.evidence == "I looked at the valve"


async def test_a_claim_that_slept_too_long_is_not_begun(ledger: Ledger, data_dir: Path) -> None:
    hours = iter(range(0, 36_000, 3_600))
    sleepy = replace(ledger.executing, seconds_now=lambda: float(next(hours)), _under_way={})
    outcome = await sleepy.execute((await _approved(ledger)).action_id)
    assert (outcome.state, effects(data_dir)) == ("failed", [])


def _leave_effect(data_dir: Path, approved: LedgerAction) -> None:
    folder = data_dir / "packs" / "aurora"
    folder.mkdir(parents=True)
    line = f'{{"action_id": "{approved.action_id}", "action": "open_valve"}}\n'
    (folder / "effects.jsonl").write_text(line)


async def _approved(ledger: Ledger, *, note: str | None = None) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
