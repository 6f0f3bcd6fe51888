"""Make a function of the pack a handler: one transaction, done once for one key, told again."""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from state.action import ActionResult, HandlerContext
from state.errors import Conflict

from .store import reading, writing
from .unit_of_work import RowChange, UnitOfWork
from .wording import change_in_words

P = ParamSpec("P")

_ENTER = "INSERT INTO effect (idempotency_key, action, asked, result, at) VALUES (?, ?, ?, ?, ?)"
_ENTER_ROW = (
    "INSERT INTO effect_row (effect, table_name, row_key, before, after) VALUES (?, ?, ?, ?, ?)"
)
_NEWEST = """
SELECT idempotency_key FROM effect JOIN effect_row ON effect = idempotency_key
WHERE action = ? AND table_name = ? AND row_key = ? AND taken_back = 0
ORDER BY effect_row.id DESC LIMIT 1
"""


def reads(
    work: Callable[Concatenate[UnitOfWork, P], ActionResult],
) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
    """Let a function answer from one snapshot of the store; whatever it writes is thrown away."""

    @wraps(work)
    def handler(context: HandlerContext, /, *given: P.args, **arguments: P.kwargs) -> ActionResult:
        with reading(context.data_dir) as connection:
            return work(UnitOfWork.of(connection, context), *given, **arguments)

    return handler


def changes(
    work: Callable[Concatenate[UnitOfWork, P], ActionResult],
) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
    """Let a function change the store in one transaction, once for one idempotency key.

    The effect is entered in that transaction. A second call with the key does nothing and gives
    the result of the first.

    Raises:
        Conflict: the key was used for another action or other arguments.
    """

    @wraps(work)
    def handler(context: HandlerContext, /, *given: P.args, **arguments: P.kwargs) -> ActionResult:
        asked = hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
        key = context.idempotency_key
        with writing(context.data_dir) as connection:
            unit = UnitOfWork.of(connection, context)
            done = unit.row(
                "SELECT action, asked, result FROM effect WHERE idempotency_key = ?", key
            )
            if done is not None:
                if (done["action"], done["asked"]) != (work.__name__, asked):
                    raise Conflict(f"key {key} stands for another {done['action']}", "used")
                return ActionResult.model_validate_json(done["result"])
            result = work(unit, *given, **arguments)
            if not result.changed:
                lines = tuple(filter(None, map(change_in_words, unit.changes)))
                result = result.model_copy(update={"changed": lines})
            stored = (key, work.__name__, asked, result.model_dump_json(), unit.now.isoformat())
            connection.execute(_ENTER, stored)
            connection.executemany(_ENTER_ROW, [_row(key, change) for change in unit.changes])
            return result

    return handler


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    with reading(context.data_dir) as connection:
        done = connection.execute(
            "SELECT result FROM effect WHERE idempotency_key = ?", (context.idempotency_key,)
        ).fetchone()
    return None if done is None else ActionResult.model_validate_json(done["result"])


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


def _row(key: str, change: RowChange) -> tuple[str, str, str, str | None, str | None]:
    sides = [
        None if row is None else json.dumps(dict(row)) for row in (change.before, change.after)
    ]
    return (key, change.table, change.key, sides[0], sides[1])
