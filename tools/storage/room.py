"""Find out whether anything can still be written down, and for good."""

import asyncio
import time
from dataclasses import dataclass, field
from uuid import uuid4

from sqlalchemy import Connection, delete, insert

from state.errors import Busy
from tools.storage.database import Database
from tools.storage.tables.decisions import session as table

TRIED_EVERY_SECONDS = 1.0
_PAGES = "x" * 16_384
"""Takes pages of its own, so that a store without room for them is found out."""


@dataclass
class Room:
    """Tries a write, seldom enough that anybody may ask at any time."""

    database: Database
    _problem: str | None = None
    _next: float = 0.0
    _trying: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def problems(self) -> list[str]:
        """Say why nothing can be written; who asks within a second gets the same answer."""
        async with self._trying:
            if time.monotonic() >= self._next:
                self._problem = await self._tried()
                self._next = time.monotonic() + TRIED_EVERY_SECONDS
        return [self._problem] if self._problem else []

    async def _tried(self) -> str | None:
        try:
            await self.database.write(_leave_no_trace, durable=True)
        except Busy as busy:
            return str(busy)
        return None


def _leave_no_trace(connection: Connection) -> None:
    # A session that nobody sees: it is gone before the transaction ends.
    name = f"room-{uuid4()}"
    row = {"tenant_id": name, "session_id": name, "state": _PAGES, "updated_at": 0.0}
    connection.execute(insert(table).values(**row))
    connection.execute(delete(table).where(table.c.tenant_id == name))
