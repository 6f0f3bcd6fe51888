"""Handlers as one idempotent transaction, and the entities that an answer lists."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable

from pydantic import JsonValue

from prefrontal.pack import ActionResult, Call, Conflict, Effects, HandlerContext

from .formatting import change_in_words
from .names import CREW, DOCUMENT, PURCHASE_ORDER, TASK, WORK_ORDER, Kind
from .store import STORE
from .unit_of_work import RowChange, UnitOfWork

_MADE = {"work_order": WORK_ORDER, "task": TASK, "purchase_order": PURCHASE_ORDER}
"""Tables whose new row is what a change is about, whatever else it looked up."""


def listed(kind: Kind, rows: Iterable[sqlite3.Row]) -> dict[str, JsonValue]:
    """Say which things of a kind an answer lists, in its order and by the names slots take."""
    return listed_by_name(kind, (str(row[kind.columns[0]]) for row in rows))


def listed_by_name(kind: Kind, names: Iterable[str]) -> dict[str, JsonValue]:
    """Say the same of things whose names are at hand."""
    return {"listed": {type_of(kind): [*names]}}


def concerning(unit: UnitOfWork) -> dict[str, JsonValue]:
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


_ENTER = "INSERT INTO effect (idempotency_key, action, asked, result, at) VALUES (?, ?, ?, ?, ?)"
_ENTER_ROW = (
    "INSERT INTO effect_row (effect, table_name, row_key, before, after) VALUES (?, ?, ?, ?, ?)"
)
_NEWEST = """
SELECT idempotency_key FROM effect JOIN effect_row ON effect = idempotency_key
WHERE action = ? AND table_name = ? AND row_key = ? AND taken_back = 0
ORDER BY effect_row.id DESC LIMIT 1
"""


class _Log:
    """Keeps every effect with what was asked, and every row it changed."""

    def done(self, unit: UnitOfWork, call: Call) -> ActionResult | None:
        """Give the result of the call with this key. See EffectLog.done."""
        query = "SELECT action, asked, result FROM effect WHERE idempotency_key = ?"
        done = unit.row(query, call.key)
        if done is None:
            return None
        if (done["action"], done["asked"]) != (call.action, _asked(call)):
            raise Conflict(f"key {call.key} stands for another {done['action']}", "used")
        return ActionResult.model_validate_json(done["result"])

    def enter(self, unit: UnitOfWork, call: Call, result: ActionResult) -> ActionResult:
        """Enter the result and the rows, so that what was done can be taken back.

        The result says what it is about, so that `it` is found when the talk goes on.
        """
        if not result.changed:
            lines = tuple(filter(None, map(change_in_words, unit.changes)))
            result = result.model_copy(update={"changed": lines})
        result = result.model_copy(update={"data": {**concerning(unit), **result.data}})
        stored = (call.key, call.action, _asked(call), result.model_dump_json())
        unit.connection.execute(_ENTER, (*stored, unit.now.isoformat()))
        unit.connection.executemany(_ENTER_ROW, [_row(call.key, one) for one in unit.changes])
        return result


_EFFECTS: Effects[UnitOfWork] = Effects(STORE, UnitOfWork.of, _Log())
reads = _EFFECTS.reads
changes = _EFFECTS.changes


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    return _EFFECTS.was_done(context)


def take_back(unit: UnitOfWork, action: str, table: str, key: str) -> bool:
    """Put back every row that the newest `action` on this row changed; False: there is none.

    Raises:
        Conflict: one of the rows has been changed since.
    """
    newest = unit.row(_NEWEST, action, table, key)
    if newest is None:
        return False
    effect = newest["idempotency_key"]
    query = "SELECT * FROM effect_row WHERE effect = ? ORDER BY id DESC"
    for row in unit.rows(query, effect):
        before, after = (
            json.loads(row[side]) if row[side] else None for side in ("before", "after")
        )
        unit.put_back(RowChange(row["table_name"], row["row_key"], before, after))
    if not unit.is_trial:
        unit.connection.execute(
            "UPDATE effect SET taken_back = 1 WHERE idempotency_key = ?", (effect,)
        )
    return True


def _asked(call: Call) -> str:
    return hashlib.sha256(json.dumps(call.arguments, sort_keys=True).encode()).hexdigest()


def _row(key: str, change: RowChange) -> tuple[str, str, str, str | None, str | None]:
    sides = [
        None if row is None else json.dumps(dict(row)) for row in (change.before, change.after)
    ]
    return (key, change.table, change.key, sides[0], sides[1])
