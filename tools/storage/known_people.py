"""People whom signed tokens told us of: their roles are looked up again when a yes is counted."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import ColumnElement
from sqlalchemy.dialects.sqlite import insert

from state.principal import Principal
from tools.storage.database import Database
from tools.storage.tables import api_key as table

_MARK = "oidc:"
_MOST_SEEN = 10_000


@dataclass(frozen=True)
class Known:
    """Whom a token stands for, by what name its issuer knows them, and for how long."""

    principal: Principal
    issuer: str
    subject: str
    until: float
    """Seconds since 1970 up to which what the token says of roles is believed."""


def of_tokens() -> ColumnElement[bool]:
    """Say in SQL that a row is no key but a person whom tokens told of."""
    return table.c.key_id.startswith(_MARK, autoescape=True)


async def keep_known(database: Database, known: Known, seen: dict[str, Known]) -> None:
    """Write down who came with which roles, when that is news; no secret can match the row."""
    subject = f"{known.issuer}\0{known.subject}\0{known.principal.tenant_id}"
    key_id = _MARK + hashlib.sha256(subject.encode()).hexdigest()[:32]
    before = seen.get(key_id)
    if before and before.principal == known.principal and known.until - before.until < 60:
        return
    principal = known.principal
    values = {
        "tenant_id": principal.tenant_id,
        "user": principal.user,
        "roles": list(principal.roles),
        "kind": principal.kind,
        "expires_at": known.until,
    }
    row = values | {"key_id": key_id, "secret_sha256": key_id, "created_at": database.now()}
    statement = insert(table).values(row)
    statement = statement.on_conflict_do_update(index_elements=["key_id"], set_=values)
    await database.write(lambda connection: connection.execute(statement), durable=True)
    if len(seen) >= _MOST_SEEN:
        seen.clear()
    seen[key_id] = known
