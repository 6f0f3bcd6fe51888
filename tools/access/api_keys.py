"""API keys, stored as hashes only, and principals introduced by signed tokens."""

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, or_, select, update
from sqlalchemy import func as sql
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.sqlite import insert

from state.errors import NotFound
from state.key import ApiKey
from state.principal import ACCESS, Principal
from tools.platform.clock import instant_of
from tools.storage import Database
from tools.storage.tables.decisions import api_key as table

_MARK = "oidc:"
_MOST_SEEN = 10_000
_NEWS_SECONDS = 60
"""Shorter than that, a longer life of what is known is not worth a write."""


@dataclass(frozen=True)
class TokenPrincipal:
    """Whom a token stands for, by what name its issuer knows them, and for how long."""

    principal: Principal
    issuer: str
    subject: str
    until: float
    """Seconds since 1970 up to which what the token says of roles is believed."""


def is_token_principal() -> ColumnElement[bool]:
    """Say in SQL that a row is no key but a person whom tokens told of."""
    return table.c.key_id.startswith(_MARK, autoescape=True)


async def store_token_principal(
    database: Database, known: TokenPrincipal, seen: dict[str, TokenPrincipal]
) -> bool:
    """Write down who came with which roles, when that is news; no secret can match the row.

    Names may be up to their owners (`preferred_username` often is): while somebody is known by
    one, nobody else of the same issuer has it, and they have no other; else one of two could be
    another for an hour, or both pairs of four eyes. False: such a one is nobody for now.
    """
    principal = known.principal
    mark = f"{_MARK}{_short_hash(known.issuer, 8)}:"
    key_id = mark + _short_hash(f"{known.issuer}\0{known.subject}\0{principal.tenant_id}", 24)
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


def _short_hash(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]


PREFIX = "pf_"
_TOKEN_DOTS = 2
"""A signed token has three parts; a key of ours has no dot."""

_LONGEST = 8_192
"""A key of ours has 46 characters; a signed token with many roles has thousands."""

Tokens = Callable[[str], Awaitable[TokenPrincipal | None]]


class KeyRing(Protocol):
    """The API keys there are."""

    async def principal_of(self, secret: str) -> Principal | None:
        """Find whose key this is; None for a key that is not, or no longer, one."""


