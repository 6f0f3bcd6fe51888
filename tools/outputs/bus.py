"""The live stream: everything said, asked and recorded, to whoever listens now."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from state.notice import Notice, NoticeKind

BACKLOG = 1_000
"""Notices kept for one listener; a slower one misses the oldest and sees the gap in the ids."""


@dataclass(frozen=True, eq=False)
class _Listener:
    tenant_id: str
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Notice]

    def take(self, notice: Notice) -> None:
        if self.queue.full():
            with suppress(asyncio.QueueEmpty):
                self.queue.get_nowait()
        self.queue.put_nowait(notice)


@dataclass
class Bus:
    """Hands notices to listeners; telling never waits, and may come from any thread.

    A LangGraph server runs the graph on another event loop than our routes.
    """

    _told: Counter[str] = field(default_factory=Counter)
    _listeners: set[_Listener] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, kind: NoticeKind, tenant_id: str, data: Mapping[str, Any]) -> None:
        """Tell everybody of the tenant who is listening."""
        with self._lock:
            self._told[tenant_id] += 1
            notice = Notice(id=self._told[tenant_id], kind=kind, tenant_id=tenant_id, data=data)
            told = [one for one in self._listeners if one.tenant_id == tenant_id]
        for listener in told:
            with suppress(RuntimeError):  # its loop has ended, and the listener with it
                listener.loop.call_soon_threadsafe(listener.take, notice)

    def listen(self, tenant_id: str) -> AsyncIterator[Notice]:
        """Yield what is told to a tenant from this call on, until the caller stops asking."""
        listener = _Listener(tenant_id, asyncio.get_running_loop(), asyncio.Queue(BACKLOG))
        with self._lock:
            self._listeners.add(listener)
        return self._heard(listener)

    async def _heard(self, listener: _Listener) -> AsyncIterator[Notice]:
        try:
            while True:
                yield await listener.queue.get()
        finally:
            with self._lock:
                self._listeners.discard(listener)
