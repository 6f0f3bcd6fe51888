"""A yes is for what was shown: once anything about it has changed, it is for nothing."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.approval import LedgerAction
from tests.safety.benches import (
    CAPTAIN,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tools.gate.ledger.ledger import Ledger
from tools.platform.clock import VirtualClock


async def test_a_row_set_to_approved_without_a_vote_does_not_run(
    ledger: Ledger, data_dir: Path
) -> None:
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = 'approved'")
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, effects(data_dir)) == ("stale", [])


async def test_a_vote_for_another_digest_does_not_count(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal())
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'ingrid', 'approve', 'x', 'approve', 1.0)",
        (shown.action_id,),
    )
    sql(data_dir, "update ledger_action set state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("arguments", '{"valve": "V-999"}'),
        ("action", "buy_pump"),
        ("tenant_id", "borealis"),
        ("execution_class", "A"),
        ("quorum", 2),
    ],
)
async def test_a_row_changed_on_disk_after_its_approval_does_not_run(
    ledger: Ledger, data_dir: Path, column: str, value: object
) -> None:
    approved = await _approved(ledger)
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {column} = ?", (value,))
    assert (await ledger.execute(approved.action_id)).state == "stale"
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    "change",
    [
        ("  open_valve:\n", "  open_sluice:\n"),
        ('handler: "handlers:open_valve"', 'handler: "handlers:close_valve"'),
        ("turns: {type: integer}", "turns: {type: text}"),
        ("approvers: {roles: [engineer, captain]}", "approvers: {roles: [captain]}"),
        ("    roles: [engineer, captain]\n", "    roles: [captain]\n"),
        ("effect: destructive", "effect: financial"),
        ('summary: "Open valve', 'summary: "Close valve'),
    ],
)
async def test_a_changed_catalogue_makes_an_approval_stale(
    data_dir: Path, tmp_path: Path, change: tuple[str, str]
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as before:
        approved = await _approved(before)
    async with opened_ledger(data_dir, write_valves(tmp_path, change)) as after:
        outcome = await after.execute(approved.action_id)
        again = await after.execute(approved.action_id)
    assert (outcome.state, outcome.executed_now, again.state) == ("stale", False, "stale")
    assert effects(data_dir) == []


async def test_an_approval_that_was_not_started_in_time_expires(
    ledger: Ledger, data_dir: Path
) -> None:
    approved = await _approved(ledger)
    sql(data_dir, "update ledger_action set expires_at = 1.0")
    assert (await ledger.execute(approved.action_id)).state == "expired"
    assert (await ledger.execute(approved.action_id)).state == "expired"
    assert effects(data_dir) == []


@pytest.mark.parametrize("year", [1980, 2190])
async def test_a_wrong_clock_of_the_process_moves_no_deadline(
    data_dir: Path, pack: Path, year: int
) -> None:
    clock = VirtualClock(datetime(year, 1, 1, tzinfo=UTC))
    async with opened_ledger(data_dir, pack, clock=clock) as ledger:
        approved = await _approved(ledger)
        assert (await ledger.execute(approved.action_id)).state == "succeeded"


async def _approved(ledger: Ledger, *, note: str | None = None) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
