"""The vessel's SQLite file, seeded on first use, and the upgrade of an older one."""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prefrontal.pack import Conflict, PackStore, run_script

from .seed.plant import Seed, plant, read_seed

_ASIDE = "version_1_"
_NAMED_BY = {
    "crew": ("crew", "name"),
    "equipment": ("equipment", "name"),
    "families": ("family", "name"),
    "symptoms": ("symptom", "name"),
    "work_orders": ("work_order", "id"),
    "parts": ("part", "number"),
    "purchase_orders": ("purchase_order", "id"),
    "tasks": ("task", "id"),
    "documents": ("document", "id"),
    "faults": ("fault", "code"),
    "handovers": ("handover", "id"),
}
"""Kind of seed record: its table and the column that tells one from another."""
_ALSO_UNIQUE = {"parts": "name", "documents": "title"}


def set_aside(connection: sqlite3.Connection) -> Sequence[str]:
    """Rename every table out of the way and drop what can be made again; name the tables."""
    listed = "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'"
    for row in connection.execute(listed, ("index",)).fetchall():
        connection.execute(f"DROP INDEX {row[0]}")
    connection.execute("DROP TABLE document_text")
    tables = [str(row[0]) for row in connection.execute(listed, ("table",)).fetchall()]
    for table in tables:
        connection.execute(f"ALTER TABLE {table} RENAME TO {_ASIDE}{table}")
    return tables


def bring_over(connection: sqlite3.Connection, tables: Sequence[str], seed: Seed) -> None:
    """Copy every old row into the table of its name, and plant what was not known before.

    Raises:
        Conflict: a table has fewer rows than before; nothing may be kept of this.
    """
    for table in tables:
        columns = ", ".join(
            str(row["name"]) for row in connection.execute(f"PRAGMA table_info({_ASIDE}{table})")
        )
        connection.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_ASIDE}{table} ORDER BY rowid"  # noqa: S608  # names of ours
        )
        if _rows(connection, table) < _rows(connection, f"{_ASIDE}{table}"):
            raise Conflict(f"rows of {table} would be lost; keep the old file", "unusable")
        connection.execute(f"DROP TABLE {_ASIDE}{table}")
    connection.execute("INSERT INTO document_text SELECT id, title, text FROM document")
    plant(connection, _unknown_here(connection, seed))


def _unknown_here(connection: sqlite3.Connection, seed: Seed) -> Seed:
    """Leave out what the store has under the same id or name, and its alarms, which are its own."""
    kept: dict[str, Any] = dict(seed)  # Any: YAML's own values
    for kind, (table, column) in _NAMED_BY.items():
        there = {str(row[0]) for row in connection.execute(f"SELECT {column} FROM {table}")}  # noqa: S608  # names of ours
        records: Mapping[str, Any] | Sequence[Mapping[str, Any]] = seed[kind]
        if isinstance(records, Mapping):
            kept[kind] = {name: also for name, also in records.items() if name not in there}
            continue
        other = _ALSO_UNIQUE.get(kind, column)
        if other != column:
            there |= {str(row[0]) for row in connection.execute(f"SELECT {other} FROM {table}")}  # noqa: S608  # names of ours
        kept[kind] = [r for r in records if not there & {str(r[column]), str(r.get(other))}]
    kept["alarms"] = []
    return kept


def _rows(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608  # names of ours


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
