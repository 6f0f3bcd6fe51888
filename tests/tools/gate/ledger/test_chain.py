"""Whatever is done to the ledger past the product is found, and named."""

import asyncio
import hmac
import sqlite3
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from state.errors import AgentError, BadInput
from tests.safety.benches import (
    CAPTAIN,
    ENGINEER,
    FILE,
    MATE,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tests.tools.gate.ledger.helpers import AT, audited, heads_of, kinds_of
from tools.gate.ledger.hash_chain import Head, seal_message
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.rows import record_entry
from tools.platform.serialization import canonical_json
from tools.storage.migrations.versions import r0002_whole_contract
from tools.storage.seal_key import KEY_FILE, Seal
from tools.storage.tables.ledger import FROZEN

NUMBERS = "select seq, number from ledger_entry where tenant_id = 'aurora' order by number"


async def test_what_the_product_wrote_is_whole(busy: Path, pack: Path):
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
async def test_an_edited_entry_is_found(busy: Path, pack: Path, column: str, value: Any):
    sql(busy, f"update ledger_entry set {column} = ? where {AT}", (value, 4))
    assert (4, True) in {
        (fault.number, fault.kind in ("edited", "inserted", "replaced"))
        for fault in (await audited(busy, pack)).faults
    }


async def test_an_edit_is_named_an_edit(busy: Path, pack: Path):
    sql(busy, f"update ledger_entry set actor = 'nobody' where {AT}", (4,))
    [fault] = (await audited(busy, pack)).faults
    assert (fault.tenant_id, fault.kind, fault.number) == ("aurora", "edited", 4)


async def test_an_entry_moved_to_another_tenant_is_found_in_both(busy: Path, pack: Path):
    sql(busy, f"update ledger_entry set tenant_id = 'borealis', number = 10 where {AT}", (15,))
    found = kinds_of(await audited(busy, pack, heads={"aurora": Head(15, "x")}))
    assert {("borealis", "inserted"), ("aurora", "truncated")} <= found


async def test_a_deleted_entry_is_found(busy: Path, pack: Path):
    sql(busy, f"delete from ledger_entry where {AT}", (4,))
    assert ("aurora", "deleted") in kinds_of(await audited(busy, pack))


async def test_a_deletion_with_the_gap_closed_is_found(busy: Path, pack: Path):
    sql(busy, f"delete from ledger_entry where {AT}", (4,))
    _shift(busy, after=4, by=-1)
    assert ("aurora", "reordered") in kinds_of(await audited(busy, pack))


async def test_entries_that_changed_places_are_found(busy: Path, pack: Path):
    for number, place in ((4, -1), (5, 4), (-1, 5)):
        sql(busy, f"update ledger_entry set number = ? where {AT}", (place, number))
    found = [fault for fault in (await audited(busy, pack)).faults if fault.kind == "reordered"]
    assert [(fault.number, fault.says) for fault in found] == [
        (4, "entry 4 was number 5"),
        (5, "entry 5 was number 4"),
    ]


async def test_entries_stored_in_another_order_are_found(busy: Path, pack: Path):
    seqs = {number: seq for seq, number in sql(busy, NUMBERS)}
    for seq, place in ((seqs[4], -1), (seqs[5], seqs[4]), (-1, seqs[5])):
        sql(busy, "update ledger_entry set seq = ? where seq = ?", (place, seq))
    assert ("aurora", "reordered") in kinds_of(await audited(busy, pack))


async def test_an_entry_put_between_two_is_found(busy: Path, pack: Path):
    _shift(busy, after=4, by=1)
    _put(busy, 5)
    assert ("aurora", "inserted") in kinds_of(await audited(busy, pack))


async def test_an_entry_put_at_the_end_is_found(busy: Path, pack: Path):
    _put(busy, 16)
    [fault] = (await audited(busy, pack)).faults
    assert (fault.number, fault.kind in ("inserted", "edited")) == (16, True)


async def test_an_entry_without_a_place_is_found(busy: Path, pack: Path):
    _put(busy, None)
    assert ("aurora", "unnumbered") in kinds_of(await audited(busy, pack))


@pytest.mark.parametrize("left", [14, 1, 0])
async def test_a_chain_cut_short_is_found_against_its_head(busy: Path, pack: Path, left: int):
    heads = await heads_of(busy, pack)
    sql(busy, "delete from ledger_entry where tenant_id = 'aurora' and number > ?", (left,))
    assert ("aurora", "truncated") in kinds_of(await audited(busy, pack, heads=heads))


async def test_a_chain_made_anew_with_another_key_is_found(busy: Path, pack: Path):
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
):
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


