"""Everything that stands in a data folder, as text."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

ALLOWED = {("ledger_action", "arguments")}
"""Where a secret argument must stand until it has been used: nowhere else."""


def on_disk(folder: Path) -> dict[str, str]:
    """Read every column of every table, and every other file."""
    found: dict[str, str] = {}
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = str(file.relative_to(folder))
        if file.suffix == ".sqlite":
            found |= {f"{name} {table}.{column}": text for table, column, text in _columns(file)}
        elif not name.endswith(("-wal", "-shm")):
            found[name] = file.read_bytes().decode("latin-1")
    return found


def _columns(file: Path) -> Iterator[tuple[str, str, str]]:
    with closing(sqlite3.connect(file)) as connection:
        query = "select name from sqlite_master where type = 'table'"
        for (table,) in connection.execute(query).fetchall():
            for row in connection.execute(f"pragma table_info({table})").fetchall():
                if (table, row[1]) not in ALLOWED:
                    values = connection.execute(f'select "{row[1]}" from {table}').fetchall()
                    yield table, row[1], "\n".join(map(_text, (value for (value,) in values)))


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
