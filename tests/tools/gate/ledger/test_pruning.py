"""Old and ended actions go from the front; the chain still holds, and nothing open goes."""

from pathlib import Path

import pytest

from state.principal import Principal
from state.retention import Pruned
from tests.safety.benches import CAPTAIN, STRANGER, proposal, sql, yes
from tests.tools.gate.ledger.ageing import age
from tests.tools.gate.ledger.auditing import audited, heads_of
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.maintenance import LedgerPruner

TRIGGERS = "select name, sql from sqlite_master where type = 'trigger' order by name"


async def test_what_ended_long_ago_goes_and_the_rest_is_whole(
    ledger: Ledger, data_dir: Path, pack: Path
) -> None:
    for number in range(4):
        await _done(ledger, f"d-{number}")
    await _done(ledger, "d-9", requester=STRANGER)
    age(data_dir, days=40, up_to=2)
    heads = await heads_of(data_dir, pack)
    guards = sql(data_dir, TRIGGERS)
    pruned = await LedgerPruner(ledger.database).prune(30)
    assert pruned == Pruned(ledger_actions=3, ledger_entries=15)
    assert sql(data_dir, "select count(*) from ledger_action") == [(2,)]
    assert sql(data_dir, "select count(*) from ledger_approval") == [(2,)]
    assert sql(data_dir, TRIGGERS) == guards
    report = await audited(data_dir, pack, heads=heads)
    assert (report.faults, report.heads) == ((), {"aurora": 20, "borealis": 5})


async def test_the_chain_goes_on_after_everything_was_let_go(
    ledger: Ledger, data_dir: Path, pack: Path
) -> None:
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    heads = await heads_of(data_dir, pack)
    await LedgerPruner(ledger.database).prune(30)
    assert sql(data_dir, "select count(*) from ledger_entry") == [(0,)]
    await _done(ledger, "d-1")
    report = await audited(data_dir, pack, heads=heads)
    assert (report.faults, report.heads) == ((), {"aurora": 10})


async def test_what_is_pruned_and_then_cut_is_still_found(
    ledger: Ledger, data_dir: Path, pack: Path
) -> None:
    for number in range(3):
        await _done(ledger, f"d-{number}")
    age(data_dir, days=40, up_to=1)
    await LedgerPruner(ledger.database).prune(30)
    sql(data_dir, "drop trigger ledger_entry_stays_on_delete")
    sql(data_dir, "delete from ledger_entry where number = 6")
    assert "deleted" in {fault.kind for fault in (await audited(data_dir, pack)).faults}


@pytest.mark.parametrize("state", ["proposed", "pending", "approved", "started", "unknown"])
async def test_nothing_behind_an_open_one_goes(ledger: Ledger, data_dir: Path, state: str) -> None:
    await _done(ledger, "d-0")
    held = await ledger.propose(proposal(decision_id="d-1", valve="V-102"))
    sql(
        data_dir,
        "update ledger_action set state = ? where action_id = ?",
        (state, held.action_id),
    )
    await _done(ledger, "d-2")
    age(data_dir, days=40)
    assert await LedgerPruner(ledger.database).prune(30) == Pruned(
        ledger_actions=1, ledger_entries=5
    )


async def test_an_action_goes_whole_or_not_at_all(ledger: Ledger, data_dir: Path) -> None:
    first = await ledger.propose(proposal(decision_id="d-0", valve="V-100"))
    await _done(ledger, "d-1")
    held = await ledger.propose(proposal(decision_id="d-2", valve="V-102"))
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    age(data_dir, days=40)
    assert held.state == "pending"
    assert await LedgerPruner(ledger.database).prune(30) == Pruned()


async def test_a_trial_counts_and_changes_nothing(ledger: Ledger, data_dir: Path) -> None:
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    pruning = LedgerPruner(ledger.database)
    trial = await pruning.prune(30, is_trial=True)
    assert trial == Pruned(ledger_actions=1, ledger_entries=5)
    assert sql(data_dir, "select count(*) from ledger_entry") == [(5,)]
    assert await pruning.prune(30) == trial


async def test_no_days_keep_everything(ledger: Ledger, data_dir: Path) -> None:
    await _done(ledger, "d-0")
    age(data_dir, days=4000)
    assert await LedgerPruner(ledger.database).prune(0) == Pruned()


async def test_many_go_in_several_transactions(
    ledger: Ledger, data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.gate.ledger.maintenance.AT_ONCE", 7)
    for number in range(4):
        await _done(ledger, f"d-{number}")
    age(data_dir, days=40)
    pruned = await LedgerPruner(ledger.database).prune(30)
    assert pruned == Pruned(ledger_actions=4, ledger_entries=20)
    assert (await audited(data_dir, pack)).faults == ()


async def test_a_fault_midway_leaves_everything_and_every_guard(
    ledger: Ledger, data_dir: Path
) -> None:
    await _done(ledger, "d-0")
    age(data_dir, days=40)
    guards = sql(data_dir, TRIGGERS)
    sql(
        data_dir,
        "create trigger no before insert on ledger_anchor begin select raise(abort, 'x'); end",
    )
    with pytest.raises(Exception, match="x"):
        await LedgerPruner(ledger.database).prune(30)
    sql(data_dir, "drop trigger no")
    assert sql(data_dir, TRIGGERS) == guards
    assert sql(data_dir, "select count(*) from ledger_entry") == [(5,)]


async def _done(ledger: Ledger, decision_id: str, requester: Principal = CAPTAIN) -> None:
    shown = await ledger.propose(proposal(decision_id=decision_id, requester=requester))
    shown = await ledger.decide(shown.action_id, yes(shown), requester)
    await ledger.execute(shown.action_id)