# Each entry is sealed with the one before it, by a key that is not in the database.


async def test_what_is_rolled_back_leaves_no_gap(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as ledger:
        shown = await ledger.propose(proposal())

        def fail(connection: Any) -> None:
            _note(connection, ledger=ledger, action_id=shown.action_id)
            raise OSError("not this time")

        with pytest.raises(OSError, match="not this time"):
            await ledger.database.write(fail)
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    report = await audited(data_dir, pack)
    assert (report.faults, report.heads) == ((), {"aurora": 3})


async def test_two_who_write_continue_one_chain(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        shown = await one.propose(proposal())
        await asyncio.gather(
            *(
                each.database.write(partial(_note, ledger=each, action_id=shown.action_id))
                for each in (one, two) * 20
            )
        )
        assert one.database.seal.key == two.database.seal.key
    report = await audited(data_dir, pack)
    assert (report.faults, report.heads) == ((), {"aurora": 41})


async def test_the_key_stands_beside_the_database_for_its_owner_alone(busy: Path, pack: Path):
    key = busy / KEY_FILE
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_bytes()) == 32
    assert key.read_bytes() not in (busy / FILE).read_bytes()
    assert key.read_bytes().hex().encode() not in (busy / FILE).read_bytes()


def test_what_is_sealed_is_canonical_json():
    action, actor, body = "é\u2028\U0001f600", 'in\n"grid\\\x7f', '{"reason":"a\\u0000b"}'
    at = 1_700_000_000.125
    sealed = seal_message("aurora", 7, "ab", action, at, actor, "yes", body)
    assert sealed == rfc8785.dumps(
        {
            "tenant": "aurora",
            "number": 7,
            "previous": "ab",
            "action": action,
            "at": at,
            "actor": actor,
            "event": "yes",
            "body": body,
        }
    )
    assert b'"at":12,' in seal_message("aurora", 1, "", "a", 12.0, "b", "c", "{}")


def test_the_seal_is_an_hmac():
    key = b"k" * 32
    assert Seal(key).over(b"message") == hmac.new(key, b"message", "sha256").hexdigest()


@pytest.mark.parametrize("text", ["", "no hex", "ab" * 31])
def test_a_key_that_is_none_is_refused(text: str, tmp_path: Path):
    with pytest.raises(BadInput):
        Seal.of_hex(text)
    (tmp_path / KEY_FILE).write_bytes(text.encode())
    with pytest.raises(BadInput):
        Seal.kept_in(tmp_path / KEY_FILE)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
)


@given(json_values)
def test_the_quick_writer_writes_what_the_standard_asks_for(value: Any):
    assert canonical_json(value) == rfc8785.dumps(value)


def _note(connection: Any, *, ledger: Ledger, action_id: str) -> None:
    record_entry(
        connection,
        ledger.database,
        tenant_id="aurora",
        action_id=action_id,
        actor="test",
        event="noted",
    )


# What the rows tell and what the sealed entries tell is held against each other.

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
async def test_a_row_that_its_entries_do_not_tell_is_found(busy: Path, pack: Path, change, kind):
    sql(busy, change)
    assert kind in {fault.kind for fault in (await audited(busy, pack)).faults}


@pytest.mark.parametrize("column", [name for name in FROZEN if name != "action_id"])
async def test_whatever_never_changes_is_missed_when_it_did(busy: Path, pack: Path, column: str):
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


