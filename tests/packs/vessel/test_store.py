import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from packs.vessel import handlers, store
from packs.vessel.seed.plant import plant, read_seed
from packs.vessel.store import FILE, reading, writing
from prefrontal.pack import run_script
from state.action import HandlerContext
from state.errors import Busy, Conflict
from tests.packs.vessel.asking import anew

ROOT = Path(__file__).parents[3]
SCHEMA = ROOT / "packs" / "vessel" / "schema.sql"

Ask = Callable[[str], list[tuple[object, ...]]]
Contents = Callable[[], dict[str, list[tuple[object, ...]]]]

COUNTS = {
    "crew": 13,
    "equipment": 40,
    "work_order": 120,
    "part": 300,
    "document": 60,
    "document_text": 60,
    "purchase_order": 25,
    "task": 12,
    "handover": 9,
    "certificate": 31,
    "checklist": 6,
    "rest_day": 390,
    "shipyard": 3,
    "effect": 0,
}


def counted(ask: Ask) -> dict[str, object]:
    return {table: ask(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTS}


def test_the_first_use_makes_the_store_and_its_folder(tmp_path: Path):
    with reading(tmp_path / "packs" / "default") as connection:
        assert connection.execute("SELECT count(*) FROM work_order").fetchone()[0] == 120

    assert (tmp_path / "packs" / "default" / FILE).exists()


def test_the_seed_is_always_the_same(tmp_path: Path):
    dumps = []
    for name in ("one", "two"):
        with reading(tmp_path / name):
            pass
        with closing(sqlite3.connect(tmp_path / name / FILE)) as connection:
            dumps.append(list(connection.iterdump()))

    assert dumps[0] == dumps[1]


def test_the_second_use_keeps_what_was_changed(context: HandlerContext, ask: Ask):
    handlers.close_work_order(anew(context), work_order="WO-1042")
    handlers.show_equipment_overview(context)

    assert ask("SELECT state FROM work_order WHERE id = 'WO-1042'") == [("closed",)]


def test_eight_threads_that_come_first_seed_once(context: HandlerContext, ask: Ask):
    at_once = Barrier(8)

    def first_use(_number: int) -> object:
        at_once.wait(timeout=30)
        return handlers.order_part(anew(context), part="coolant", quantity=1).data["purchase_order"]

    with ThreadPoolExecutor(8) as threads:
        orders = list(threads.map(first_use, range(8)))

    assert sorted(orders, key=str) == sorted((f"PO-{n}" for n in range(2009, 2017)), key=str)
    assert counted(ask) == COUNTS | {"purchase_order": 33, "effect": 8}
    assert ask("PRAGMA journal_mode") == [("wal",)]


def test_three_processes_that_come_first_seed_once(data_dir: Path, ask: Ask):
    writer = (
        "import sys; from packs.vessel.store import writing\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "with writing(sys.argv[1]) as connection:\n"
        "    connection.execute(\"UPDATE part SET stock = stock + 1 WHERE name = 'coolant'\")\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", writer, str(data_dir)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)

    assert [process.returncode for process in processes] == [0, 0, 0]
    assert counted(ask) == COUNTS
    assert ask("SELECT stock FROM part WHERE name = 'coolant'") == [(6,)]


def test_a_process_that_dies_while_seeding_leaves_nothing_half_done(data_dir: Path, ask: Ask):
    dying = (
        "import os, sys; from packs.vessel import store\n"
        "seed = store.read_seed()\n"
        "class Deadly(dict):\n"
        "    def __getitem__(self, key):\n"
        "        return os._exit(9) if key == 'handovers' else super().__getitem__(key)\n"
        "store.read_seed = lambda: Deadly(seed)\n"
        "store.reading(sys.argv[1]).__enter__()\n"
    )
    died = subprocess.run(
        [sys.executable, "-c", dying, str(data_dir)], cwd=ROOT, timeout=60, check=False
    )
    assert died.returncode == 9

    with reading(data_dir):
        pass

    assert counted(ask) == COUNTS


def test_a_seeding_that_fails_is_taken_back(data_dir: Path, ask: Ask):
    incomplete: Mapping[str, object] = {k: v for k, v in read_seed().items() if k != "handovers"}

    def create(connection: sqlite3.Connection) -> None:
        run_script(connection, SCHEMA)
        plant(connection, incomplete)

    with pytest.raises(KeyError), replace(store.STORE, create=create).reading(data_dir):
        pass
    with closing(sqlite3.connect(data_dir / FILE)) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)

    with reading(data_dir):
        pass

    assert counted(ask) == COUNTS


def test_what_fails_midway_is_taken_back(data_dir: Path, contents: Contents):
    before = contents()

    def half() -> None:
        with writing(data_dir) as connection:
            connection.execute("DELETE FROM handover_item")
            raise KeyError("the other half")

    with pytest.raises(KeyError):
        half()

    assert contents() == before


def test_a_reader_changes_nothing_even_when_it_tries(data_dir: Path, contents: Contents):
    before = contents()

    with reading(data_dir) as connection:
        connection.execute("DELETE FROM handover_item")

    assert contents() == before


def test_a_reader_is_not_stopped_by_a_writer(context: HandlerContext, data_dir: Path):
    with writing(data_dir) as connection:
        connection.execute("UPDATE part SET stock = 99 WHERE name = 'coolant'")

        assert "3 in stock" in handlers.check_stock(context, part="coolant").text


def test_a_store_held_too_long_is_busy_and_unchanged(data_dir: Path, contents: Contents):
    before = contents()

    with writing(data_dir), pytest.raises(Busy), writing(data_dir, busy_seconds=0.02):
        pass

    assert contents() == before


def test_a_file_that_is_no_database_is_refused_and_kept(context: HandlerContext, data_dir: Path):
    (data_dir / FILE).write_bytes(b"holiday pictures" * 100)

    with pytest.raises(Conflict, match="move it away"):
        handlers.view_handover(context)

    assert (data_dir / FILE).read_bytes() == b"holiday pictures" * 100


@pytest.mark.parametrize("statement", ["CREATE TABLE mine (x)", "PRAGMA user_version = 7"])
def test_the_database_of_somebody_else_is_refused(
    context: HandlerContext, data_dir: Path, statement: str
):
    with closing(sqlite3.connect(data_dir / FILE)) as connection:
        connection.execute(statement)

    with pytest.raises(Conflict, match="move it away"):
        handlers.close_work_order(anew(context), work_order="WO-1042")


def test_two_folders_are_two_vessels(context: HandlerContext, tmp_path: Path):
    other = context.model_copy(update={"data_dir": os.fspath(tmp_path / "other")})
    handlers.close_work_order(anew(context), work_order="WO-1042")

    assert "WO-1042" in handlers.show_equipment_overview(other, equipment="port generator").text
