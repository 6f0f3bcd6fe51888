"""What an answer lists and a change is about, so that `it` and `the second one` are found later."""

import sqlite3
from collections.abc import Iterable

from pydantic import JsonValue

from .names import CREW, DOCUMENT, PURCHASE_ORDER, TASK, WORK_ORDER, Kind
from .unit_of_work import UnitOfWork

_MADE = {"work_order": WORK_ORDER, "task": TASK, "purchase_order": PURCHASE_ORDER}
"""Tables whose new row is what a change is about, whatever else it looked up."""


def listed(kind: Kind, rows: Iterable[sqlite3.Row]) -> dict[str, JsonValue]:
    """Say which things of a kind an answer lists, in its order and by the names slots take."""
    return listed_by_name(kind, (str(row[kind.columns[0]]) for row in rows))


def listed_by_name(kind: Kind, names: Iterable[str]) -> dict[str, JsonValue]:
    """Say the same of things whose names are at hand."""
    return {"listed": {type_of(kind): [*names]}}


def about(unit: UnitOfWork) -> dict[str, JsonValue]:
    """Say what a change is about: what it made, else what it looked up first and left there."""
    for change in unit.changes:
        if change.before is None and change.table in _MADE:
            return listed_by_name(_MADE[change.table], [change.key])
    if unit.first_found is None:
        if made := [one.after for one in unit.changes if one.table == "document" and one.after]:
            return listed_by_name(DOCUMENT, [str(made[0]["title"])])
        return {}
    kind, row = unit.first_found
    key = str(row[kind.key])
    is_gone = any(
        one.after is None and one.key == key and one.table == type_of(kind) for one in unit.changes
    )
    return {} if is_gone else listed(kind, [row])


def type_of(kind: Kind) -> str:
    """Name a kind as the pack's entity types do."""
    return "crew" if kind is CREW else kind.word.replace(" ", "_")
