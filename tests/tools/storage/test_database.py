"""Transactions, migrations and pruning of the database."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from sqlalchemy import Connection, Engine, create_engine, insert, literal, select, text

from graph.execution.maintenance import prune
from state.errors import Busy
from state.reader import Reader
from state.retention import Pruned, RetentionTuning
from tests.architecture.source import ROOT
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, pack_once, proposal, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects, write_valves
from tools.storage.database import COMPILED, Database
from tools.storage.query_filters import readable
from tools.storage.tables.decisions import session
from tools.storage.tables.metadata import metadata
from tools.storage.upgrade import HEAD, upgrade

# Work on the database is whole or undone, and says so when it cannot be done now.

ROW = insert(session).values(tenant_id="a", session_id="s", state={}, updated_at=1.0)


async def test_work_that_fails_leaves_nothing(database: Database):
    def fail(connection: Connection) -> None:
        connection.execute(ROW)
        raise ZeroDivisionError

    for durable in (False, True):
        with pytest.raises(ZeroDivisionError):
            await database.write(fail, durable=durable)
    assert await database.read(_rows) == 0


async def test_what_was_written_is_read_by_the_next(database: Database):
    await database.write(lambda connection: connection.execute(ROW))
    assert await database.read(_rows) == 1


async def test_a_caller_that_goes_away_does_not_undo_it(database: Database):
    writing = asyncio.create_task(database.write(lambda connection: connection.execute(ROW)))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await database.write(lambda _connection: None)  # after it, in the one writing thread
    assert await database.read(_rows) == 1


async def test_durable_work_reaches_the_disk_and_only_that(database: Database):
    def level(connection: Connection) -> int:
        return int(connection.execute(text("pragma synchronous")).scalar_one())

    full, normal = 2, 1
    assert await database.write(level, durable=True) == full
    assert await database.write(level) == normal


async def test_the_databases_clock_is_the_time(database: Database):
    now = await database.read(
        lambda connection: connection.execute(select(database.now())).scalar()
    )
    assert now == pytest.approx(time.time(), abs=5)


@pytest.mark.parametrize(
    "value", ['é 🚢 \\ " \n', "\ud800", 2**63 - 1, -(2**63) + 1, 0.1, 1e-300, None, [True, {}]]
)
async def test_json_comes_back_as_it_went_in(database: Database, value: object):
    row = ROW.values(state={"value": value})
    await database.write(lambda connection: connection.execute(row))
    read = await database.read(
        lambda connection: connection.execute(select(session.c.state)).scalar()
    )
    assert read == {"value": value}


async def test_a_reference_to_nothing_is_refused(database: Database):
    def dangling(connection: Connection) -> None:
        connection.execute(
            text("insert into ledger_approval values ('none', 'a', 'approve', 'x', 'm', 1.0)")
        )

    with pytest.raises(Exception, match="FOREIGN KEY"):
        await database.write(dangling)


@pytest.mark.parametrize("is_new", [True, False])
async def test_a_database_held_by_another_process_is_busy_and_free_later(
    data_dir: Path, new_dir: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
):
    monkeypatch.setattr("tools.storage.database.BUSY_SECONDS", 0.05)
    file = (new_dir if is_new else data_dir) / FILE
    database = Database(f"sqlite:///{file}")
    with _held_by_another_process(file):
        for durable in (False, True):
            with pytest.raises(Busy):
                await database.write(lambda connection: connection.execute(ROW), durable=durable)
        if is_new:
            with pytest.raises(Busy):
                await database.read(_rows)
    await database.write(lambda connection: connection.execute(ROW))
    assert await database.read(_rows) == 1
    await database.close()


async def test_on_a_full_disk_nothing_is_claimed_and_nothing_runs(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        shown = await ledger.propose(proposal())
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await ledger.database.write(_fill)
        with pytest.raises(Busy, match="disk is full"):
            await ledger.execute(shown.action_id)
        assert sql(data_dir, "select state from ledger_action") == [("approved",)]
        assert effects(data_dir) == []
        await ledger.database.write(_make_room)
        assert (await ledger.execute(shown.action_id)).state == "succeeded"
        assert len(effects(data_dir)) == 1


async def test_on_a_full_disk_no_yes_counts(data_dir: Path, tmp_path: Path):
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        shown = await ledger.propose(proposal())
        await ledger.database.write(_fill)
        with pytest.raises(Busy, match="disk is full"):
            await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        assert await ledger.action(shown.action_id) == shown


def _rows(connection: Connection) -> int:
    return len(connection.execute(select(session)).all())


def _fill(connection: Connection) -> None:
    """Let the file grow no more, and use up what is free in it."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    [pages] = driver.execute("pragma page_count").fetchone()
    driver.execute(f"pragma max_page_count = {pages}")
    statement = "insert into ledger_entry (tenant_id, action_id, at, actor, event, body) values"
    for size in (1_000, 100, 1):
        try:
            while True:
                driver.execute(f"{statement} ('t', 'a', 1.0, 'n', ?, '{{}}')", ("x" * size,))
        except sqlite3.OperationalError:
            continue


