"""What changed in the packs' own stores: every row before and after, whatever the tables are."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]  # column to value, of any SQLite type
Table = Mapping[int, Row]


@dataclass
class StoreWatch:
    """Compares every SQLite file under a folder with what it was when last looked at."""

    folder: Path
    _known: dict[str, Table] = field(default_factory=dict)

    def changes(self, *, is_expected: bool = False) -> tuple[str, ...]:
        """Name the rows that changed since.

        A table seen for the first time is only learnt, unless a change `is_expected` now.
        """
        found: list[str] = []
        for name, rows in self._tables():
            before = self._known.get(name)
            if before is not None:
                found.extend(_differences(name, before, rows))
            elif is_expected and rows:
                found.append(f"{name}: new, with {len(rows)} row(s)")
            self._known[name] = rows
        return tuple(found)

    def _tables(self) -> Iterator[tuple[str, Table]]:
        for file in sorted(self.folder.rglob("*.sqlite")):
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                named = connection.execute(
                    "select name from sqlite_master where type = 'table' "
                    "and name not like 'sqlite_%' and sql not like '%virtual%' "
                    "and sql not like '%without rowid%' order by name"
                ).fetchall()
                for (table,) in named:
                    quoted = '"' + table.replace('"', '""') + '"'
                    rows = connection.execute(f"select rowid as _row, * from {quoted}")  # noqa: S608
                    yield table, {row["_row"]: _columns(row) for row in rows}


def _columns(row: sqlite3.Row) -> Row:
    return {name: row[name] for name in row.keys() if name != "_row"}  # noqa: SIM118


def _differences(table: str, before: Table, after: Table) -> Iterator[str]:
    for number, row in after.items():
        old = before.get(number)
        if old is None:
            yield f"{table}: added {_short(row)}"
            continue
        changed = [
            f"{name} {_value(old.get(name))} → {_value(value)}"
            for name, value in row.items()
            if value != old.get(name)
        ]
        if changed:
            yield f"{table} {_name(row, number)}: {', '.join(changed)}"
    for number in before.keys() - after.keys():
        yield f"{table}: removed {_short(before[number])}"


def _name(row: Row, number: int) -> str:
    return str(next((value for value in row.values() if isinstance(value, str)), number))


def _short(row: Row) -> str:
    return ", ".join(_value(value) for value in row.values() if value not in (None, ""))[:160]


def _value(value: object) -> str:
    return "nothing" if value is None else str(value)
