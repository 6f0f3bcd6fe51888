"""Undo state in the ledger's rows, and the later outcome of an action in the query log."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, or_, select, update

from state.approval import LedgerAction
from state.errors import Conflict, NotFound
from tools.platform.texts import t
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action as table
from tools.storage.tables.observability import query_log


def log_resolution(connection: Connection, action: LedgerAction) -> None:
    """Note what a person said became of an action that was taken for executed meanwhile."""
    log_undo(connection, action)
    if action.state == "failed":
        connection.execute(
            update(query_log)
            .where(query_log.c.action_id == action.action_id)
            .values(
                action_executed=None,
                execution_method=None,
                executed_at=None,
                time_to_action_ms=None,
            )
        )


def log_undo(connection: Connection, action: LedgerAction) -> None:
    """Note that what was done for a query was taken back, if this action did so."""
    if action.undo_of is not None and action.state == "succeeded":
        connection.execute(
            update(query_log)
            .where(query_log.c.action_id == action.undo_of)
            .values(undo_triggered=True)
        )


CAME_TO_NOTHING = ("failed", "rejected", "expired", "stale")
"""States of an undo after which its action may be taken back all the same."""


def mark_undo(
    connection: Connection,
    database: Database,
    *,
    action_id: str,
    tenant_id: str,
    user: str,
    decision_id: str,
    action: str,
    arguments: Mapping[str, Any],
) -> None:
    """Write down that a person takes an action back; the caller accepts the event in one go.

    An undo that was refused, failed or never proposed frees its action for another try.

    Raises:
        NotFound: no such action in the tenant.
        Conflict: it did not succeed, has no undo, is too old, or is being taken back already.
    """
    row = demand_undoable(connection, action_id, tenant_id)
    taken = connection.execute(
        update(table)
        .where(table.c.action_id == action_id, table.c.undo_until > database.now())
        .values(
            undo_decision_id=decision_id,
            undo_by=user,
            undo_arguments={
                **(row.undo_arguments or {}),
                "action": action,
                "arguments": dict(arguments),
            },
        )
    )
    if taken.rowcount == 0:
        raise Conflict(t("gate.undo.too_late", summary=row.summary), "undo_expired")


def demand_undoable(connection: Connection, action_id: str, tenant_id: str) -> Row[Any]:
    """Read the row of an action that may be taken back, if it still is time.

    Raises:
        NotFound, Conflict: see mark_undo.
    """
    row = connection.execute(
        select(table, _is_under_way().label("is_under_way")).where(
            table.c.action_id == action_id, table.c.tenant_id == tenant_id
        )
    ).first()
    if row is None:
        raise NotFound("action", action_id)
    if row.state != "succeeded":
        raise Conflict(t("gate.undo.nothing", summary=row.summary, state=row.state), row.state)
    if row.undo_until is None:
        raise Conflict(t("gate.undo.impossible", summary=row.summary), "not_undoable")
    if row.undo_at is not None:
        raise Conflict(t("gate.undo.done", summary=row.summary, undo_by=row.undo_by), "undone")
    if row.is_under_way:
        raise Conflict(
            t("gate.undo.running", summary=row.summary, undo_by=row.undo_by), "undo_asked"
        )
    return row


def handler_undo(connection: Connection, action_id: str) -> Mapping[str, Any] | None:
    """Read what a handler told undoes its action; None: it told nothing."""
    return _undo_arguments(connection, action_id).get("told")


def state_after_action(connection: Connection, action_id: str) -> Mapping[str, Any] | None:
    """Read how what an undo would change stood right after its action; None: nobody looked."""
    return _undo_arguments(connection, action_id).get("left")


def _undo_arguments(connection: Connection, action_id: str) -> Mapping[str, Any]:
    query = select(table.c.undo_arguments).where(table.c.action_id == action_id)
    return connection.scalar(query) or {}


def _is_under_way() -> ColumnElement[bool]:
    """Build: the last undo asked for is still being decided, waits for a yes, or may have happened.

    Between its click and its proposal only its decision tells of it.
    """
    tries = table.alias("tries")
    of_it = (
        tries.c.decision_id == table.c.undo_decision_id,
        tries.c.undo_of.is_not(None),
        tries.c.state != "superseded",  # an edit took its place
    )
    tried = select(tries.c.action_id).where(*of_it)
    its = decision.alias("its")  # by a name of its own: a query may join decisions of others
    being_decided = select(its.c.decision_id).where(
        its.c.decision_id == table.c.undo_decision_id, its.c.standing != "recorded"
    )
    return or_(
        tried.where(tries.c.state.not_in(CAME_TO_NOTHING)).exists(),
        and_(~tried.exists(), being_decided.exists()),
    )


def open_undo_window(
    connection: Connection, database: Database, action_id: str, *, minutes: float | None
) -> None:
    """Open the window of an action that has just succeeded, and close that of what it undid.

    Args:
        minutes: how long it can be taken back; None: its entry has no undo.
    """
    if minutes is not None:
        connection.execute(
            update(table)
            .where(table.c.action_id == action_id, table.c.state == "succeeded")
            .values(undo_until=table.c.finished_at + minutes * 60)
        )
    undo = table.alias("undo")
    of_it = (undo.c.action_id == action_id, undo.c.state == "succeeded")
    connection.execute(
        update(table)
        .where(table.c.action_id == select(undo.c.undo_of).where(*of_it).scalar_subquery())
        .values(undo_at=select(undo.c.finished_at).where(*of_it).scalar_subquery())
    )


def undoable(database: Database) -> tuple[Any, ...]:  # SQLAlchemy's conditions
    """Build the conditions of what can be taken back at this moment."""
    return (
        table.c.state == "succeeded",
        table.c.undo_until > database.now(),
        table.c.undo_at.is_(None),
        ~_is_under_way(),
    )
