"""Work on the database is whole or undone, and says so when it cannot be done now."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text

from state.errors import Busy
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, proposal, sql, yes
from tests.safety.valves import effects, write_valves
from tools.storage.database import Database
from tools.storage.tables.decisions import session

ROW = insert(session).values(tenant_id="a", session_id="s", state={}, updated_at=1.0)


async def test_work_that_fails_leaves_nothing(database: Database) -> None:
    def fail(connection: Connection) -> None:
        connection.execute(ROW)
        raise ZeroDivisionError

    for durable in (False, True):
        with pytest.raises(ZeroDivisionError):
            await database.write(fail, durable=durable)
    assert await database.read(_rows) == 0


async def test_what_was_written_is_read_by_the_next(database: Database) -> None:
    await database.write(lambda connection: connection.execute(ROW))
    assert await database.read(_rows) == 1


async def test_a_caller_that_goes_away_does_not_undo_it(database: Database) -> None:
    writing = asyncio.create_task(database.write(lambda connection: connection.execute(ROW)))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await database.write(lambda _connection: None)  # after it, in the one writing thread
    assert await database.read(_rows) == 1


async def test_durable_work_reaches_the_disk_and_only_that(database: Database) -> None:
    def level(connection: Connection) -> int:
        return int(connection.execute(text("pragma synchronous")).scalar_one())

    full, normal = 2, 1
    assert await database.write(level, durable=True) == full
    assert await database.write(level) == normal


async def test_the_databases_clock_is_the_time(database: Database) -> None:
    now = await database.read(
        lambda connection: connection.execute(select(database.now())).scalar()
    )
    assert now == pytest.approx(time.time(), abs=5)


@pytest.mark.parametrize(
    "value", ['é 🚢 \\ " \n', "\ud800", 2**63 - 1, -(2**63) + 1, 0.1, 1e-300, None, [True, {}]]
)
async def test_json_comes_back_as_it_went_in(database: Database, value: object) -> None:
    row = ROW.values(state={"value": value})
    await database.write(lambda connection: connection.execute(row))
    read = await database.read(
        lambda connection: connection.execute(select(session.c.state)).scalar()
    )
    assert read == {"value": value}


async def test_a_reference_to_nothing_is_refused(database: Database) -> None:
    def dangling(connection: Connection) -> None:
        connection.execute(
            text("insert into ledger_approval values ('none', 'a', 'approve', 'x', 'm', 1.0)")
        )

    with pytest.raises(Exception, match="FOREIGN KEY"):
        await database.write(dangling)


@pytest.mark.parametrize("is_new", [True, False])
async def test_a_database_held_by_another_process_is_busy_and_free_later(
    data_dir: Path, new_dir: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
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


async def test_on_a_full_disk_nothing_is_claimed_and_nothing_runs(
    data_dir: Path, tmp_path: Path
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        shown = await ledger.propose(proposal())
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        await ledger.database.write(_fill)
        with pytest.raises(Busy, match="no room"):
            await ledger.execute(shown.action_id)
        assert sql(data_dir, "select state from ledger_action") == [("approved",)]
        assert effects(data_dir) == []
        await ledger.database.write(_make_room)
        assert (await ledger.execute(shown.action_id)).state == "succeeded"
        assert len(effects(data_dir)) == 1


async def test_on_a_full_disk_no_yes_counts(data_dir: Path, tmp_path: Path) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path)) as ledger:
        shown = await ledger.propose(proposal())
        await ledger.database.write(_fill)
        with pytest.raises(Busy, match="no room"):
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


def test_the_file_is_for_its_owner_alone(data_dir: Path) -> None:
    file = data_dir / "prefrontal.sqlite"
    file.touch(mode=0o644)
    database = Database(f"sqlite:///{file}")
    asyncio.run(database.write(lambda connection: None))
    modes = {path.name: path.stat().st_mode & 0o777 for path in data_dir.glob(f"{file.name}*")}
    asyncio.run(database.close())
    assert set(modes.values()) == {0o600}
