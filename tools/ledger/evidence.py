"""What sealed entries say of an action; at the claim nothing else is believed of who said yes."""

import hmac
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from tools.ledger.chain import message
from tools.ledger.verifying import fetch
from tools.storage.database import Database

_ENTRIES = """
    select tenant_id, number, previous, action_id, at, actor, event, body, hash
    from ledger_entry where action_id = ? and number is not null order by seq
"""


@dataclass(frozen=True)
class SealedEntry:
    """An entry whose seal was just checked against the key, which is not in the database."""

    actor: str
    event: str
    body: str


def sealed_entries(
    connection: Connection, database: Database, action_id: str
) -> tuple[SealedEntry, ...]:
    """Read the entries of an action that were made with our key, oldest first.

    Whoever can write to the database can add a vote, and can move a row; an entry they cannot.
    """
    return tuple(
        SealedEntry(actor=row[5], event=row[6], body=row[7])
        for row in fetch(connection, _ENTRIES, (action_id,))
        if _is_ours(database, row)
    )


def _is_ours(database: Database, row: tuple[Any, ...]) -> bool:  # as SQLite keeps it
    *fields, sealed = row
    return isinstance(sealed, str) and hmac.compare_digest(
        database.seal.over(message(*fields)), sealed
    )