@dataclass(frozen=True)
class SqlKeys:
    """API keys in our tables, and whom the signed tokens of others stand for.

    A key is 256 random bits, so a plain SHA-256 keeps it as safe as a slow hash would.
    """

    database: Database
    tokens: Tokens | None = None
    """Reads a signed token; None: keys of ours are the only way in."""
    _seen: dict[str, TokenPrincipal] = field(default_factory=dict, repr=False)

    async def make(self, principal: Principal, *, days: float | None = None) -> str:
        """Make a key for somebody and return it, this once."""
        secret = _new_secret()
        row = _row(self.database, secret, principal) | {"expires_at": _in(self.database, days)}
        statement = plain_insert(table).values(row)
        await self.database.write(lambda connection: connection.execute(statement), durable=True)
        return secret

    async def rotate(
        self, key_id: str, *, days: float | None = None, overlap_hours: float = 0.0
    ) -> str:
        """Make a new key for the same holder and end the old one; return the new one, this once.

        Args:
            days: how long the new one is good for; None: for ever.
            overlap_hours: for so long the old one is good as well, until its users have the new.

        Raises:
            NotFound: there is no such key, or it is over.
        """
        secret = _new_secret()

        def work(connection: Connection) -> None:
            old = connection.execute(_good(self.database, key_id)).mappings().first()
            if old is None:
                raise NotFound("key", key_id)
            row = _row(self.database, secret, _principal(old))
            end = self.database.now() + overlap_hours * 3_600
            if old["expires_at"] is not None:  # an overlap never makes the old one live longer
                end = sql.min(end, old["expires_at"])
            connection.execute(
                plain_insert(table).values(row | {"expires_at": _in(self.database, days)})
            )
            connection.execute(update(table).where(_is(key_id)).values(expires_at=end))

        await self.database.write(work, durable=True)
        return secret

    async def revoke(self, key_id: str) -> None:
        """End a key at once; a yes that was given with it counts no more.

        Raises:
            NotFound: there is no such key, or it is over.
        """

        def work(connection: Connection) -> None:
            if connection.execute(_good(self.database, key_id)).first() is None:
                raise NotFound("key", key_id)
            ended = update(table).where(_is(key_id)).values(revoked_at=self.database.now())
            connection.execute(ended)

        await self.database.write(work, durable=True)

    async def list(self) -> list[ApiKey]:
        """List every key ever made, oldest first, and whether it is good."""
        query = (
            select(table, is_valid_key(self.database).label("is_good"))
            .where(~is_token_principal())
            .order_by(table.c.created_at, table.c.key_id)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [_shown(row) for row in rows]

    async def people(self, tenant_id: str, user: str | None = None) -> Sequence[Principal]:
        """List the holders of good keys of people in a tenant, one a key; tokens are no keys.

        Args:
            user: only this one; None: everybody.
        """
        is_person = (table.c.tenant_id == tenant_id) & (table.c.kind == "person")
        if user is not None:
            is_person &= table.c.user == user
        query = (
            select(table)
            .where(is_person, ~is_token_principal(), is_valid_key(self.database))
            .order_by(table.c.user, table.c.created_at)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return tuple(_principal(row) for row in rows)

    async def principal_of(self, secret: str) -> Principal | None:
        """Tell whose key or token this is; None for an unknown, expired or revoked one."""
        if not _is_plausible(secret):
            return None
        if secret.count(".") == _TOKEN_DOTS:
            return await self._of_token(secret)
        query = select(table).where(
            table.c.secret_sha256 == _hash(secret), is_valid_key(self.database)
        )

        def work(connection: Connection) -> Principal | None:
            row = connection.execute(query).mappings().first()
            if row is None:
                return None
            return _with_kept_sources(connection, self.database, _principal(row))

        return await self.database.read(work)

    async def count(self) -> int:
        """Count the keys ever made."""
        query = select(sql.count()).select_from(table).where(~is_token_principal())
        return await self.database.read(lambda connection: connection.execute(query).scalar_one())

    async def _of_token(self, token: str) -> Principal | None:
        known = await self.tokens(token) if self.tokens else None
        if known is None or not await store_token_principal(self.database, known, self._seen):
            return None
        return await self.database.read(
            lambda connection: _with_kept_sources(connection, self.database, known.principal)
        )


def _is_plausible(secret: str) -> bool:
    """Tell whether a text can be a key at all; anything else is not worth a query."""
    return len(secret) <= _LONGEST and secret.isascii() and secret.isprintable()


def is_valid_key(database: Database) -> ColumnElement[bool]:
    """Say in SQL that a key is neither revoked nor expired by now."""
    not_over = or_(table.c.expires_at.is_(None), table.c.expires_at > database.now())
    return table.c.revoked_at.is_(None) & not_over


def _new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _row(database: Database, secret: str, principal: Principal) -> dict[str, Any]:
    full = principal.scopes == ACCESS["full"]
    return {
        "key_id": secrets.token_hex(8),
        "secret_sha256": _hash(secret),
        "tenant_id": principal.tenant_id,
        "user": principal.user,
        "roles": list(principal.roles),
        "kind": principal.kind,
        "scopes": None if full else list(principal.scopes),
        "sources": list(principal.sources) or None,
        "created_at": database.now(),
    }


def _in(database: Database, days: float | None) -> ColumnElement[float] | None:
    return None if days is None else database.now() + days * 86_400


def _is(key_id: str) -> ColumnElement[bool]:
    return (table.c.key_id == key_id) & ~is_token_principal()


def _good(database: Database, key_id: str) -> Any:  # a Select of all columns
    return select(table).where(_is(key_id), is_valid_key(database))


def _principal(row: RowMapping) -> Principal:
    return Principal(
        user=row["user"],
        tenant_id=row["tenant_id"],
        roles=tuple(row["roles"]),
        kind=row["kind"],
        scopes=ACCESS["full"] if row["scopes"] is None else tuple(row["scopes"]),
        sources=tuple(row["sources"] or ()),
    )


def _with_kept_sources(
    connection: Connection, database: Database, principal: Principal
) -> Principal:
    """Tell somebody without sources of their own which ones the good keys of others declare."""
    if principal.sources:
        return principal
    is_declared = (table.c.tenant_id == principal.tenant_id) & table.c.sources.is_not(None)
    query = select(table.c.sources).where(is_declared, is_valid_key(database))
    kept = dict.fromkeys(name for names in connection.scalars(query) for name in names)
    return principal.model_copy(update={"kept_sources": tuple(kept)}) if kept else principal


def _shown(row: RowMapping) -> ApiKey:
    principal = _principal(row)
    return ApiKey(
        key_id=row["key_id"],
        principal=principal,
        is_good=row["is_good"],
        created_at=datetime.fromtimestamp(row["created_at"], UTC),
        expires_at=instant_of(row["expires_at"]),
        revoked_at=instant_of(row["revoked_at"]),
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
