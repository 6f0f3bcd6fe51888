"""Make a function of the pack a handler: one transaction, done once for one key, told again."""

import inspect
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from state.action import ActionResult, HandlerContext
from state.errors import Conflict, NotFound
from state.preview import Change, Preview

from .store import reading, writing

P = ParamSpec("P")


@dataclass
class Work:
    """What every handler works with, inside the transaction somebody else holds."""

    connection: sqlite3.Connection
    context: HandlerContext
    changes: list[Change] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def now(self) -> str:
        """Tell when, in ISO form."""
        return self.context.now.isoformat(timespec="seconds")

    def row(self, table: str, prefix: str, name: str) -> sqlite3.Row:
        """Read a note or a place by its id, and rest on what it is now.

        Raises:
            NotFound: there is none.
        """
        number = int(name.removeprefix(prefix))
        query = f"SELECT * FROM {table} WHERE number = ?"  # noqa: S608  # a name of ours
        row: sqlite3.Row | None = self.connection.execute(query, (number,)).fetchone()
        if row is None:
            raise NotFound(table, name)
        self.versions[name] = "deleted" if row["is_deleted"] else "kept"
        return row

    def change(self, target: str, name: str, before: str | None, after: str | None) -> None:
        """Note what is changed, for the person who is asked and for the record."""
        self.changes.append(Change(target=target, field=name, before=before, after=after))


def reads(
    work: Callable[Concatenate[Work, P], ActionResult],
) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
    """Let a function answer from one snapshot of the store."""

    @wraps(work)
    def handler(context: HandlerContext, /, *given: P.args, **arguments: P.kwargs) -> ActionResult:
        with reading(context.data_dir) as connection:
            return work(Work(connection, context), *given, **arguments)

    return handler


def changes(
    work: Callable[Concatenate[Work, P], ActionResult],
) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
    """Let a function change the store in one transaction, once for one idempotency key.

    Raises:
        Conflict: the key was used for another action.
    """

    @wraps(work)
    def handler(context: HandlerContext, /, *given: P.args, **arguments: P.kwargs) -> ActionResult:
        with writing(context.data_dir) as connection:
            unit = Work(connection, context)
            key = context.idempotency_key
            query = "SELECT action, result FROM effect WHERE idempotency_key = ?"
            done = connection.execute(query, (key,)).fetchone()
            if done is not None:
                if done["action"] != work.__name__:
                    raise Conflict(f"the key stands for another {done['action']}", "used")
                return ActionResult.model_validate_json(done["result"])
            result = work(unit, *given, **arguments)
            lines = tuple(map(_in_words, unit.changes))
            result = result.model_copy(update={"changed": lines})
            connection.execute(
                "INSERT INTO effect VALUES (?, ?, ?, ?)",
                (key, work.__name__, result.model_dump_json(), unit.now),
            )
            return result

    return handler


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    with reading(context.data_dir) as connection:
        done = connection.execute(
            "SELECT result FROM effect WHERE idempotency_key = ?", (context.idempotency_key,)
        ).fetchone()
    return None if done is None else ActionResult.model_validate_json(done["result"])


def preview_of(handler: Callable[..., ActionResult]) -> Callable[..., Preview]:
    """Make the preview of a handler: the same work and the same refusals, all thrown away."""
    work = inspect.unwrap(handler)

    def preview(context: HandlerContext, **arguments: Any) -> Preview:  # by slot type
        with reading(context.data_dir) as connection:
            unit = Work(connection, context)
            work(unit, **arguments)
        return Preview(changes=tuple(unit.changes), versions=unit.versions)

    return preview


def _in_words(change: Change) -> str:
    if change.before is None:
        return f"{change.target}: {change.field} {change.after}"
    if change.after is None:
        return f"{change.target}: {change.field} {change.before} removed"
    return f"{change.target}: {change.field} {change.before} → {change.after}"
