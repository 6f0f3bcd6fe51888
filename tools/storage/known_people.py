"""People whom signed tokens told us of: their roles are looked up again when a yes is counted."""

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select
from sqlalchemy.dialects.sqlite import insert

from state.principal import Principal
from tools.storage.database import Database
from tools.storage.tables.decisions import api_key as table

_MARK = "oidc:"
_MOST_SEEN = 10_000
_NEWS_SECONDS = 60
"""Shorter than that, a longer life of what is known is not worth a write."""


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


async def keep_known(database: Database, known: Known, seen: dict[str, Known]) -> bool:
    """Write down who came with which roles, when that is news; no secret can match the row.

    Names may be up to their owners (`preferred_username` often is): while somebody is known by
    one, nobody else of the same issuer has it, and they have no other; else one of two could be
    another for an hour, or both pairs of four eyes. False: such a one is nobody for now.
    """
    principal = known.principal
    mark = f"{_MARK}{_hash(known.issuer, 8)}:"
    key_id = mark + _hash(f"{known.issuer}\0{known.subject}\0{principal.tenant_id}", 24)
    before = seen.get(key_id)
    if before and before.principal == principal and known.until - before.until < _NEWS_SECONDS:
        return True
    values = {
        "tenant_id": principal.tenant_id,
        "user": principal.user,
        "roles": list(principal.roles),
        "kind": principal.kind,
        "expires_at": known.until,
    }

    def work(connection: Connection) -> bool:
        if connection.execute(_contradicting(database, principal, key_id, mark)).first():
            return False
        row = values | {"key_id": key_id, "secret_sha256": key_id, "created_at": database.now()}
        statement = insert(table).values(row)
        statement = statement.on_conflict_do_update(index_elements=["key_id"], set_=values)
        connection.execute(statement)
        return True

    is_kept = await database.write(work, durable=True)
    if is_kept:
        if len(seen) >= _MOST_SEEN:
            seen.clear()
        seen[key_id] = known
    return is_kept


def _contradicting(database: Database, principal: Principal, key_id: str, mark: str) -> Select[Any]:
    is_it = table.c.key_id == key_id
    has_the_name = (
        ~is_it
        & table.c.key_id.startswith(mark, autoescape=True)
        & (table.c.tenant_id == principal.tenant_id)
        & (table.c.user == principal.user)
    )
    has_another = is_it & (table.c.user != principal.user)
    is_known = table.c.expires_at > database.now()
    return select(table.c.key_id).where(has_the_name | has_another, is_known).limit(1)


def _hash(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]
