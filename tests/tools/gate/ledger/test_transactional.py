"""An effect in our own store is committed with the ledger's row and entry, or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.errors import Busy
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, proposal, sql, yes
from tests.safety.valves import TARGETS, effects_inside, write_valves
from tools.gate.ledger.ledger import Ledger

FORBIDDEN = (
    "update ledger_action set state = 'succeeded'",
    "delete from ledger_entry",
    "insert into ledger_approval values ('a', 'b', 'approve', 'c', 'd', 1)",
    "select secret_sha256 from api_key",
    "select count(*) from decision",
    "insert into decision (decision_id) values ('x')",
    "drop table ledger_entry",
    "drop trigger ledger_entry_stays_on_delete",
    "create trigger valves_x after insert on valves_effect begin delete from api_key; end",
    "create view valves_v as select * from api_key",
    "create temp table valves_t (x)",
    "create table elsewhere (x)",
    "create index elsewhere_i on ledger_entry (actor)",
    "alter table valves_effect rename to gone",
    "attach database ':memory:' as other",
    "pragma writable_schema = on",
    "pragma synchronous = off",
    "commit",
    "rollback",
    "savepoint mine",
    "release sa_savepoint_1",
    "begin",
    "vacuum",
    "update sqlite_master set sql = ''",
    "insert into valves_effect select user, roles from api_key",
    "create virtual table valves_f using fts5(x)",
    "select load_extension('x')",
    "select * from pragma_table_info('ledger_entry')",
)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_valves(tmp_path, *TARGETS["transactional"])


async def test_effect_row_and_entry_are_there_together(ledger: Ledger, data_dir: Path):
    approved = await _approved(ledger)
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.text) == ("succeeded", "open_valve done")
    assert effects_inside(data_dir / FILE) == [approved.action_id]
    again = await ledger.execute(approved.action_id)
    assert (again.state, again.executed_now) == ("succeeded", False)
    assert effects_inside(data_dir / FILE) == [approved.action_id]


@pytest.mark.parametrize(
    ("note", "reason"), [("break", "OSError: the wire broke"), ("refuse", "the valve is locked")]
)
async def test_a_fault_undoes_the_effect_and_ends_the_action(
    ledger: Ledger, data_dir: Path, note: str, reason: str
):
    outcome = await ledger.execute((await _approved(ledger, note=note)).action_id)
    assert (outcome.state, outcome.reason) == ("failed", reason)
    assert effects_inside(data_dir / FILE) == []


@pytest.mark.parametrize("statement", FORBIDDEN)
async def test_a_handler_reaches_nothing_but_its_own_tables(
    ledger: Ledger, data_dir: Path, statement: str
):
    before = _everything(data_dir)
    approved = await _approved(ledger, note=f"sql {statement}")
    assert (await ledger.execute(approved.action_id)).state == "failed"
    assert effects_inside(data_dir / FILE) == []
    assert _everything(data_dir) == before
    assert (await ledger.action(approved.action_id)).state == "failed"


@pytest.mark.parametrize("note", ["commit", "roll back", "script"])
async def test_a_handler_cannot_end_the_ledgers_transaction(ledger: Ledger, data_dir: Path, note):
    assert (await ledger.execute((await _approved(ledger, note=note)).action_id)).state == "failed"
    assert effects_inside(data_dir / FILE) == []
    other = await _approved(ledger, decision_id="decision-2")
    assert (await ledger.execute(other.action_id)).state == "succeeded"


@pytest.mark.parametrize(
    "statement",
    [
        "create table if not exists valves_more (id integer primary key autoincrement, x unique)",
        "create index if not exists valves_by_id on valves_effect (action_id)",
        "insert into valves_effect select value, 'x' from json_each('[1, 2]')",
        "with twice as (select valve from valves_effect) update valves_effect set valve = 'V-2'",
        "delete from valves_effect where valve = (select count(*) from valves_effect)",
    ],
)
async def test_a_handler_may_do_with_its_own_tables_what_it_needs(ledger: Ledger, statement: str):
    approved = await _approved(ledger, note=f"sql {statement}")
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.reason) == ("succeeded", None)


async def test_a_pack_named_like_our_tables_gets_none_of_them(tmp_path: Path):
    from tools.gate.handlers.dispatch import restricted_to_tables

    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection:
        connection.execute("create table ledger_action (x)")
        connection.execute("create table api_key (x)")
        for prefix, table in (("ledger_", "ledger_action"), ("api_", "API_KEY")):
            with restricted_to_tables(connection, prefix=prefix, seconds=1):
                with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                    connection.execute(f"insert into {table} values (1)")
                connection.execute(f"create table {prefix}own (x)")


async def test_a_statement_without_end_is_interrupted(data_dir: Path, pack: Path):
    endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n"
    async with opened_ledger(data_dir, pack, handler_seconds=0.05) as ledger:
        outcome = await ledger.execute((await _approved(ledger, note=f"sql {endless}")).action_id)
    assert (outcome.state, outcome.reason) == ("failed", "OperationalError: interrupted")


async def test_an_end_that_cannot_be_committed_leaves_no_effect(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(data_dir / FILE)) as other:

        def held_by_somebody_else(name: str) -> None:
            if name == "after_claim":
                other.execute("begin immediate")

        async with opened_ledger(data_dir, pack, step=held_by_somebody_else) as ledger:
            approved = await _approved(ledger)
            with pytest.raises(Busy):
                await ledger.execute(approved.action_id)
            other.rollback()
            outcome = await ledger.execute(approved.action_id)
    assert outcome.state == "failed"
    assert effects_inside(data_dir / FILE) == []


async def test_another_who_took_over_meanwhile_has_the_last_word(data_dir: Path, pack: Path):
    def taken_over(name: str) -> None:
        if name == "after_claim":
            sql(data_dir, "update ledger_action set fence = fence + 1")

    async with opened_ledger(data_dir, pack, step=taken_over) as ledger:
        outcome = await ledger.execute((await _approved(ledger)).action_id)
    assert outcome.state == "started"
    assert effects_inside(data_dir / FILE) == []


def _everything(data_dir: Path) -> list[object]:
    """Read what a handler of the pack must not touch, but for the action's own end."""
    return [
        sql(data_dir, "select name, sql from sqlite_master where name not like 'valves_%'"),
        sql(data_dir, "select * from api_key"),
        sql(data_dir, "select * from decision"),
    ]


async def _approved(
    ledger: Ledger, *, note: str | None = None, decision_id: str = "decision-1"
) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101", note=note, decision_id=decision_id))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
