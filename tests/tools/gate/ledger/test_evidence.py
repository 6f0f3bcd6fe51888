"""Whoever can write to the database cannot write a yes: it takes the key, which is not in it."""

from pathlib import Path

from tests.safety.benches import proposal, sql
from tests.safety.valves import effects
from tools.gate.ledger.ledger import Ledger


async def test_a_yes_that_another_hand_wrote_is_none(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal())
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'ingrid', 'approve', ?, 'approve', 1.0)",
        (shown.action_id, shown.digest),
    )
    sql(data_dir, "update ledger_action set state = 'approved', decided_by = 'ingrid'")
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, "no yes stands" in (outcome.reason or "")) == ("stale", True)
    assert effects(data_dir) == []


async def test_a_yes_with_an_entry_sealed_by_nobody_is_none(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal())
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'ingrid', 'approve', ?, 'approve', 1.0)",
        (shown.action_id, shown.digest),
    )
    sql(
        data_dir,
        "insert into ledger_entry (tenant_id, action_id, at, actor, event, body, number, previous,"
        " hash) select tenant_id, action_id, at, 'ingrid', 'yes', '{}', number + 1, hash, ?"
        " from ledger_entry order by number desc limit 1",
        ("0" * 64,),
    )
    sql(data_dir, "update ledger_action set state = 'approved'")
    assert (await ledger.execute(shown.action_id)).state == "stale"
    assert effects(data_dir) == []
