"""What of an action never changes: written once, and sealed as a whole with its first entry."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import insert

from tools.canonical_json import sorted_json
from tools.ledger.evidence import sealed_entries
from tools.ledger.rows import enter
from tools.ledger.verifying import fetch
from tools.storage.database import Database
from tools.storage.tables.guards import FROZEN
from tools.storage.tables.ledger import ledger_action

_ROW = f"select {', '.join(FROZEN)} from ledger_action where action_id = ?"  # noqa: S608  # our own names


def put_action(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
    *,
    actor: str,
    replaces: str | None = None,
) -> bool:
    """Write a row and the entry that seals it; False: that action is there already."""
    statement = insert(ledger_action).values(**values).on_conflict_do_nothing()
    if connection.execute(statement).rowcount == 0:
        return False
    action_id = values["action_id"]
    [row] = fetch(connection, _ROW, (action_id,))
    body = {
        "digest": values["digest"],
        "class": values["execution_class"],
        "row_sha256": row_hash(row),
    }
    enter(
        connection,
        database,
        tenant_id=values["tenant_id"],
        action_id=action_id,
        actor=actor,
        event=f"proposed {values['state']}",
        body=body if replaces is None else {**body, "replaces": replaces},
    )
    return True


def is_as_proposed(connection: Connection, database: Database, action_id: str) -> bool:
    """Tell whether a row is what its first entry seals, and our key made that entry."""
    sealed = [
        orjson.loads(entry.body).get("row_sha256")
        for entry in sealed_entries(connection, database, action_id)
        if entry.event.startswith("proposed ")
    ]
    return sealed[:1] == [row_hash(row) for row in fetch(connection, _ROW, (action_id,))]


def row_hash(values: Sequence[Any]) -> str:  # as SQLite keeps them
    """Hash the frozen columns of a row, in their order, in hex."""
    return hashlib.sha256(sorted_json(list(values))).hexdigest()