def test_what_is_sealed_is_what_the_database_freezes():
    assert ", ".join(FROZEN) == r0002_whole_contract.FROZEN


async def test_an_action_that_no_entry_knows_is_found(busy: Path, pack: Path):
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


async def test_the_faults_of_another_tenant_hide_none_of_ones_own(busy: Path, pack: Path):
    sql(busy, "delete from ledger_approval")
    for tenant, many in (("aurora", 120), ("borealis", 1)):
        for number in range(many):
            sql(
                busy,
                "insert into ledger_approval select action_id, ?, 'approve', digest, 'approve', 1"
                " from ledger_action where tenant_id = ? limit 1",
                (f"ghost-{number}", tenant),
            )
    assert kinds_of(await audited(busy, pack, tenant="borealis")) == {("borealis", "vote")}


async def test_one_tenant_is_verified_alone(busy: Path, pack: Path):
    sql(busy, f"update ledger_entry set actor = 'nobody' where {AT}", (4,))
    sql(busy, "update ledger_action set state = 'rejected' where tenant_id = 'aurora'")
    assert (await audited(busy, pack, tenant="borealis")).faults == ()


# Whoever can write to the database cannot write a yes: it takes the key, which is not in it.


async def test_a_yes_that_another_hand_wrote_is_none(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal())
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'ingrid', 'approve', ?, 'approve', 1.0)",
        (shown.action_id, shown.digest),
    )
    sql(data_dir, "update ledger_action set state = 'approved', decided_by = 'ingrid'")
    outcome = await ledger.execute(shown.action_id)
    assert (outcome.state, "it is not approved" in (outcome.reason or "")) == ("stale", True)
    assert effects(data_dir) == []


async def test_a_yes_with_an_entry_sealed_by_nobody_is_none(ledger: Ledger, data_dir: Path):
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


# What stands in the ledger stays what it was, even for a mistake of our own.

MAY_MOVE = {
    "state": "approved",
    "expires_at": 1.0,
    "fence": 1,
    "owner": "x",
    "started_at": 1.0,
    "finished_at": 1.0,
    "replaced_by": "x",
    "decided_by": "x",
    "reason": "x",
    "result": "{}",
    "asked_at": 1.0,
    "warned_at": 1.0,
    "lease_until": 1.0,
    "settled_by": "x",
    "evidence": "x",
    "undo_until": 1.0,
    "undo_arguments": "{}",
    "undo_by": "x",
    "undo_at": 1.0,
    "undo_decision_id": "x",
}
"""How an action stands; everything else about it was settled when it was proposed."""

ENDS = ("rejected", "expired", "stale", "succeeded", "failed", "superseded")


async def test_nothing_but_its_standing_ever_changes(ledger: Ledger, data_dir: Path):
    await ledger.propose(proposal())
    columns = [str(row[1]) for row in sql(data_dir, "pragma table_info(ledger_action)")]
    moved = []
    for column in columns:
        try:
            sql(data_dir, f"update ledger_action set {column} = ?", (MAY_MOVE.get(column, "2"),))
            moved.append(column)
        except sqlite3.IntegrityError as error:
            assert "a ledger action never changes" in str(error)  # noqa: PT017
    assert set(moved) == set(MAY_MOVE)


async def test_an_action_is_never_deleted(ledger: Ledger, data_dir: Path):
    await ledger.propose(proposal())
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        sql(data_dir, "delete from ledger_action")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("to", ["approved", "pending", "started"])
async def test_an_action_that_has_ended_never_moves_again(ledger: Ledger, data_dir: Path, end, to):
    await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (end,))
    with pytest.raises(sqlite3.IntegrityError, match="never moves"):
        sql(data_dir, "update ledger_action set state = ?", (to,))


async def test_a_state_outside_the_list_is_refused(ledger: Ledger, data_dir: Path):
    await ledger.propose(proposal())
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        sql(data_dir, "update ledger_action set state = 'granted'")


