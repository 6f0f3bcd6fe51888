"""Make a function of the pack a handler: one transaction, done once for one key, told again."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from state.action import ActionResult, HandlerContext
from state.errors import Conflict
from state.preview import Change, Fact, Preview

from .store import reading, writing
from .work import Work

P = ParamSpec("P")

MOST_CHANGES = 500
MOST_FACTS = 50


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
            done = unit.row(
                "SELECT action, result FROM effect WHERE idempotency_key = ?",
                context.idempotency_key,
            )
            if done is not None:
                if done["action"] != work.__name__:
                    raise Conflict(f"the key stands for another {done['action']}", "used")
                return ActionResult.model_validate_json(done["result"])
            result = work(unit, *given, **arguments)
            if not result.changed:
                lines = tuple(map(_in_words, unit.changes))
                result = result.model_copy(update={"changed": lines})
            unit.run(
                "INSERT INTO effect VALUES (?, ?, ?, ?)",
                context.idempotency_key,
                work.__name__,
                result.model_dump_json(),
                unit.now,
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
        return Preview(
            facts=tuple(Fact(label=name, value=value) for name, value in unit.facts[:MOST_FACTS]),
            changes=tuple(unit.changes[:MOST_CHANGES]),
            count=unit.count,
            recipients=tuple(unit.recipients),
            versions=unit.seen,
        )

    return preview


def _in_words(change: Change) -> str:
    before, after = change.before, change.after
    if before is None:
        return f"{change.target}: {change.field} {after}"
    if after is None:
        return f"{change.target}: {change.field} {before} removed"
    return f"{change.target}: {change.field} {before} → {after}"
