"""What the rows tell and what the sealed entries tell is held against each other."""

from pathlib import Path

import pytest

from tests.safety.benches import sql
from tests.tools.gate.ledger.auditing import AT, audited, kinds_of
from tools.storage.migrations.versions import r0002_whole_contract
from tools.storage.tables.ledger import FROZEN

VOTE = (
    "(action_id, approver, decision, digest_seen, method, decided_at)"
    " select action_id, 'sven', 'approve', digest, 'approve', 1"
)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("update ledger_action set state = 'rejected' where tenant_id = 'aurora'", "row"),
        ('update ledger_action set arguments = \'{"valve": "V-999"}\' where rowid = 1', "row"),
        ("update ledger_action set digest = 'x' where rowid = 1", "row"),
        ("update ledger_action set execution_class = 'A' where rowid = 1", "row"),
        ('update ledger_action set target_versions = \'{"V": "2"}\' where rowid = 1', "row"),
        ("update ledger_action set policy_version = 'x' where rowid = 1", "row"),
        ('update ledger_action set result = \'{"text": "all well"}\' where rowid = 1', "row"),
        (f"insert into ledger_approval {VOTE} from ledger_action", "vote"),
        ("update ledger_approval set approver = 'sven'", "vote"),
        ("delete from ledger_action where rowid = 1", "orphan"),
    ],
)
async def test_a_row_that_its_entries_do_not_tell_is_found(
    busy: Path, pack: Path, change: str, kind: str
) -> None:
    sql(busy, change)
    assert kind in {fault.kind for fault in (await audited(busy, pack)).faults}


@pytest.mark.parametrize("column", [name for name in FROZEN if name != "action_id"])
async def test_whatever_never_changes_is_missed_when_it_did(
    busy: Path, pack: Path, column: str
) -> None:
    [(before,)] = sql(busy, f"select {column} from ledger_action where rowid = 1")
    changed = {"arguments": '{"valve": "V-9"}', "target_versions": '{"V": "2"}'}
    is_list = isinstance(before, str) and before.startswith("[")
    values = {
        "execution_class": "B",
        "proposed_at": 1.0,
        "quorum": 9,
        "four_eyes": 1 - bool(before),
    }
    other = {**values, **changed}.get(column, '["another"]' if is_list else "another")
    other = '{"text": "another"}' if column == "preview" else other
    sql(busy, f"update ledger_action set {column} = ? where rowid = 1", (other,))
    faults = (await audited(busy, pack)).faults
    assert [fault for fault in faults if "never changes" in fault.says]


def test_what_is_sealed_is_what_the_database_freezes() -> None:
    assert ", ".join(FROZEN) == r0002_whole_contract.FROZEN


async def test_an_action_that_no_entry_knows_is_found(busy: Path, pack: Path) -> None:
    columns = ", ".join(
        str(row[1])
        for row in sql(busy, "pragma table_info(ledger_action)")
        if row[1] != "action_id"
    )
    sql(
        busy,
        f"insert into ledger_action (action_id, {columns})"
        f" select 'new', {columns} from ledger_action where rowid = 1",
    )
    assert ("aurora", "row") in kinds_of(await audited(busy, pack))


async def test_the_faults_of_another_tenant_hide_none_of_ones_own(busy: Path, pack: Path) -> None:
    sql(busy, "delete from ledger_approval")
    for tenant, many in (("aurora", 120), ("borealis", 1)):
        for number in range(many):
            sql(
                busy,
                "insert into ledger_approval select action_id, ?, 'approve', digest, 'approve', 1"
                " from ledger_action where tenant_id = ? limit 1",
                (f"ghost-{number}", tenant),
            )
    report = await audited(busy, pack, tenant="borealis")
    assert kinds_of(report) == {("borealis", "vote")}


async def test_one_tenant_is_verified_alone(busy: Path, pack: Path) -> None:
    sql(busy, f"update ledger_entry set actor = 'nobody' where {AT}", (4,))
    sql(busy, "update ledger_action set state = 'rejected' where tenant_id = 'aurora'")
    assert (await audited(busy, pack, tenant="borealis")).faults == ()
