"""Make a function of a pack a handler: one transaction, done once for one key, told again."""

import inspect
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from state.action import ActionResult, HandlerContext
from state.errors import Conflict
from state.preview import Change, Preview
from tools.pack_store.store import PackStore
from tools.pack_store.work import Work

P = ParamSpec("P")
W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)
SomeWork = TypeVar("SomeWork", bound=Work)


@dataclass(frozen=True)
class Call:
    """One call of a handler."""

    key: str
    """Idempotency key: a second call with it does nothing."""
    action: str
    arguments: Mapping[str, Any]  # by slot type


class EffectLog(Protocol[W_contra]):
    """Where a pack keeps what was done, in the transaction that does it."""

    def done(self, work: W_contra, call: Call) -> ActionResult | None:
        """Give the result when it was done before.

        Raises:
            Conflict: the key was used for something else.
        """
        ...

    def enter(self, work: W_contra, call: Call, result: ActionResult) -> ActionResult:
        """Enter what was done; gives the result with its changes in words."""
        ...


@dataclass(frozen=True)
class Effects(Generic[W]):
    """How the functions of one pack reach its store."""

    store: PackStore
    begin: Callable[[sqlite3.Connection, HandlerContext], W]
    log: EffectLog[W]

    def reads(
        self, work: Callable[Concatenate[W, P], ActionResult]
    ) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
        """Let a function answer from one snapshot of the store; what it writes is thrown away."""

        @wraps(work)
        def handler(
            context: HandlerContext, /, *given: P.args, **arguments: P.kwargs
        ) -> ActionResult:
            with self.store.reading(context.data_dir) as connection:
                return work(self.begin(connection, context), *given, **arguments)

        return handler

    def changes(
        self, work: Callable[Concatenate[W, P], ActionResult]
    ) -> Callable[Concatenate[HandlerContext, P], ActionResult]:
        """Let a function change the store in one transaction, once for one idempotency key.

        The effect is entered in that transaction. A second call with the key does nothing and
        gives the result of the first.

        Raises:
            Conflict: the key was used for something else.
        """

        @wraps(work)
        def handler(
            context: HandlerContext, /, *given: P.args, **arguments: P.kwargs
        ) -> ActionResult:
            call = Call(context.idempotency_key, work.__name__, arguments)
            with self.store.writing(context.data_dir) as connection:
                unit = self.begin(connection, context)
                done = self.log.done(unit, call)
                if done is not None:
                    return done
                return self.log.enter(unit, call, work(unit, *given, **arguments))

        return handler

    def was_done(self, context: HandlerContext) -> ActionResult | None:
        """Tell whether the effect with the context's key has happened, and with what result."""
        query = "SELECT result FROM effect WHERE idempotency_key = ?"
        with self.store.reading(context.data_dir) as connection:
            done = connection.execute(query, (context.idempotency_key,)).fetchone()
        return None if done is None else ActionResult.model_validate_json(done["result"])


class KeptResults:
    """Keeps key, action, result and time of each effect, in a table `effect` of these four."""

    def done(self, work: Work, call: Call) -> ActionResult | None:
        """Give the result of the call with this key. See EffectLog.done."""
        query = "SELECT action, result FROM effect WHERE idempotency_key = ?"
        done = work.connection.execute(query, (call.key,)).fetchone()
        if done is None:
            return None
        if done["action"] != call.action:
            raise Conflict(f"the key stands for another {done['action']}", "used")
        return ActionResult.model_validate_json(done["result"])

    def enter(self, work: Work, call: Call, result: ActionResult) -> ActionResult:
        """Enter the result, with the changes in words unless it tells them itself."""
        if not result.changed:
            result = result.model_copy(update={"changed": tuple(map(_in_words, work.changes))})
        work.connection.execute(
            "INSERT INTO effect VALUES (?, ?, ?, ?)",
            (call.key, call.action, result.model_dump_json(), work.now),
        )
        return result


def preview_of(
    store: PackStore, begin: Callable[[sqlite3.Connection, HandlerContext], SomeWork]
) -> Callable[[Callable[..., ActionResult]], Callable[..., Preview]]:
    """Make what makes the preview of a handler: its work and its refusals, all thrown away."""

    def previewed(handler: Callable[..., ActionResult]) -> Callable[..., Preview]:
        work = inspect.unwrap(handler)

        def preview(context: HandlerContext, **arguments: Any) -> Preview:  # by slot type
            with store.reading(context.data_dir) as connection:
                unit = begin(connection, context)
                work(unit, **arguments)
            return unit.told()

        return preview

    return previewed


def _in_words(change: Change) -> str:
    if change.before is None:
        return f"{change.target}: {change.field} {change.after}"
    if change.after is None:
        return f"{change.target}: {change.field} {change.before} removed"
    return f"{change.target}: {change.field} {change.before} → {change.after}"
