"""Rows of grants, what the hash chain says of each, and whether what one allowed may begin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, RowMapping, select, update

from state.action import Action
from state.approval import LedgerAction
from state.errors import NotFound
from state.grant import Grant
from tools.gate.ledger.hash_chain import fetch, sealed_entries
from tools.gate.ledger.rows import Policies, record_entry, row_hash
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import GRANTED
from tools.storage.tables.ledger import approval_grant as table

METHOD = "grant"
"""How a yes that a grant gave stands among the votes."""
MADE, USED, REVOKED = "granted", "grant used", "grant revoked"
"""Entries of the action that a grant started from."""
_ROW = f"select {', '.join(GRANTED)} from approval_grant where grant_id = ?"  # noqa: S608  # our own names


def why_not_grantable(action: Action, policies: Policies) -> str:
    """Tell why nobody can grant an action, by its pack or by policy; empty: an approver can."""
    if not action.grantable or action.name in policies.grants.never:
        return t("gate.grant.never", action=action.name)
    if action.approvers.quorum > 1 or action.approvers.four_eyes:
        return t("gate.grant.several_people", action=action.name)
    return ""


def why_grant_is_void(
    connection: Connection,
    database: Database,
    policies: Policies,
    action: Action,
    standing: LedgerAction,
) -> str | None:
    """Tell why an action that a grant allowed must not begin; None: it may, or people were asked.

    Whether a grant allowed it stands in the sealed entry of its yes. The last use may be taken:
    this one has it.
    """
    for entry in sealed_entries(connection, database, standing.action_id):
        body = orjson.loads(entry.body)
        if entry.event != "yes" or body.get("method") != METHOD:
            continue
        grant = find_grant(connection, body["grant"])
        now = connection.execute(select(database.now())).scalar_one()
        if grant is None or grant.revoked_at is not None or grant.until.timestamp() <= now:
            return t("gate.stale.grant")
        sealed = sealed_grant(connection, database, grant)
        if not sealed.is_whole or sealed.is_revoked:
            return t("gate.stale.grant")
        if why := why_not_grantable(action, policies):
            return why
    return None


def revoke_all(connection: Connection, database: Database, by: str) -> None:
    """Revoke every grant of every tenant: how often each was used is not known any more."""
    query = select(table).where(table.c.revoked_at.is_(None))
    for row in connection.execute(query).mappings().all():
        end_grant(connection, database, to_grant(row), by, ())


@dataclass(frozen=True)
class SealedGrant:
    """What the hash chain says of a grant."""

    is_whole: bool
    """Its row is what was granted."""
    is_revoked: bool
    uses: int
    amount: Decimal


def sealed_grant(connection: Connection, database: Database, grant: Grant) -> SealedGrant:
    """Read what the entries of the action that a grant started from say of it."""
    entries = [
        (entry, orjson.loads(entry.body))
        for entry in sealed_entries(connection, database, grant.action_id)
        if entry.event in (MADE, USED, REVOKED)
    ]
    own = [(entry, body) for entry, body in entries if body.get("grant") == grant.grant_id]
    made = [(entry.actor, body["row_sha256"]) for entry, body in own if entry.event == MADE]
    used = [body["amount"] or 0 for entry, body in own if entry.event == USED]
    return SealedGrant(
        is_whole=made == [(grant.granted_by, grant_hash(connection, grant.grant_id))],
        is_revoked=any(entry.event == REVOKED for entry, _body in own),
        uses=len(used),
        amount=sum(map(exact, used), Decimal(0)),
    )


def exact(amount: float) -> Decimal:
    """Turn an amount into decimals, so that sums are right to the cent."""
    return Decimal(repr(amount))


def grant_hash(connection: Connection, grant_id: str) -> str:
    """Hash the columns of a grant that never change, in hex."""
    [row] = fetch(connection, _ROW, (grant_id,))
    return row_hash(row)


def end_grant(
    connection: Connection,
    database: Database,
    grant: Grant,
    by: str,
    conditions: Sequence[ColumnElement[bool]],
) -> bool:
    """Revoke a grant that `conditions` hold for; False: one does not, or it is revoked already."""
    moved = connection.execute(
        update(table)
        .where(table.c.grant_id == grant.grant_id, table.c.revoked_at.is_(None), *conditions)
        .values(revoked_by=by, revoked_at=database.now())
    )
    if moved.rowcount:
        enter_grant(connection, database, grant, by, REVOKED, {})
    return bool(moved.rowcount)


def enter_grant(
    connection: Connection,
    database: Database,
    grant: Grant,
    actor: str,
    event: str,
    body: Mapping[str, Any],
) -> None:
    """Enter what happened to a grant, in the transaction in which it happens."""
    record_entry(
        connection,
        database,
        tenant_id=grant.tenant_id,
        action_id=grant.action_id,
        actor=actor,
        event=event,
        body={"grant": grant.grant_id, **body},
    )


def find_grant(connection: Connection, grant_id: str) -> Grant | None:
    """Read a grant; None: there is none."""
    query = select(table).where(table.c.grant_id == grant_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else to_grant(row)


def read_grant(connection: Connection, grant_id: str) -> Grant:
    """Read a grant.

    Raises:
        NotFound: there is none.
    """
    found = find_grant(connection, grant_id)
    if found is None:
        raise NotFound("grant", grant_id)
    return found


def to_grant(row: RowMapping) -> Grant:
    """Turn a row into the noun."""
    instants = {
        name: None if row[name] is None else datetime.fromtimestamp(row[name], UTC)
        for name in ("created_at", "until", "revoked_at")
    }
    return Grant.model_validate({**row, **instants})
