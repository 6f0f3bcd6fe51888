"""The chain: every entry is sealed together with the one before it, tenant by tenant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, Text, bindparam, insert, select, type_coerce

from tools.canonical_json import sorted_json
from tools.storage.database import Database
from tools.storage.seal import Seal
from tools.storage.tables.ledger import ledger_anchor, ledger_entry

START = ""
"""What stands before a tenant's first entry, when nothing older than the chain is there."""

# Built once: putting a statement together costs as much as running it.
_LAST = (
    select(ledger_entry.c.number, ledger_entry.c.hash)
    .where(ledger_entry.c.tenant_id == bindparam("tenant"), ledger_entry.c.number.is_not(None))
    .order_by(ledger_entry.c.number.desc())
    .limit(1)
)
_ANCHOR = select(ledger_anchor.c.number, ledger_anchor.c.hash).where(
    ledger_anchor.c.tenant_id == bindparam("tenant")
)
_OLDER = (
    select(
        ledger_entry.c.action_id,
        ledger_entry.c.at,
        ledger_entry.c.actor,
        ledger_entry.c.event,
        type_coerce(ledger_entry.c.body, Text),
    )
    .where(ledger_entry.c.tenant_id == bindparam("tenant"), ledger_entry.c.number.is_(None))
    .order_by(ledger_entry.c.seq)
)
_APPEND = insert(ledger_entry).values(
    tenant_id=bindparam("tenant"),
    action_id=bindparam("action"),
    at=bindparam("moment"),
    actor=bindparam("who"),
    event=bindparam("what"),
    body=type_coerce(bindparam("text"), Text),  # byte for byte what was sealed
    number=bindparam("place"),
    previous=bindparam("before"),
    hash=bindparam("sealed"),
)


@dataclass(frozen=True)
class Head:
    """The last link of a tenant's chain."""

    number: int
    hash: str


def append(
    connection: Connection,
    database: Database,
    *,
    tenant_id: str,
    action_id: str,
    actor: str,
    event: str,
    body: Mapping[str, Any],
) -> None:
    """Add one entry to the end of its tenant's chain, inside the transaction of what it tells."""
    head = head_of(connection, tenant_id) or Head(0, before_chain(connection, tenant_id, database))
    at = connection.execute(select(database.now())).scalar_one()
    text = sorted_json(dict(body)).decode()
    sealed = database.seal.over(
        message(tenant_id, head.number + 1, head.hash, action_id, at, actor, event, text)
    )
    connection.execute(
        _APPEND,
        {
            "tenant": tenant_id,
            "action": action_id,
            "moment": at,
            "who": actor,
            "what": event,
            "text": text,
            "place": head.number + 1,
            "before": head.hash,
            "sealed": sealed,
        },
    )
    database.dirty_chains.add(tenant_id)


def head_of(connection: Connection, tenant_id: str) -> Head | None:
    """Read the last link of a tenant's chain; None: it has none yet."""
    for query in (_LAST, _ANCHOR):
        row = connection.execute(query, {"tenant": tenant_id}).first()
        if row is not None:
            return Head(row.number, row.hash)
    return None


def before_chain(connection: Connection, tenant_id: str, database: Database) -> str:
    """Seal what was entered before there was a chain, as what its first entry follows."""
    older = connection.execute(_OLDER, {"tenant": tenant_id}).all()
    return seal_older(database.seal, [tuple(row) for row in older])


def seal_older(seal: Seal, rows: list[tuple[Any, ...]]) -> str:
    """Seal entries (action, at, actor, event, body text) that have no place in the chain."""
    return seal.over(orjson.dumps(rows)) if rows else START


def message(
    tenant_id: str,
    number: int,
    previous: str,
    action_id: str,
    at: float,
    actor: str,
    event: str,
    body: str,
) -> bytes:
    """Write what is sealed: canonical JSON (RFC 8785), as texts and numbers sorted by name.

    The body goes in as the text that is stored, so that checking it need not read it.
    """
    return orjson.dumps(
        {
            "action": action_id,
            "actor": actor,
            "at": int(at) if at == int(at) else at,
            "body": body,
            "event": event,
            "number": number,
            "previous": previous,
            "tenant": tenant_id,
        }
    )
