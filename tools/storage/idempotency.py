"""Responses stored under the caller's idempotency key; a repeated request gets the same one."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from state.principal import Principal
from tools.platform.clock import HOUR_SECONDS
from tools.storage.database import Database
from tools.storage.tables.decisions import kept_answer as table

_THIS_PROCESS = uuid4().hex
_AT_ONCE = 500
"""Old rows that one request lets go: more than it adds, so that there is never a heap of them."""

Standing = Literal["new", "under way", "unknown", "other", "answered"]


@dataclass(frozen=True)
class StoredResponse:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class IdempotencyClaim:
    """What is known of a key: `new` means that the caller is the first and does the work.

    `under way` is at work in this process, `unknown` came to its end without an answer that could
    be kept (it fell over, or its process ended), `other` was used for another request.
    """

    standing: Standing
    answer: StoredResponse | None = None


@dataclass(frozen=True)
class SqlIdempotency:
    """Answers in our tables, each for its caller's eyes and some hours."""

    database: Database
    _at_work: set[tuple[str, str, str]] = field(default_factory=set)
    """Tenant, user and key of what this process has taken and not let go of."""

    async def claim(
        self, caller: Principal, key: str, request_sha256: str, *, hours: float
    ) -> IdempotencyClaim:
        """Take a key for a request, durably, before any of its work is done.

        Whoever finds it `new` calls `ended` when the work is over, whatever came of it.
        """
        now = self.database.now()
        row = {
            "tenant_id": caller.tenant_id,
            "user": caller.user,
            "key": key,
            "request_sha256": request_sha256,
            "taken_by": _THIS_PROCESS,
            "expires_at": now + hours * HOUR_SECONDS,
        }

        mine = (caller.tenant_id, caller.user, key)

        def work(connection: Connection) -> IdempotencyClaim:
            _let_old_go(connection, self.database)
            if connection.execute(insert(table).values(row).on_conflict_do_nothing()).rowcount:
                self._at_work.add(mine)  # here, where one at a time comes
                return IdempotencyClaim("new")
            kept = connection.execute(select(table).where(_is(caller, key))).one()
            if kept.request_sha256 != request_sha256:
                return IdempotencyClaim("other")
            if kept.status is None:
                return IdempotencyClaim("under way" if mine in self._at_work else "unknown")
            body = zlib.decompress(kept.body)
            return IdempotencyClaim("answered", StoredResponse(kept.status, kept.headers, body))

        return await self.database.write(work, durable=True)

    async def keep(self, caller: Principal, key: str, answer: StoredResponse) -> None:
        """Keep what was answered under a key."""
        values = {
            "status": answer.status,
            "headers": dict(answer.headers),
            "body": zlib.compress(answer.body, 1),
        }
        kept = update(table).where(_is(caller, key)).values(values)
        await self.database.write(lambda connection: connection.execute(kept).rowcount)

    async def release(self, caller: Principal, key: str) -> None:
        """Give a key back: its request was refused, and may be sent again."""
        freed = delete(table).where(_is(caller, key))
        await self.database.write(lambda connection: connection.execute(freed).rowcount)

    def ended(self, caller: Principal, key: str) -> None:
        """Note that nobody is at work for a key any more."""
        self._at_work.discard((caller.tenant_id, caller.user, key))

    async def let_old_go(self) -> None:
        """Let go of what is over, also where nobody sends a key any more."""
        while await self.database.write(lambda one: _let_old_go(one, self.database)):
            pass


def _is(caller: Principal, key: str) -> ColumnElement[bool]:
    return (
        (table.c.tenant_id == caller.tenant_id)
        & (table.c.user == caller.user)
        & (table.c.key == key)
    )


def _let_old_go(connection: Connection, database: Database) -> int:
    columns = (table.c.tenant_id, table.c.user, table.c.key)
    old = select(*columns).where(table.c.expires_at <= database.now()).limit(_AT_ONCE)
    rows = connection.execute(old).all()
    for tenant_id, user, key in rows:
        is_it = (table.c.tenant_id == tenant_id) & (table.c.user == user) & (table.c.key == key)
        connection.execute(delete(table).where(is_it))
    return len(rows)
