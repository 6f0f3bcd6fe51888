"""Show what a handler would change, by running the handler itself where nothing is written."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from state.action import ActionResult, HandlerContext
from state.preview import Change, Fact, Preview

from .store import reading
from .unit_of_work import RowChange, UnitOfWork, version_of
from .wording import column_in_words, shown

MOST_CHANGES = 500
MOST_FACTS = 50
_NOT_SHOWN = frozenset({"also", "content", "id", "name", "number"})
_NO_TARGETS = frozenset({"document_text"})
"""Tables that only serve another one."""


def preview_of(handler: Callable[..., ActionResult]) -> Callable[..., Preview]:
    """Make the preview of a handler: the same function, the same refusals, and no change."""
    work = inspect.unwrap(handler)

    def preview(context: HandlerContext, **arguments: Any) -> Preview:  # by slot type
        with reading(context.data_dir) as connection:
            connection.execute("PRAGMA query_only = ON")  # a slip of ours is an error, not a write
            unit = UnitOfWork.of(connection, context, is_trial=True)
            work(unit, **arguments)
        return _told(unit)

    return preview


def _told(unit: UnitOfWork) -> Preview:
    for change in unit.changes:
        if change.before is not None and change.table not in _NO_TARGETS:
            word = change.table.replace("_", " ")
            unit.seen.setdefault(f"{word} {change.key}", version_of(change.before))
    lines = [line for change in unit.changes for line in _lines(change)]
    facts = [Fact(label=label, value=value) for label, value in unit.facts[:MOST_FACTS]]
    return Preview(
        facts=tuple(facts),
        changes=tuple(lines[:MOST_CHANGES]),
        count=unit.count,
        amount=None if unit.cents is None else unit.cents / 100,
        currency="" if unit.cents is None else "EUR",
        recipients=tuple(unit.recipients),
        versions=unit.seen,
    )


def _lines(change: RowChange) -> Iterator[Change]:
    """Tell a change column by column; what stays as it is, is left out."""
    if change.table in _NO_TARGETS:
        return
    before, after = change.before or {}, change.after or {}
    word = change.table.replace("_", " ")
    target = f"new {word}" if change.before is None else f"{word} {change.key}"
    for column in before or after:
        if column in _NOT_SHOWN or before.get(column) == after.get(column):
            continue
        yield Change(
            target=target,
            field=column_in_words(column),
            before=shown(column, before.get(column)),
            after=shown(column, after.get(column)),
        )
