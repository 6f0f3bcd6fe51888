"""The live stream: everything said, asked and recorded, to whoever listens now."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from state.notice import Notice, NoticeKind

BACKLOG = 1_000
"""Notices kept for one listener; a slower one misses the oldest and sees the gap in the ids."""


@dataclass
class Bus:
    """Hands notices to listeners; telling never waits for anybody."""

    _told: int = 0
    _listeners: dict[asyncio.Queue[Notice], str] = field(default_factory=dict)

    def tell(self, kind: NoticeKind, tenant_id: str, data: Mapping[str, Any]) -> None:
        """Tell everybody of the tenant who is listening."""
        self._told += 1
        notice = Notice(id=self._told, kind=kind, tenant_id=tenant_id, data=data)
        for queue, tenant in self._listeners.items():
            if tenant == tenant_id:
                if queue.full():
                    with suppress(asyncio.QueueEmpty):
                        queue.get_nowait()
                queue.put_nowait(notice)

    async def listen(self, tenant_id: str) -> AsyncIterator[Notice]:
        """Yield what is told to a tenant from now on, until the caller stops asking."""
        queue: asyncio.Queue[Notice] = asyncio.Queue(BACKLOG)
        self._listeners[queue] = tenant_id
        try:
            while True:
                yield await queue.get()
        finally:
            del self._listeners[queue]
