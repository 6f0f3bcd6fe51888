"""Count the yeses that stand behind an action now, not when they were given."""

from sqlalchemy import Connection, bindparam, select

from state.approval import LedgerAction
from tools.ledger.evidence import sealed_entries
from tools.storage.database import Database
from tools.storage.keys import is_good
from tools.storage.tables.decisions import api_key
from tools.storage.tables.ledger import ledger_approval

_SAID_YES = ("yes", "proposed approved")
"""At the gate; and by choosing a chip, which proposes and allows in one."""
_YES = select(ledger_approval.c.approver).where(
    ledger_approval.c.action_id == bindparam("action"),
    ledger_approval.c.decision == "approve",
    ledger_approval.c.digest_seen == bindparam("digest"),
)


def standing_yeses(
    connection: Connection,
    database: Database,
    standing: LedgerAction,
    roles: tuple[str, ...],
    *,
    four_eyes: bool,
) -> int:
    """Count the people whose yes to exactly this action still counts.

    A vote counts with the sealed entry that was made with it: one that another hand wrote into
    the database is none. Whoever has keys must have one that is good now and carries one of
    `roles` (none: any role); somebody without any key answered on this machine, and the yes
    counts as it was given.
    """
    found = connection.scalars(_YES, {"action": standing.action_id, "digest": standing.digest})
    entered = {
        entry.actor
        for entry in sealed_entries(connection, database, standing.action_id)
        if entry.event in _SAID_YES
    }
    return sum(
        1
        for approver in entered.intersection(found)
        if not (four_eyes and approver in (standing.requester, standing.editor))
        and _may_still(connection, database, standing.tenant_id, approver, roles)
    )


def may_still_ask(
    connection: Connection, database: Database, standing: LedgerAction, roles: tuple[str, ...]
) -> bool:
    """Tell whether who asked could ask today: an action runs with the asker's rights, not ours.

    As for a yes: somebody without any key asked on this machine or through a bridge.
    """
    tenant_id, requester = standing.tenant_id, standing.requester
    kinds: tuple[str, ...] = ("person", "service")
    return _may_still(connection, database, tenant_id, requester, roles, kinds)


def _may_still(
    connection: Connection,
    database: Database,
    tenant_id: str,
    user: str,
    roles: tuple[str, ...],
    kinds: tuple[str, ...] = ("person",),
) -> bool:
    keys = connection.execute(
        select(api_key.c.roles, api_key.c.kind, is_good(database).label("is_good")).where(
            api_key.c.tenant_id == tenant_id, api_key.c.user == user
        )
    ).all()
    return not keys or any(
        key.is_good and key.kind in kinds and (not roles or set(roles) & set(key.roles))
        for key in keys
    )
