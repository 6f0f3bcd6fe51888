"""The tables of a new deployment, made once a process, for tests that begin after a first start."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from tools.storage.upgrade import upgrade

FILE = "prefrontal.sqlite"


def lay_tables(data_dir: Path) -> None:
    """Lay them into a folder that has none: making them takes 8 ms, and a copy half a one.

    That a first start makes them is tried where an Executive is opened on an empty folder, as in
    tests/api, and by tests/tools/storage.
    """
    file = data_dir / FILE
    if not file.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(_tables())


@cache
def _tables() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        engine = create_engine(f"sqlite:///{file}")
        upgrade(engine)
        engine.dispose()
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        return file.read_bytes()
