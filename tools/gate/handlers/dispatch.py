"""Dispatch an action to its handler by kind.

Transactional ones run inside the ledger's transaction.

Only the ledger's handler runner imports this; a test proves it. A transactional handler is limited
by SQLite's authorizer to the tables of its pack.
"""

import inspect
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from state.action import Action, ActionResult, HandlerContext
from tools.catalog import Pack
from tools.catalog.function_signatures import as_parameters
from tools.catalog.pack_code import call_contained
from tools.gate.handlers.python_handlers import (
    as_result,
    bind_arguments,
    call_python,
    find_function,
)
from tools.gate.handlers.remote_handlers import ExternalServices, call_http, call_mcp
from tools.storage.tables import decisions as tables
from tools.storage.tables import ledger as ledger_tables
from tools.storage.tables import observability as quality_table
from tools.storage.tables import observability as query_table
from tools.storage.tables.metadata import metadata

_NOWHERE = ExternalServices()


async def call_handler(
    pack: Pack,
    action: Action,
    context: HandlerContext,
    arguments: Mapping[str, Any],
    elsewhere: ExternalServices = _NOWHERE,
) -> ActionResult:
    """Run an action's handler.

    Raises:
        AgentError: it was refused, and by contract nothing was changed.
        Exception: whatever else the handler raised; what it did before is not known.
        TypeError: it gave back something that is not an ActionResult.
    """
    if action.http is not None:
        return await call_http(elsewhere.egress, action, context, arguments)
    if action.mcp is not None:
        return await call_mcp(elsewhere.servers, action, arguments)
    if action.handler is None:
        raise TypeError(f"{action.name} has no handler")
    given = elsewhere.services_for(find_function(pack, action.handler))
    result = await call_python(pack, action.handler, context, arguments, *given)
    return as_result(action.handler, result)


_STEPS_BETWEEN_LOOKS = 100_000
"""Of SQLite's machine: a tenth of a second at most before a statement notices that it is late."""
_FREE = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_ON_TABLES = frozenset(
    {sqlite3.SQLITE_READ, sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
)
_ON_SCHEMA = frozenset({sqlite3.SQLITE_READ, sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE})
"""What SQLite itself does to its schema when a table is created; it lets nobody else do it."""
_SCHEMA = frozenset({"sqlite_master", "sqlite_schema"})
_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})
_OURS = (ledger_tables, quality_table, query_table, tables)
"""Imported so that the metadata names every table that no pack may touch."""
_COUNTERS = "sqlite_sequence"
"""Made by SQLite itself with the first AUTOINCREMENT; no statement of ours could name it."""
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer"})


def call_inside(
    pack: Pack,
    action: Action,
    context: HandlerContext,
    connection: sqlite3.Connection,
    arguments: Mapping[str, Any],
    *,
    seconds: float,
) -> ActionResult:
    """Run a transactional handler; what it changes is committed with the ledger, or not at all.

    Args:
        seconds: a statement that runs longer than what is left of this is interrupted.

    Raises:
        AgentError: it was refused.
        Exception: whatever else the handler raised.
        TypeError: it is asynchronous, or gave back something that is not an ActionResult.
    """
    function = find_function(pack, action.handler or "")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"{action.name} is transactional; its handler must not be asynchronous")
    named = bind_arguments(
        function, action.handler or "", context, connection, **as_parameters(arguments)
    )
    with restricted_to_tables(connection, prefix=f"{pack.name}_", seconds=seconds):
        result = call_contained(function, context, connection, **named)
    if not connection.in_transaction:
        raise RuntimeError(f"{action.handler} ended a transaction that is not its own")
    return as_result(action.handler or action.name, result)


def call_builtin(
    pack: Pack,
    action: Action,
    context: HandlerContext,
    connection: Connection,
    arguments: Mapping[str, Any],
) -> ActionResult:
    """Run a handler of the service's own pack: our own code on our own tables, in the transaction.

    Raises:
        AgentError: it was refused.
    """
    function = find_function(pack, action.handler or "")
    return as_result(action.name, function(context, connection, **arguments))


@contextmanager
def restricted_to_tables(
    connection: sqlite3.Connection, *, prefix: str, seconds: float
) -> Iterator[None]:
    """Let through only what reads, changes and creates tables whose name begins with `prefix`."""
    deadline = time.monotonic() + seconds
    connection.set_authorizer(_Authorizer(prefix.lower()))
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)


class _Authorizer:
    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __call__(
        self,
        what: int,
        first: str | None,
        second: str | None,
        database: str | None,
        cause: str | None,
    ) -> int:
        return (
            sqlite3.SQLITE_OK if self._may(what, first, second, database) else sqlite3.SQLITE_DENY
        )

    def _may(self, what: int, first: str | None, second: str | None, database: str | None) -> bool:
        if what in _FREE:
            return True
        if what == sqlite3.SQLITE_FUNCTION:
            return second not in _FORBIDDEN_FUNCTIONS
        if what == sqlite3.SQLITE_READ and first in _TABLE_FUNCTIONS:
            return True
        if database not in ("main", None):  # no temporary tables, nothing attached
            return False
        if what in _ON_SCHEMA and first in _SCHEMA:
            return True
        if what == sqlite3.SQLITE_CREATE_TABLE and first == _COUNTERS:
            return True
        if what in _ON_TABLES or what in (sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_REINDEX):
            return self._is_ours(first)
        if what == sqlite3.SQLITE_CREATE_INDEX:
            return self._is_ours(second)
        return False

    def _is_ours(self, name: str | None) -> bool:
        if name is None:
            return False
        name = name.lower()
        if name.startswith("sqlite_autoindex_"):
            name = name.removeprefix("sqlite_autoindex_")
        return name.startswith(self._prefix) and name not in _core_tables()


def _core_tables() -> frozenset[str]:
    return frozenset({*metadata.tables, "alembic_version"})
