"""The project's own SQLite file, with a first shelf of papers in it."""

import sqlite3
from pathlib import Path

from tools.pack_store.store import PackStore, run_script

from .seed.plant import plant

FILE = "research.sqlite"
_SCHEMA = Path(__file__).with_name("schema.sql")
_SECOND = Path(__file__).with_name("pages.sql")
"""What the second version adds to the first."""


def _create(connection: sqlite3.Connection) -> None:
    run_script(connection, _SCHEMA)
    plant(connection)


STORE = PackStore(
    FILE,
    "the project's",
    _create,
    upgrades={1: lambda connection: run_script(connection, _SECOND)},
)
reading = STORE.reading
writing = STORE.writing
