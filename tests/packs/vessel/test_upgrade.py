"""A store that version 1 made, with its own rows in every table, opened by version 2."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from packs.vessel import handlers
from packs.vessel.store import FILE, VERSION, reading
from state.action import HandlerContext
from tests.packs.vessel.asking import anew

Ask = Callable[[str], list[tuple[object, ...]]]
ROOT = Path(__file__).parents[3]
SCHEMA = Path(__file__).with_name("version_1") / "schema.sql"
ROWS = """
INSERT INTO crew VALUES ('Marta Lindqvist', 'chief_engineer', 0, '["Marta"]');
INSERT INTO crew VALUES ('Old Hand', 'bosun', 1, '[]');
INSERT INTO family VALUES ('generators', '["genset"]');
INSERT INTO symptom VALUES ('overheating', '[]');
INSERT INTO equipment VALUES ('port generator', 'generators', '["DG1"]', 'NL', 'M', 'S', 'aft',
    'running', 9999, 250, 8490);
INSERT INTO equipment_history VALUES (7, 'port generator', '2026-01-02', 'Old Hand', 'Washed');
INSERT INTO work_order VALUES ('WO-1042', 'My own words', 'port generator', '[]', 'closed',
    'routine', NULL, '2026-06-11', '2026-06-16', '2026-06-12', 'Old Hand');
INSERT INTO work_order_note VALUES (3, 'WO-1042', '2026-06-12T10:00:00+00:00', 'Old Hand', 'x');
INSERT INTO part VALUES ('FLT-2104', 'oil filter', '[]', 'generators', 77, 4, 'A2', 'NL', 2450, 0);
INSERT INTO part VALUES ('OWN-0001', 'oddment', '[]', 'deck', 1, 0, 'shelf', 'CH', 100, 0);
INSERT INTO purchase_order VALUES ('PO-2009', 'FLT-2104', 4, 'ordered', '2026-06-14', 'marta',
    'WO-1042');
INSERT INTO task VALUES ('TSK-104', 'tender refuelling', 'Old Hand', '2026-06-15', 'done');
INSERT INTO document VALUES ('DOC-009', 'fire plan', 'safety', '[]', 'kraken', 1, 'archived',
    '2026-06-13', 'Old Hand');
INSERT INTO document_text VALUES ('DOC-009', 'fire plan', 'kraken');
INSERT INTO fault VALUES ('F-117', 'High coolant temperature', '["generators"]', '[]', 'high');
INSERT INTO fault_cause VALUES ('F-117', 1, 'impeller', 'look', 'change', 'FLT-2104');
INSERT INTO alarm VALUES (5, 'F-117', 'port generator', '2026-06-09T13:50:00+00:00', NULL);
INSERT INTO handover VALUES ('HO-313', '2026-06-14', 'evening', 'Old Hand', 'open');
INSERT INTO handover_item VALUES (9, 'HO-313', 'Old Hand', NULL, 'mind the cat', NULL);
"""


@pytest.fixture(autouse=True)
def old(data_dir: Path) -> dict[str, list[tuple[object, ...]]]:
    data_dir.mkdir(exist_ok=True)
    with closing(sqlite3.connect(data_dir / FILE, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(SCHEMA.read_text("utf-8") + ROWS + "PRAGMA user_version = 1;")
        tables = connection.execute(
            "SELECT name FROM sqlite_master"
            " WHERE type = 'table' AND name NOT LIKE 'document_text_%'"
        ).fetchall()
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()
            for (name,) in tables
        }


def test_every_row_of_version_1_is_there_and_unchanged(
    data_dir: Path, ask: Ask, old: dict[str, list[tuple[object, ...]]]
):
    with reading(data_dir):
        pass

    assert ask("PRAGMA user_version") == [(VERSION,)]
    assert ask("PRAGMA foreign_key_check") == []
    assert ask("PRAGMA integrity_check") == [("ok",)]
    for table, rows in old.items():
        width = len(rows[0])
        now = {row[:width] for row in ask(f"SELECT * FROM {table}")}
        assert set(rows) <= now, table


def test_what_version_2_knows_is_planted_beside(data_dir: Path, ask: Ask):
    with reading(data_dir):
        pass

    assert ask("SELECT count(*) FROM certificate") == [(31,)]
    assert ask("SELECT count(*) FROM part") == [(301,)]
    assert ask("SELECT count(*) FROM alarm") == [(1,)]
    assert ask("SELECT count(*) FROM equipment_history WHERE equipment = 'port generator'") == [
        (1,)
    ]
    assert ask("SELECT name FROM sqlite_master WHERE name LIKE 'version_1%'") == []


def test_handlers_work_on_an_upgraded_store(context: HandlerContext):
    assert "77 in stock" in handlers.check_stock(context, part="oil filter").text
    handlers.reopen_work_order(anew(context), work_order="WO-1042")
    received = handlers.receive_purchase_order(anew(context), purchase_order="PO-2009")
    assert received.data["stock"] == 81
    assert handlers.restore_document(anew(context), document="fire plan").changed
    assert "DOC-009" in handlers.search_documents(context, query="kraken").text


def test_eight_threads_that_come_first_upgrade_once(context: HandlerContext, ask: Ask):
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: handlers.check_stock(context, part="oil filter"), range(8)))

    assert ask("SELECT count(*) FROM part") == [(301,)]


def test_a_process_that_dies_while_upgrading_leaves_version_1(
    data_dir: Path, ask: Ask, old: dict[str, list[tuple[object, ...]]]
):
    dying = (
        "import os, sys; from packs.vessel import store\n"
        "def die(*_): os._exit(9)\n"
        "store.bring_over = die\n"
        "store.reading(sys.argv[1]).__enter__()\n"
    )
    died = subprocess.run(
        [sys.executable, "-c", dying, os.fspath(data_dir)], cwd=ROOT, timeout=60, check=False
    )
    assert died.returncode == 9
    assert ask("PRAGMA user_version") == [(1,)]
    assert ask("SELECT * FROM part ORDER BY rowid") == old["part"]

    with reading(data_dir):
        pass

    assert ask("PRAGMA user_version") == [(VERSION,)]