def _make_room(connection: Connection) -> None:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute("pragma max_page_count = 100000")


@contextmanager
def _held_by_another_process(file: Path) -> Iterator[None]:
    code = (
        f"import sqlite3; held = sqlite3.connect({str(file)!r}); held.execute('begin exclusive');"
        "print('held', flush=True); input()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    with closing(holder.stdout):
        assert holder.stdout.readline() == "held\n"
        yield
        holder.communicate("\n")


def test_the_file_is_for_its_owner_alone(data_dir: Path):
    file = data_dir / "prefrontal.sqlite"
    file.touch(mode=0o644)
    database = Database(f"sqlite:///{file}")
    asyncio.run(database.write(lambda connection: None))
    modes = {path.name: path.stat().st_mode & 0o777 for path in data_dir.glob(f"{file.name}*")}
    asyncio.run(database.close())
    assert set(modes.values()) == {0o600}


# Statements are compiled once a process, whichever of its databases they are for.

QUESTION = select(literal(7).label("of_all_databases"))


async def test_a_second_database_takes_what_the_first_one_compiled(tmp_path: Path):
    COMPILED.clear()  # what other tests left there may be about to be dropped
    known = []
    for name in ("one", "two"):
        database = Database(f"sqlite:///{tmp_path / name}.db")
        found = await database.read(lambda connection: connection.scalar(QUESTION))
        await database.close()
        assert found == 7
        known.append(len(COMPILED))

    assert 0 < known[0] == known[1]


# The tables on disk are the tables in the code, whichever way a database came to be.


def test_the_newest_revision_is_alembics_own():
    config = Config()
    config.set_main_option("script_location", str(ROOT / "tools/storage/migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def through_every_revision(file: Path) -> Engine:
    """Begin with something in the database, so that it is migrated and not made."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.exec_driver_sql("create table seed (id integer)")
    upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("drop table seed")
    return engine


def shape(engine: Engine) -> dict[str, object]:
    """Describe columns, keys and triggers, whatever wording made them."""
    with engine.connect() as connection:
        run = connection.exec_driver_sql
        names = [row[0] for row in run("select name from sqlite_master where type = 'table'")]
        found: dict[str, object] = {}
        for name in names:
            columns = sorted(tuple(row)[1:] for row in run(f"pragma table_info({name})"))
            keys = sorted(tuple(row)[2:] for row in run(f"pragma foreign_key_list({name})"))
            found[name] = (columns, keys)
        made = run("select name, sql from sqlite_master where type in ('trigger', 'index')")
        found["made"] = sorted((row[0], " ".join((row[1] or "").split())) for row in made)
    return found


def test_a_new_database_is_what_every_revision_makes_of_an_old_one(tmp_path: Path):
    made = create_engine(f"sqlite:///{tmp_path / 'made'}")
    upgrade(made)
    migrated = through_every_revision(tmp_path / "migrated")
    assert shape(made) == shape(migrated)
    for engine in (made, migrated):
        engine.dispose()


def test_migrating_makes_the_tables_of_the_code(new_dir: Path):
    engine = through_every_revision(new_dir / FILE)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                # SQLite keeps the full-text index in tables of its own
                "include_name": lambda name, _kind, _of: (
                    not (name or "").startswith(("journal_text", "memory_text"))
                ),
            },
        )
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD
    engine.dispose()


def test_what_was_declared_before_its_use_was_noted_counts_as_used(new_dir: Path):
    engine = through_every_revision(new_dir / FILE)
    with engine.begin() as connection:
        connection.exec_driver_sql("alter table declared_tool drop column used_at")
        connection.exec_driver_sql("drop index decision_of_calls")
        connection.exec_driver_sql("drop index decision_of_events")
        connection.exec_driver_sql("drop table regret")
        connection.exec_driver_sql("drop index reminder_on_event")
        for column in ("repeats", "on_event", "seen_at"):
            connection.exec_driver_sql(f"alter table reminder drop column {column}")
        connection.exec_driver_sql("update alembic_version set version_num = '0020'")
        connection.exec_driver_sql(
            "insert into declared_tool (tenant_id, name, keeper, sha256, declared, declared_at) "
            "values ('aurora', 'vent', 'agent', 'x', '{}', 7.5)"
        )
    upgrade(engine)
    with engine.connect() as connection:
        [used] = connection.exec_driver_sql("select used_at from declared_tool").scalars()
    assert used == 7.5
    engine.dispose()


def test_a_database_that_is_there_already_is_opened_without_alembic(new_dir: Path):
    engine = create_engine(f"sqlite:///{new_dir / FILE}")
    upgrade(engine)
    engine.dispose()
    code = (
        "import sys; from sqlalchemy import Engine, create_engine;"
        "from tools.storage.upgrade import upgrade;"
        f"upgrade(create_engine('sqlite:///{new_dir / FILE}'));"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_opening_again_keeps_what_is_there(new_dir: Path):
    engine = create_engine(f"sqlite:///{new_dir / FILE}")
    upgrade(engine)
    with engine.begin() as connection:
        row = (
            metadata.tables["session"]
            .insert()
            .values(tenant_id="a", session_id=proposal().decision_id, state={}, updated_at=1.0)
        )
        connection.execute(row)
    upgrade(engine)
    with engine.connect() as connection:
        assert len(connection.execute(metadata.tables["session"].select()).all()) == 1
    engine.dispose()


# Old decisions, queries and threads go; what is open or young stays.

SHORT = RetentionTuning(
    ledger_days=0,
    decisions_days=30,
    query_log_days=30,
    memory_days=20,
    checkpoint_days=7,
    journal_days=0,
    people_days=30,
    webhook_days=30,
)
FOR_EVER = RetentionTuning(
    ledger_days=0,
    decisions_days=0,
    query_log_days=0,
    memory_days=0,
    checkpoint_days=0,
    journal_days=0,
    people_days=0,
    webhook_days=0,
)
PUT_REMINDER = """insert into reminder
    (reminder_id, tenant_id, session_id, text, due_at, standing, decision_id)
    values (?, ?, ?, ?, ?, ?, ?)"""
PUT_HOLD = """insert into hold
    (decision_id, tenant_id, session_id, timing, release_on, due_at, held_at)
    values (?, 'aurora', 's', 'batch', '[]', 9e9, 0)"""
PUT_OFFER = """insert into offer
    (offer_id, decision_id, tenant_id, session_id, body, expires_at)
    values ('o-1', ?, 'aurora', 's', '{}', 9e9)"""
OLD = "update decision set recorded_at = recorded_at - 86400 * ?"


async def test_old_records_go_with_their_threads_and_open_ones_stay(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1", "e-1")
        await opened.asked("open valve V-7", "e-2")
        _pass(tmp_path, days=31)
        await opened.ask("read gauge G-22", "e-3")
        pruned = await _prune(opened, SHORT)
        assert (pruned.decisions, pruned.queries, pruned.threads) == (1, 2, 1)
        left = {str(row[0]) for row in sql(tmp_path, "select event_id from decision")}
        assert left == {"e-2", "e-3"}
        [shown] = await opened.executive.approvals.list("aurora")
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert settled.state == "succeeded"
        assert await _prune(opened, SHORT) == Pruned()


async def test_a_thread_goes_long_before_what_was_said_and_that_before_its_record(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        _pass(tmp_path, days=8)
        assert await _prune(opened, SHORT) == Pruned(threads=1)
        _pass(tmp_path, days=13)
        assert (await _prune(opened, SHORT)).memories > 0
        assert sql(tmp_path, "select count(*) from memory_entry") == [(0,)]
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
        assert trace.record.outcome == "executed"


async def test_a_record_stays_while_nobody_has_settled_its_action(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        shown = await opened.asked()
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        sql(tmp_path, "drop trigger ledger_action_has_ended")
        sql(tmp_path, "update ledger_action set state = 'unknown'")
        _pass(tmp_path, days=31)
        assert (await _prune(opened, SHORT)).decisions == 0


async def test_a_record_stays_while_it_is_held_or_offered(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        for number in (1, 2):
            await opened.ask(f"read gauge G-{number}", f"e-{number}")
        first, second = (row[0] for row in sql(tmp_path, "select decision_id from decision"))
        sql(tmp_path, PUT_HOLD, (first,))
        sql(tmp_path, PUT_OFFER, (second,))
        _pass(tmp_path, days=31)
        assert (await _prune(opened, SHORT)).decisions == 0
        sql(tmp_path, "update hold set released_at = 1")
        assert (await _prune(opened, SHORT)).decisions == 1
        sql(tmp_path, "update offer set chosen = 'read_gauge'")
        assert (await _prune(opened, SHORT)).decisions == 1


@pytest.mark.parametrize(("retention", "is_trial"), [(FOR_EVER, False), (SHORT, True)])
async def test_for_ever_and_as_a_trial_nothing_goes(tmp_path: Path, retention, is_trial):
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        _pass(tmp_path, days=4_000)
        pruned = await _prune(opened, retention, is_trial=is_trial)
        assert (pruned.decisions, pruned.threads) == (int(is_trial), int(is_trial))
        assert bool(pruned.memories) is is_trial
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
        assert trace.record.outcome == "executed"


async def test_reminders_that_were_told_or_called_off_go_and_those_that_wait_stay(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        record = await opened.ask("read gauge G-1")
        _pass(tmp_path, days=31)
        for name, standing, of in (
            ("told", "told", record.decision_id),
            ("off", "cancelled", None),
            ("waits", "scheduled", None),
        ):
            row = (name, "aurora", "default", "tea", 0.0, standing, of)
            sql(tmp_path, PUT_REMINDER, row)
        await _prune(opened, SHORT)
        left = sql(tmp_path, "select reminder_id from reminder")
        assert [tuple(row) for row in left] == [("waits",)]


async def _prune(opened: Opened, retention: RetentionTuning, *, is_trial: bool = False) -> Pruned:
    saver = opened.flow.checkpointer
    assert isinstance(saver, AsyncSqliteSaver)
    return await prune(opened.box.database, retention, saver, is_trial=is_trial)


def _pass(data_dir: Path, *, days: int) -> None:
    sql(data_dir, OLD, (days,))
    sql(data_dir, "update memory_entry set at = at - 86400 * ?", (days,))
    sql(data_dir, "update query_log set at = at - 86400 * ?", (days,))


async def test_sessions_and_profiles_nobody_came_back_to_are_forgotten(tmp_path: Path):
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        assert (await _prune(opened, SHORT)).people == 0
        sql(tmp_path, "update session set updated_at = updated_at - 86400 * 31")
        assert (await _prune(opened, SHORT)).people == 1
        assert sql(tmp_path, "select count(*) from session") == [(0,)]


# What is closed in a query is closed in Python, and the other way round.

LETTERS = "abAB-*?.[]! é漢\U0001f642%_'\"\\^"


async def test_a_pattern_closes_the_same_sessions_in_both(tmp_path: Path):
    chance = random.Random(7)

    def made(letters: str, most: int) -> str:
        return "".join(chance.choices(letters, k=chance.randint(1, most)))

    patterns = [made(LETTERS.replace("[", "").replace("]", ""), 5) for _ in range(30)]
    sessions = [made(LETTERS, 6) for _ in range(30)]
    database = Database(f"sqlite:///{tmp_path / 'some.sqlite'}")

    def work(connection: Connection) -> None:
        for pattern in patterns:
            reader = Reader(tenant_id="t", closed=(pattern,))
            columns = [readable(literal(one), reader) for one in sessions]
            told = connection.execute(select(*columns)).one()
            assert [bool(one) for one in told] == [reader.may_read(one) for one in sessions]

    await database.read(work)
    await database.close()
