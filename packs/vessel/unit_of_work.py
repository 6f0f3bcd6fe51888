"""One unit of work on the store: reads, recorded changes, and who asked for it when."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from prefrontal.pack import Conflict, HandlerContext

from . import names

Row = Mapping[str, object]

_KEYS = {"crew": "name", "equipment": "name", "part": "number"}
"""Tables whose key is another column than `id`."""


@dataclass(frozen=True)
class RowChange:
    """One row before and after; None: it is not there."""

    table: str
    key: str
    before: Row | None
    after: Row | None


@dataclass
class UnitOfWork:
    """What every handler of the pack works with, inside the transaction somebody else holds.

    All changes go through `insert`, `update` and `delete`, so that the same handler can be run as
    a trial, which writes nothing, and so that what was done can be taken back row by row.
    """

    connection: sqlite3.Connection
    user: str
    now: datetime
    is_trial: bool = False
    changes: list[RowChange] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    """What the work rests on: target and the version of its row."""
    facts: list[tuple[str, str]] = field(default_factory=list)
    cents: int | None = None
    count: int | None = None
    recipients: list[str] = field(default_factory=list)
    first_found: tuple[names.Kind, sqlite3.Row] | None = None
    """What was looked up before all else: a change is about it."""

    @classmethod
    def of(
        cls, connection: sqlite3.Connection, context: HandlerContext, *, is_trial: bool = False
    ) -> "UnitOfWork":
        """Begin one for whoever asks."""
        return cls(connection, context.user, context.now, is_trial)

    @property
    def day(self) -> str:
        """Return the day it is, as ISO date."""
        return self.now.date().isoformat()

    def find(self, kind: names.Kind, wanted: str) -> sqlite3.Row:
        """Return the one record that `wanted` names, and remember its version.

        Raises:
            NotFound: nothing has that name.
            BadInput: several have it.
        """
        row = names.find(self.connection, kind, wanted)
        self.first_found = self.first_found or (kind, row)
        self.saw(kind.word, str(row[kind.key]), row)
        told = [str(row[column]).replace("_", " ") for column in kind.tells if row[column]]
        fact = (kind.word, ", ".join(told))
        if kind.tells and fact not in self.facts:
            self.facts.append(fact)
        return row

    def saw(self, word: str, key: str, row: sqlite3.Row | Row) -> None:
        """Remember in which state a row was found: when it changes, an approval is stale."""
        self.seen.setdefault(f"{word} {key}", version_of(dict(row)))

    def rows(self, query: str, *parameters: object) -> Sequence[sqlite3.Row]:
        """Return what a query finds."""
        return self.connection.execute(query, parameters).fetchall()

    def row(self, query: str, *parameters: object) -> sqlite3.Row | None:
        """Return the first row a query finds."""
        found: sqlite3.Row | None = self.connection.execute(query, parameters).fetchone()
        return found

    def insert(self, table: str, **values: object) -> int:
        """Add a row; returns its number, which is 0 in a trial."""
        number = 0
        if not self.is_trial:
            if _key_of(table) == "id" and "id" not in values:
                values = {"id": self._highest(table) + 1, **values}
            marks = ", ".join(f":{column}" for column in values)
            statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"  # noqa: S608  # names of ours
            number = self.connection.execute(statement, values).lastrowid or 0
        key = str(values.get(_key_of(table), number))
        row = self._standing(table, key) or values
        self.changes.append(RowChange(table, key, None, row))
        return number

    def update(self, table: str, key: str | int, **values: object) -> None:
        """Change some columns of a row that is there."""
        before = self._standing(table, str(key))
        if before is None:
            raise Conflict(f"{table} {key} is gone", "gone")
        after = {**before, **values}
        if after == before:
            return
        if not self.is_trial:
            columns = ", ".join(f"{column} = :{column}" for column in values)
            statement = f"UPDATE {table} SET {columns} WHERE {_key_of(table)} = :this_key"  # noqa: S608  # names of ours
            self.connection.execute(statement, {**values, "this_key": key})
        self.changes.append(RowChange(table, str(key), before, after))

    def delete(self, table: str, key: str | int) -> None:
        """Take a row away."""
        before = self._standing(table, str(key))
        if before is None:
            raise Conflict(f"{table} {key} is gone", "gone")
        if not self.is_trial:
            self.connection.execute(
                f"DELETE FROM {table} WHERE {_key_of(table)} = ?",  # noqa: S608  # names of ours
                (key,),
            )
        self.changes.append(RowChange(table, str(key), before, None))

    def put_back(self, change: RowChange) -> None:
        """Undo one change of a row, which has to stand as that change left it.

        Raises:
            Conflict: somebody has changed the row since.
        """
        if self._standing(change.table, change.key) != change.after:
            word = change.table.replace("_", " ")
            raise Conflict(f"{word} {change.key} has been changed since; put it right by hand", "")
        if change.after is None and change.before is not None:
            self.insert(change.table, **change.before)
        elif change.before is None:
            self.delete(change.table, change.key)
        else:
            self.update(change.table, change.key, **change.before)

    def next_id(self, table: str, prefix: str) -> str:
        """Make the id that follows the highest one there ever was: `WO-` gives WO-1071."""
        return f"{prefix}{self._highest(table, prefix) + 1:03d}"

    def changed(self, table: str) -> bool:
        """Tell whether a row of this table was changed."""
        return any(change.table == table for change in self.changes)

    def _highest(self, table: str, prefix: str = "") -> int:
        """Find the highest number a table has or had, so that none ever names another row.

        What was removed stands in the effects, of a store made before this was asked as well.
        """
        query = (
            f"SELECT key FROM (SELECT id AS key FROM {table} UNION ALL"  # noqa: S608  # names of ours
            " SELECT row_key FROM effect_row WHERE table_name = :table) WHERE key LIKE :like"
            " ORDER BY CAST(substr(key, :start) AS INTEGER) DESC LIMIT 1"
        )
        given = {"start": len(prefix) + 1, "like": f"{prefix}%", "table": table}
        found = self.connection.execute(query, given).fetchone()
        return 0 if found is None else int(str(found["key"])[len(prefix) :])

    def _standing(self, table: str, key: str) -> Row | None:
        found = self.row(f"SELECT * FROM {table} WHERE {_key_of(table)} = ?", key)  # noqa: S608  # names of ours
        return None if found is None else dict(found)


def version_of(row: Row) -> str:
    """Return a short hash over all columns of a row."""
    text = json.dumps(row, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _key_of(table: str) -> str:
    return _KEYS.get(table, "id")