@pytest.mark.parametrize(
    "statement",
    [
        "update ledger_approval set approver = 'ingrid'",
        "update ledger_approval set digest_seen = 'x'",
        "delete from ledger_approval",
        "update ledger_entry set event = 'approved'",
        "delete from ledger_entry",
    ],
)
async def test_votes_and_entries_are_only_added_to(ledger: Ledger, data_dir: Path, statement: str):
    shown = await ledger.propose(proposal())
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        sql(data_dir, statement)


async def test_every_step_of_an_action_leaves_an_entry(ledger: Ledger, data_dir: Path):
    first = await ledger.propose(proposal())
    await ledger.decide(first.action_id, yes(first), CAPTAIN)
    await ledger.execute(first.action_id)
    second = await ledger.propose(proposal(decision_id="decision-2"))
    await ledger.decide(second.action_id, no(second), MATE)
    assert _entries(data_dir, first.action_id) == [
        ("amir", "proposed pending"),
        ("ingrid", "yes"),
        ("ingrid", "approved"),
        ("executor", "started"),
        ("executor", "succeeded"),
    ]
    assert _entries(data_dir, second.action_id) == [
        ("amir", "proposed pending"),
        ("olav", "rejected"),
    ]


async def test_a_ledger_opened_twice_is_one_ledger(data_dir: Path, pack: Path):
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        shown = await one.propose(proposal())
        approved = await two.decide(shown.action_id, yes(shown), CAPTAIN)
        assert await one.action(shown.action_id) == approved


def _entries(data_dir: Path, action_id: str) -> list[tuple[Any, ...]]:
    query = "select actor, event from ledger_entry where action_id = ? order by seq"
    return sql(data_dir, query, (action_id,))


# Whatever of an action is changed on disk between the question and the start: it does not run.

STEPS = ("asked", "half approved", "approved")
OTHER: dict[str, object] = {
    "arguments": '{"tonnes": 999}',
    "requester_roles": '["captain"]',
    "approver_roles": "[]",
    "target_versions": '{"T-1": "2"}',
    "preview": '{"count": 1}',
    "raised": '["tainted"]',
    "execution_class": "A",
    "quorum": 1,
    "four_eyes": 1,
    "proposed_at": 1.0,
    "action": "buy_pump",
    "phase": "canary",
    "origin": "model",
    "tenant_id": "borealis",
}
"""What a column is changed to; any other becomes another word."""


@pytest.mark.parametrize(
    "step", [pytest.param(each, marks=pytest.mark.torture) for each in STEPS[:-1]] + [STEPS[-1]]
)
@pytest.mark.parametrize("column", [each for each in FROZEN if each != "action_id"])
async def test_a_changed_column_makes_every_yes_worthless(
    ledger: Ledger, data_dir: Path, column: str, step: str
):
    shown = await ledger.propose(proposal("shift_ballast"))
    people = [CAPTAIN, ENGINEER]
    for _yes in range(STEPS.index(step)):
        await ledger.decide(shown.action_id, yes(shown), people.pop())
    before = sql(data_dir, f"select {column} from ledger_action")
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {column} = ?", (OTHER.get(column, "other"),))
    assert sql(data_dir, f"select {column} from ledger_action") != before
    for person in people:
        with suppress(AgentError):
            await ledger.decide(shown.action_id, yes(shown), person)
    outcome = await ledger.execute(shown.action_id)
    assert outcome.state in ("stale", "pending")
    assert (outcome.executed_now, effects(data_dir)) == (False, [])
    assert sql(data_dir, "select count(*) from ledger_entry where event = 'started'") == [(0,)]


async def test_unchanged_it_runs(ledger: Ledger, data_dir: Path):
    shown = await ledger.propose(proposal("shift_ballast"))
    for person in (CAPTAIN, ENGINEER):
        await ledger.decide(shown.action_id, yes(shown), person)
    assert (await ledger.execute(shown.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1
