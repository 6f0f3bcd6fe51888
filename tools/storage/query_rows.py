"""What becomes of an action changes the row of the query that it was done for."""

from sqlalchemy import Connection, update

from state.approval import LedgerAction
from tools.storage.tables.queries import query_log


def note_settled(connection: Connection, action: LedgerAction) -> None:
    """Note what a person said became of an action that was taken for executed meanwhile."""
    note_undo(connection, action)
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


def note_undo(connection: Connection, action: LedgerAction) -> None:
    """Note that what was done for a query was taken back, if this action did so."""
    if action.undo_of is not None and action.state == "succeeded":
        connection.execute(
            update(query_log)
            .where(query_log.c.action_id == action.undo_of)
            .values(undo_triggered=True)
        )
