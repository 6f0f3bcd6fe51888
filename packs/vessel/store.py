"""The vessel's own SQLite file, seeded on first use.

A store of version 1 is upgraded where it stands, in one transaction: its tables are set aside,
the tables of version 2 are made, every old row is copied, and what version 2 knows in addition is
planted beside. No row of version 1 is changed or lost; a crash half way leaves it as it was.
"""

import sqlite3
from pathlib import Path

from tools.pack_store.store import PackStore, run_script

from .seed.plant import plant, read_seed
from .upgrade import bring_over, set_aside

FILE = "vessel.sqlite"
VERSION = 2
_SCHEMA = Path(__file__).with_name("schema.sql")


def _create(connection: sqlite3.Connection) -> None:
    run_script(connection, _SCHEMA)
    plant(connection, read_seed())


def _upgrade(connection: sqlite3.Connection) -> None:
    aside = set_aside(connection)
    run_script(connection, _SCHEMA)
    bring_over(connection, aside, read_seed())


STORE = PackStore(FILE, "the vessel's", _create, created=VERSION, upgrades={1: _upgrade})
reading = STORE.reading
writing = STORE.writing
written_at = STORE.written_at
