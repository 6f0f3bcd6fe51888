"""API keys: only their hash is kept; a key is shown once, when it is made."""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import ColumnElement, insert, or_, select
from sqlalchemy import func as sql

from state.principal import Principal
from tools.storage.database import Database
from tools.storage.tables import api_key as table

PREFIX = "pf_"


@dataclass(frozen=True)
class SqlKeys:
    """API keys in our tables.

    A key is 256 random bits, so a plain SHA-256 keeps it as safe as a slow hash would.
    """

    database: Database

    async def make(self, principal: Principal, *, days: float | None = None) -> str:
        """Make a key for somebody and return it, this once."""
        secret = PREFIX + secrets.token_urlsafe(32)
        now = self.database.now()
        statement = insert(table).values(
            key_id=secrets.token_hex(8),
            secret_sha256=_hash(secret),
            tenant_id=principal.tenant_id,
            user=principal.user,
            roles=list(principal.roles),
            kind=principal.kind,
            created_at=now,
            expires_at=None if days is None else now + days * 86_400,
        )
        await self.database.write(lambda connection: connection.execute(statement), durable=True)
        return secret

    async def principal_of(self, secret: str) -> Principal | None:
        """Tell whose key this is; None for an unknown, expired or revoked one."""
        query = select(table).where(table.c.secret_sha256 == _hash(secret), is_good(self.database))
        row = await self.database.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        return Principal(
            user=row.user, tenant_id=row.tenant_id, roles=tuple(row.roles), kind=row.kind
        )

    async def count(self) -> int:
        """Count the keys ever made."""
        query = select(sql.count()).select_from(table)
        return await self.database.read(lambda connection: connection.execute(query).scalar_one())


def is_good(database: Database) -> ColumnElement[bool]:
    """Say in SQL that a key is neither revoked nor expired by now."""
    not_over = or_(table.c.expires_at.is_(None), table.c.expires_at > database.now())
    return table.c.revoked_at.is_(None) & not_over


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
