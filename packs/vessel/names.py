"""Find a record by id, by name or by one of its other names."""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prefrontal.pack import BadInput, NotFound


@dataclass(frozen=True)
class Kind:
    """A kind of record: its word, the query for all of it, and the columns that name one."""

    word: str
    query: str
    columns: tuple[str, ...]
    key: str = "id"
    tells: tuple[str, ...] = ()
    """Columns that say to a person what one is."""
    has_also: bool = True


EQUIPMENT = Kind(
    "equipment",
    "SELECT * FROM equipment ORDER BY rowid",
    ("name",),
    key="name",
    tells=("name", "maker", "model", "location", "state"),
)
FAMILY = Kind("equipment", "SELECT * FROM family ORDER BY name", ("name",), key="name")
PART = Kind(
    "part",
    "SELECT * FROM part ORDER BY number",
    ("name", "number"),
    key="number",
    tells=("number", "name", "supplier"),
)
CREW = Kind(
    "crew member",
    "SELECT * FROM crew ORDER BY rowid",
    ("name",),
    key="name",
    tells=("name", "role"),
)
_SEPARATORS = re.compile(r"[\W_]+")

WORK_ORDER = Kind(
    "work order",
    "SELECT * FROM work_order ORDER BY id",
    ("id", "title"),
    tells=("id", "title", "equipment", "state", "priority", "assignee"),
)
TASK = Kind(
    "task",
    "SELECT * FROM task ORDER BY id",
    ("id", "title"),
    tells=("id", "title", "state", "assignee"),
    has_also=False,
)
DOCUMENT = Kind(
    "document",
    "SELECT * FROM document ORDER BY id",
    ("title", "id"),
    tells=("id", "title", "kind", "state"),
)
FAULT = Kind(
    "fault code",
    "SELECT * FROM fault ORDER BY code",
    ("code", "title"),
    key="code",
    has_also=False,
)
SYMPTOM = Kind("symptom", "SELECT * FROM symptom ORDER BY name", ("name",), key="name")
PURCHASE_ORDER = Kind(
    "purchase order",
    "SELECT * FROM purchase_order ORDER BY id",
    ("id",),
    tells=("id", "part", "state", "ordered_by"),
    has_also=False,
)
CERTIFICATE = Kind(
    "certificate",
    "SELECT * FROM certificate ORDER BY id",
    ("title", "id", "number"),
    tells=("id", "title", "number", "authority"),
)
CHECKLIST = Kind(
    "checklist", "SELECT * FROM checklist ORDER BY id", ("title", "id"), tells=("id", "title")
)
SHIPYARD = Kind(
    "shipyard",
    "SELECT * FROM shipyard ORDER BY name",
    ("name",),
    key="name",
    tells=("name", "place", "email"),
)
HANDOVER = Kind(
    "handover",
    "SELECT * FROM handover ORDER BY id",
    ("id",),
    tells=("id", "day", "watch", "officer", "state"),
    has_also=False,
)


def find(connection: sqlite3.Connection, kind: Kind, wanted: str) -> sqlite3.Row:
    """Return the one record that `wanted` names; case, spaces and hyphens do not matter.

    Raises:
        NotFound: nothing has that name.
        BadInput: several have it.
    """
    exact = _exactly(connection, kind, wanted)
    if exact is not None:
        return exact
    key = _squeezed(wanted)
    rows = connection.execute(kind.query).fetchall()
    proper = [row for row in rows if any(_squeezed(row[c]) == key for c in kind.columns)]
    found = proper or [row for row in rows if key in map(_squeezed, other_names(kind, row))]
    if not key or not found:
        raise NotFound(kind.word, wanted)
    if len(found) > 1:
        names = ", ".join(row[kind.columns[0]] for row in found)
        raise BadInput(f"{wanted!r} may be any of these: {names}; name one of them")
    record: sqlite3.Row = found[0]
    return record


def equipment_named(connection: sqlite3.Connection, wanted: str) -> Sequence[sqlite3.Row]:
    """Return the equipment that `wanted` names: one, or all of a family.

    Raises:
        NotFound: neither has that name.
    """
    try:
        return [find(connection, EQUIPMENT, wanted)]
    except NotFound:
        family = find(connection, FAMILY, wanted)["name"]
    query = "SELECT * FROM equipment WHERE family = ? ORDER BY rowid"
    return connection.execute(query, (family,)).fetchall()


def other_names(kind: Kind, row: sqlite3.Row | Mapping[str, Any]) -> list[str]:
    """List the names of a record beside its proper ones."""
    return [str(name) for name in json.loads(row["also"])] if kind.has_also else []


def _exactly(connection: sqlite3.Connection, kind: Kind, wanted: str) -> sqlite3.Row | None:
    """Return the record called exactly this, as routing names it: no need to fold every name."""
    named = " OR ".join(f"{column} = :wanted" for column in kind.columns)
    query = f"SELECT * FROM ({kind.query}) WHERE {named}"  # noqa: S608  # our own constants
    rows = connection.execute(query, {"wanted": wanted}).fetchall()
    record: sqlite3.Row | None = rows[0] if len(rows) == 1 else None
    return record


def _squeezed(name: str) -> str:
    """Fold case and drop all but letters and digits: `wo 1042` is `WO-1042`."""
    return _SEPARATORS.sub("", name).casefold()
