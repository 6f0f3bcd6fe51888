"""Whatever is done to the ledger past the product is found, and named."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.safety.benches import FILE, opened_ledger, proposal, sql
from tests.tools.gate.ledger.auditing import AT, audited, heads_of, kinds_of
from tools.gate.ledger.hash_chain import Head, seal_message
from tools.storage.seal_key import Seal

NUMBERS = "select seq, number from ledger_entry where tenant_id = 'aurora' order by number"


async def test_what_the_product_wrote_is_whole(busy: Path, pack: Path) -> None:
    report = await audited(busy, pack)
    assert report.faults == ()
    assert report.heads == {"aurora": 15, "borealis": 9}
    assert (report.entries, report.actions) == (24, 6)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("actor", "ingrid"),
        ("event", "rejected"),
        ("body", '{"reason": "as agreed"}'),
        ("at", 1.0),
        ("action_id", "another"),
        ("previous", "0" * 64),
        ("hash", "0" * 64),
    ],
)
async def test_an_edited_entry_is_found(busy: Path, pack: Path, column: str, value: Any) -> None:
    sql(busy, f"update ledger_entry set {column} = ? where {AT}", (value, 4))
    assert (4, True) in {
        (fault.number, fault.kind in ("edited", "inserted", "replaced"))
        for fault in (await audited(busy, pack)).faults
    }


async def test_an_edit_is_named_an_edit(busy: Path, pack: Path) -> None:
    sql(busy, f"update ledger_entry set actor = 'nobody' where {AT}", (4,))
    [fault] = (await audited(busy, pack)).faults
    assert (fault.tenant_id, fault.kind, fault.number) == ("aurora", "edited", 4)


async def test_an_entry_moved_to_another_tenant_is_found_in_both(busy: Path, pack: Path) -> None:
    sql(busy, f"update ledger_entry set tenant_id = 'borealis', number = 10 where {AT}", (15,))
    found = kinds_of(await audited(busy, pack, heads={"aurora": Head(15, "x")}))
    assert {("borealis", "inserted"), ("aurora", "truncated")} <= found


async def test_a_deleted_entry_is_found(busy: Path, pack: Path) -> None:
    sql(busy, f"delete from ledger_entry where {AT}", (4,))
    assert ("aurora", "deleted") in kinds_of(await audited(busy, pack))


async def test_a_deletion_with_the_gap_closed_is_found(busy: Path, pack: Path) -> None:
    sql(busy, f"delete from ledger_entry where {AT}", (4,))
    _shift(busy, after=4, by=-1)
    assert ("aurora", "reordered") in kinds_of(await audited(busy, pack))


async def test_entries_that_changed_places_are_found(busy: Path, pack: Path) -> None:
    for number, place in ((4, -1), (5, 4), (-1, 5)):
        sql(busy, f"update ledger_entry set number = ? where {AT}", (place, number))
    found = [fault for fault in (await audited(busy, pack)).faults if fault.kind == "reordered"]
    assert [(fault.number, fault.says) for fault in found] == [
        (4, "entry 4 was number 5"),
        (5, "entry 5 was number 4"),
    ]


async def test_entries_stored_in_another_order_are_found(busy: Path, pack: Path) -> None:
    seqs = {number: seq for seq, number in sql(busy, NUMBERS)}
    for seq, place in ((seqs[4], -1), (seqs[5], seqs[4]), (-1, seqs[5])):
        sql(busy, "update ledger_entry set seq = ? where seq = ?", (place, seq))
    assert ("aurora", "reordered") in kinds_of(await audited(busy, pack))


async def test_an_entry_put_between_two_is_found(busy: Path, pack: Path) -> None:
    _shift(busy, after=4, by=1)
    _put(busy, 5)
    assert ("aurora", "inserted") in kinds_of(await audited(busy, pack))


async def test_an_entry_put_at_the_end_is_found(busy: Path, pack: Path) -> None:
    _put(busy, 16)
    [fault] = (await audited(busy, pack)).faults
    assert (fault.number, fault.kind in ("inserted", "edited")) == (16, True)


async def test_an_entry_without_a_place_is_found(busy: Path, pack: Path) -> None:
    _put(busy, None)
    assert ("aurora", "unnumbered") in kinds_of(await audited(busy, pack))


@pytest.mark.parametrize("left", [14, 1, 0])
async def test_a_chain_cut_short_is_found_against_its_head(
    busy: Path, pack: Path, left: int
) -> None:
    heads = await heads_of(busy, pack)
    sql(busy, "delete from ledger_entry where tenant_id = 'aurora' and number > ?", (left,))
    report = await audited(busy, pack, heads=heads)
    assert ("aurora", "truncated") in kinds_of(report)


async def test_a_chain_made_anew_with_another_key_is_found(busy: Path, pack: Path) -> None:
    heads = await heads_of(busy, pack)
    async with opened_ledger(busy, pack) as ledger:
        seal = ledger.database.seal
    forged = Seal(b"another key that is long enough!")
    assert forged.key != seal.key
    _seal_anew(busy, forged)
    found = kinds_of(await audited(busy, pack, heads=heads))
    assert {("aurora", "inserted"), ("aurora", "replaced")} & found


async def test_what_stood_there_before_the_chain_is_sealed_with_its_start(
    data_dir: Path, pack: Path
) -> None:
    columns = "(tenant_id, action_id, at, actor, event, body)"
    old = f"insert into ledger_entry {columns} values ('aurora', 'old', 1.5, ?, 'yes', '{{}}')"
    for actor in ("ingrid", "sven"):
        sql(data_dir, old, (actor,))
    async with opened_ledger(data_dir, pack) as ledger:
        await ledger.propose(proposal())
    assert {each[1] for each in kinds_of(await audited(data_dir, pack))} == {"orphan"}
    sql(data_dir, "drop trigger ledger_entry_stays_on_update")
    sql(data_dir, "update ledger_entry set actor = 'olav' where actor = 'sven'")
    assert ("aurora", "replaced") in kinds_of(await audited(data_dir, pack))


def _shift(data_dir: Path, *, after: int, by: int) -> None:
    moved = "update ledger_entry set number = number + ? where tenant_id = 'aurora' and number > ?"
    sql(data_dir, moved, (1000, after))  # the index is unique at every moment
    sql(data_dir, moved, (by - 1000, 1000))


def _put(data_dir: Path, number: int | None) -> None:
    """Put an entry there as well as one can without the key."""
    before = (
        [
            row[0]
            for row in sql(data_dir, f"select hash from ledger_entry where {AT}", (number - 1,))
        ]
        if number
        else [None]
    )
    sql(
        data_dir,
        "insert into ledger_entry (tenant_id, action_id, at, actor, event, body, number, previous,"
        " hash) select 'aurora', action_id, 2e9, 'ingrid', 'yes', '{}', ?, ?, ? from ledger_action"
        " where rowid = 1",
        (number, before[0], "f" * 64 if number else None),
    )


def _seal_anew(data_dir: Path, seal: Seal) -> None:
    with closing(sqlite3.connect(data_dir / FILE)) as connection, connection:
        last = ""
        rows = connection.execute(
            "select seq, number, action_id, at, actor, event, body from ledger_entry"
            " where tenant_id = 'aurora' order by number"
        ).fetchall()
        for seq, number, action, at, actor, event, body in rows:
            sealed = seal.over(seal_message("aurora", number, last, action, at, actor, event, body))
            connection.execute(
                "update ledger_entry set previous = ?, hash = ? where seq = ?", (last, sealed, seq)
            )
            last = sealed
