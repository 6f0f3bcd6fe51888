"""Read and write ledger rows inside a transaction; every change leaves an entry."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, select

from state.approval import LedgerAction
from state.errors import NotFound
from state.outcome import ActionOutcome
from tools.ledger.chain import append
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action, ledger_approval

# Built once: putting a statement together costs as much as running it.
_ACTION = select(ledger_action).where(ledger_action.c.action_id == bindparam("wanted"))
_VOTES = (
    select(ledger_approval.c.approver)
    .join(ledger_action, ledger_action.c.action_id == ledger_approval.c.action_id)
    .where(
        ledger_approval.c.action_id == bindparam("wanted"),
        ledger_approval.c.decision == "approve",
        ledger_approval.c.digest_seen == ledger_action.c.digest,
    )
    .order_by(ledger_approval.c.decided_at, ledger_approval.c.approver)
)


def read_action(
    connection: Connection, action_id: str, tenant_id: str | None = None
) -> LedgerAction:
    """Read one action; with a tenant given, another tenant's is not there.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_ACTION, {"wanted": action_id}).mappings().first()
    if row is None or tenant_id not in (None, row["tenant_id"]):
        raise NotFound("approval", action_id)
    # A read needs nobody's yes, and is the one kind that has to be quick.
    votes = () if row["execution_class"] == "A" else yes_votes(connection, action_id)
    return to_action(row, votes)


def newest(connection: Connection, action_id: str) -> LedgerAction:
    """Read what an action has become by being edited; itself when it was not.

    Raises:
        NotFound: there is none.
    """
    standing = read_action(connection, action_id)
    while standing.replaced_by is not None:
        standing = read_action(connection, standing.replaced_by)
    return standing


def yes_votes(connection: Connection, action_id: str) -> tuple[str, ...]:
    """Name who said yes to exactly this action, to be told; `votes` tells whose yes counts."""
    return tuple(connection.execute(_VOTES, {"wanted": action_id}).scalars())


def to_action(row: RowMapping, said_yes: tuple[str, ...]) -> LedgerAction:
    """Turn a row into the noun."""
    fields = {
        name: instant(row[name]) if name.endswith(("_at", "_until")) else row[name]
        for name in LedgerAction.model_fields
        if name not in ("approvals", "said_yes", "duplicates", "request")
    }
    votes = {"approvals": len(said_yes), "said_yes": said_yes}
    return LedgerAction.model_validate(fields | votes)


def to_outcome(standing: LedgerAction) -> ActionOutcome:
    """Tell what came of an action, as the ledger has it."""
    result = standing.result or {}
    return ActionOutcome(
        action_id=standing.action_id,
        state=standing.state,
        executed_now=False,
        text=result.get("text", ""),
        data=result.get("data", {}),
        changed=tuple(result.get("changed", ())),
        reason=standing.reason,
        summary=standing.summary,
        decided_by=standing.decided_by,
        arguments=standing.arguments,
        undo_minutes=_undo_minutes(standing),
    )


def _undo_minutes(standing: LedgerAction) -> float | None:
    if standing.undo_until is None or standing.finished_at is None:
        return None
    return round((standing.undo_until - standing.finished_at).total_seconds() / 60, 1)


def enter(
    connection: Connection,
    database: Database,
    *,
    tenant_id: str,
    action_id: str,
    actor: str,
    event: str,
    body: Mapping[str, Any] | None = None,
) -> None:
    """Append what happened to an action, in the transaction in which it happens."""
    append(
        connection,
        database,
        tenant_id=tenant_id,
        action_id=action_id,
        actor=actor,
        event=event,
        body=body or {},
    )
    database.on_entry(connection, action_id, event)


def instant(seconds: float | None) -> datetime | None:
    """Turn seconds since 1970, as a column holds them, into an aware time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
