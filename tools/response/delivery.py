"""Choose the output channel of a response.

And publish notices to the subscribers of the live stream.

The channel follows from the pack's preferences, the user's activity and the voice. Source:
Executive decision loop §11.2.
"""

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from weakref import WeakSet

from state.notice import Notice, NoticeKind
from state.output import ChosenChannel, DeliveryContext
from state.reader import Reader
from state.response import OutputChannel, ResponseType
from tools.catalog.pack_schema import OutputPreference

_TEXT = OutputPreference(primary="text")
USUAL: Mapping[ResponseType, OutputPreference] = {
    "alert": OutputPreference(primary="speech", urgent=True),
    "observation": OutputPreference(primary="speech"),
    "suggestion": OutputPreference(primary="speech"),
    "quip": OutputPreference(
        primary="speech", condition="user_not_busy", suppress_if="recently_quipped"
    ),
    "check_in": OutputPreference(primary="speech", condition="user_not_busy"),
}
"""What a pack that says nothing prefers; the rest is text."""


@dataclass(frozen=True)
class ChannelSelector:
    """Chooses the channel of a response."""

    preferences: Mapping[ResponseType, OutputPreference] = field(default_factory=dict)

    def choose(self, kind: ResponseType, moment: DeliveryContext) -> ChosenChannel:
        """Choose where a response goes; what cannot be spoken is written, with the reason."""
        preferred = self.preferences.get(kind) or USUAL.get(kind, _TEXT)
        if preferred.suppress_if == "recently_quipped" and moment.quipped_lately:
            return ChosenChannel("silent", instead="recently_quipped")
        urgent = preferred.urgent
        if preferred.primary != "speech":
            return ChosenChannel(preferred.primary, urgent)
        if not moment.has_voice:
            return ChosenChannel(_written(preferred), urgent, "no_voice")
        if not urgent and moment.is_busy:
            return ChosenChannel(_written(preferred), urgent, "busy")
        if not urgent and moment.is_quiet:
            return ChosenChannel(_written(preferred), urgent, "quiet")
        return ChosenChannel("speech", urgent)


def _written(preferred: OutputPreference) -> OutputChannel:
    return "text" if preferred.fallback == "speech" else preferred.fallback


KEPT = 2_000
"""Notices of all tenants that are kept for whoever comes back after a gap."""
BACKLOG = 1_000
"""Notices kept for one listener; a slower one misses the oldest, and is told so."""


@dataclass(eq=False)
class Subscription:
    """One who listens; close it, or let it go, and nothing is kept for it any more."""

    reader: Reader
    forget: Callable[["Subscription"], None] = field(repr=False)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    queue: asyncio.Queue[Notice] = field(default_factory=lambda: asyncio.Queue(BACKLOG))
    session_id: str | None = None
    """Only what is told of this session; None: of every one."""
    has_gap: bool = False
    """Something was told after the notice it begins with that is kept no more."""
    has_lost: bool = False
    """It was too slow, and the oldest went; whoever makes up for it sets it back."""

    def __aiter__(self) -> Self:
        """Yield what is told, until the caller stops asking."""
        return self

    async def __anext__(self) -> Notice:
        """Wait for the next notice; one who is cancelled meanwhile loses none."""
        return await self.queue.get()

    def may_hear(self, notice: Notice) -> bool:
        """Tell whether a notice is for whoever listens."""
        is_ours = notice.tenant_id == self.reader.tenant_id
        is_meant = self.session_id is None or self.session_id in notice.sessions
        return is_ours and is_meant and self.reader.may_read(*notice.sessions)

    def take(self, notice: Notice) -> None:
        """Keep a notice until it is asked for; of too many the oldest goes."""
        if self.queue.full():
            self.has_lost = True
            with suppress(asyncio.QueueEmpty):
                self.queue.get_nowait()
        self.queue.put_nowait(notice)

    def close(self) -> None:
        """Listen no more. It awaits nothing: no cancelling comes in between."""
        self.forget(self)


@dataclass
class NoticeBus:
    """Hands notices to listeners; telling never waits, and may come from any thread.

    A LangGraph server runs the graph on another event loop than our routes.
    """

    first_id: int = field(default_factory=lambda: time.time_ns() // 1_000)
    """Where ids begin: beyond those of any process before, which told less than one a µs."""
    hear: Callable[[NoticeKind, str, Mapping[str, Any]], None] | None = None
    """Hears everything of all tenants, at once and on the thread that tells it; must not wait."""
    _told: Counter[str] = field(default_factory=Counter)
    _kept: deque[Notice] = field(default_factory=deque)
    _let_go: Counter[str] = field(default_factory=Counter)
    """The last notice of each tenant that is kept no more."""
    _listeners: WeakSet[Subscription] = field(default_factory=WeakSet)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(
        self,
        kind: NoticeKind,
        tenant_id: str,
        data: Mapping[str, Any],
        sessions: Collection[str],
    ) -> None:
        """Tell everybody of the tenant who is listening and may read these sessions."""
        if self.hear is not None:
            self.hear(kind, tenant_id, data)
        with self._lock:
            self._told[tenant_id] += 1
            number = self.first_id + self._told[tenant_id]
            notice = Notice(
                id=number, kind=kind, tenant_id=tenant_id, data=data, sessions=tuple(sessions)
            )
            self._keep(notice)
            # Under the lock: what two threads tell comes to a listener in the order of its ids.
            for listener in [one for one in self._listeners if one.may_hear(notice)]:
                with suppress(RuntimeError):  # its loop has ended, and the listener with it
                    listener.loop.call_soon_threadsafe(listener.take, notice)

    def listen(
        self, reader: Reader, *, after: int | None = None, session_id: str | None = None
    ) -> Subscription:
        """Keep what a reader may hear from this call on, until it is closed.

        What they may not hear has its number all the same: theirs leave numbers out.

        Args:
            after: a notice that was heard; what is kept of those since then comes first.
            session_id: hear of this session alone.
        """
        with self._lock:
            is_gap, missed = self._is_gap(reader.tenant_id, after), list[Notice]()
            listener = Subscription(reader, self._forget, session_id=session_id)
            if after is not None:
                since = 0 if is_gap else after
                kept = (notice for notice in self._kept if listener.may_hear(notice))
                missed = [notice for notice in kept if notice.id > since]
            # Of more than a listener holds it would lose the oldest unsaid.
            listener.has_gap = is_gap or len(missed) > BACKLOG
            for notice in missed[-BACKLOG:]:
                listener.take(notice)
            self._listeners.add(listener)
        return listener

    def _keep(self, notice: Notice) -> None:
        self._kept.append(notice)
        if len(self._kept) > KEPT:
            oldest = self._kept.popleft()
            self._let_go[oldest.tenant_id] = oldest.id

    def _is_gap(self, tenant_id: str, after: int | None) -> bool:
        """Tell whether something after a notice is kept no more; so after another process's."""
        if after is None:
            return False
        oldest = max(self.first_id, self._let_go[tenant_id])
        return not oldest <= after <= self.first_id + self._told[tenant_id]

    def _forget(self, listener: Subscription) -> None:
        with self._lock:
            self._listeners.discard(listener)
