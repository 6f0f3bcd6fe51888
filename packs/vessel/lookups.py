"""Names of everything in the store now, by entity type: id to other names."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import names
from .store import reading, written_at

Names = Mapping[str, Sequence[str]]
_Rows = tuple[tuple[Any, ...], ...]
_KINDS = (
    names.EQUIPMENT,
    names.FAMILY,
    names.PART,
    names.CREW,
    names.DOCUMENT,
    names.TASK,
    names.SYMPTOM,
    names.FAULT,
    names.WORK_ORDER,
    names.PURCHASE_ORDER,
    names.CERTIFICATE,
    names.CHECKLIST,
    names.SHIPYARD,
    names.HANDOVER,
)
_VESSELS_KEPT = 16
_WORDS_KEPT = 10_000


def equipment(data_dir: Path) -> Names:
    """Name each piece of equipment, and each family of it."""
    return {**_named(data_dir, names.EQUIPMENT), **_named(data_dir, names.FAMILY)}


def parts(data_dir: Path) -> Names:
    """Name each part by its name: number, other names and their plurals with it."""
    return {
        name: [*others, *map(_plural, (name, *others))]
        for name, others in _named(data_dir, names.PART).items()
    }


def crew(data_dir: Path) -> Names:
    """Name everybody on board."""
    return _named(data_dir, names.CREW)


def documents(data_dir: Path) -> Names:
    """Name each document by its title."""
    return _named(data_dir, names.DOCUMENT)


def tasks(data_dir: Path) -> Names:
    """Name each task by its id, with its title."""
    return _named(data_dir, names.TASK)


def symptoms(data_dir: Path) -> Names:
    """Name each symptom the fault table knows."""
    return _named(data_dir, names.SYMPTOM)


def fault_codes(data_dir: Path) -> Names:
    """Name each fault code, with its title."""
    return _named(data_dir, names.FAULT)


def work_orders(data_dir: Path) -> Names:
    """Name each work order by its id, with its title and what people call the job."""
    return {
        order: [order.replace("-", " "), *others]
        for order, others in _named(data_dir, names.WORK_ORDER).items()
    }


def purchase_orders(data_dir: Path) -> Names:
    """Name each purchase order by its id."""
    return {order: [order.replace("-", " ")] for order in _named(data_dir, names.PURCHASE_ORDER)}


def certificates(data_dir: Path) -> Names:
    """Name each certificate by its title, with its id and number."""
    return _named(data_dir, names.CERTIFICATE)


def checklists(data_dir: Path) -> Names:
    """Name each checklist by its title, with its id."""
    return _named(data_dir, names.CHECKLIST)


def shipyards(data_dir: Path) -> Names:
    """Name each shipyard."""
    return _named(data_dir, names.SHIPYARD)


def handovers(data_dir: Path) -> Names:
    """Name each handover by its id."""
    return {sheet: [sheet.replace("-", " ")] for sheet in _named(data_dir, names.HANDOVER)}


def exports(data_dir: Path) -> Names:
    """Name each export by its id."""
    with reading(data_dir) as connection:
        rows = connection.execute("SELECT id FROM export").fetchall()
    return {str(row["id"]): [str(row["id"]).replace("-", " ")] for row in rows}


def report_periods(data_dir: Path) -> Names:
    """Name each month with hours of rest on record: `2026-05` is `May 2026`."""
    with reading(data_dir) as connection:
        rows = connection.execute("SELECT DISTINCT substr(day, 1, 7) FROM rest_day").fetchall()
    months = [date.fromisoformat(f"{row[0]}-01") for row in rows]
    return {f"{month:%Y-%m}": [f"{month:%B %Y}"] for month in months}


def _named(data_dir: Path, kind: names.Kind) -> Mapping[str, list[str]]:
    """Map the first naming column to the other ones and the other names."""
    return _everything_named(data_dir, written_at(data_dir))[kind.query]


@lru_cache(maxsize=_VESSELS_KEPT)
def _everything_named(data_dir: Path, _written: object) -> Mapping[str, Mapping[str, list[str]]]:
    # All kinds at once, until the store is written again: after each change every kind is asked
    # for, and opening the store costs more than reading it.
    with reading(data_dir) as connection:
        return {kind.query: _names_in(kind, _read(connection, kind)) for kind in _KINDS}


def _read(connection: sqlite3.Connection, kind: names.Kind) -> _Rows:
    columns = ", ".join(_columns(kind))
    query = kind.query.replace("*", columns, 1)  # a record may be long, its names are short
    return tuple(map(tuple, connection.execute(query)))


def _columns(kind: names.Kind) -> tuple[str, ...]:
    return (*kind.columns, "also") if kind.has_also else kind.columns


@lru_cache(maxsize=_VESSELS_KEPT * len(_KINDS))
def _names_in(kind: names.Kind, rows: _Rows) -> Mapping[str, list[str]]:
    # Most changes touch one kind: the rows of the others are equal to those read before.
    records = [dict(zip(_columns(kind), row, strict=True)) for row in rows]
    return {str(record[kind.columns[0]]): _others(kind, record) for record in records}


def _others(kind: names.Kind, record: Mapping[str, Any]) -> list[str]:
    proper = [str(record[column]) for column in kind.columns[1:]]
    return [*proper, *names.other_names(kind, record)]


@lru_cache(maxsize=_WORDS_KEPT)
def _plural(name: str) -> str:
    if name.endswith("y") and not name.endswith(("ay", "ey", "oy", "uy")):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"
