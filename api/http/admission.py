"""Admission control: rate and concurrency limits a tenant and in all, a read limiter.

Counts of refusals.

Beyond a limit the caller gets 429 or 503 with Retry-After.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import structlog
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from api.http.connection import CLOSED
from api.http.problems import BUSY, TOO_MANY, Problem
from state.principal import Principal
from state.tuning import ServiceTuning
from tools.platform.texts import t

Why = Literal["places", "full", "reads", "minute", "events", "streams"]
"""The tenant's places, everybody's, too many reads, a key's minute, a tenant's rate, streams."""

LOG_EVERY_SECONDS = 1.0
"""A flood is one line of the log in so many seconds: a line each would cost as much as it stops."""

_log = structlog.get_logger("api.http.load_shedding")


@dataclass
class RefusalCounter:
    """Counts of this process, from its start."""

    _counts: Counter[tuple[str | None, Why]] = field(default_factory=Counter)
    _untold: int = 0
    _told_at: float = -LOG_EVERY_SECONDS

    def count(self, tenant_id: str | None, why: Why) -> None:
        """Count one; without a tenant it was somebody we had not seen yet."""
        self._counts[tenant_id, why] += 1

    def tell(self) -> None:
        """Write down how many were refused at the door since the last line."""
        self._untold += 1
        now = time.monotonic()
        if now - self._told_at >= LOG_EVERY_SECONDS:
            _log.warning("refused_at_the_door", number=self._untold)
            self._untold, self._told_at = 0, now

    def exposition(self, tenant_id: str) -> str:
        """Write the counters of a tenant, and those that are nobody's, for Prometheus."""
        own, strangers = self._of(tenant_id), self._of(None)
        return "".join(
            (
                _family("requests_refused", "Requests told to come back, by why.", own, tenant_id),
                _family("strangers_refused", "The same, of keys not seen before.", strangers),
                _family("connections_closed", "Connections that were cut off, by why.", CLOSED),
            )
        )

    def _of(self, tenant_id: str | None) -> dict[str, int]:
        return {why: count for (whose, why), count in self._counts.items() if whose == tenant_id}


def _family(name: str, about: str, counts: dict[str, int], tenant_id: str | None = None) -> str:
    named = f"prefrontal_{name}_total"
    tenant = f'tenant="{tenant_id}",' if tenant_id else ""  # an id needs no escape, see TenantId
    lines = [f'{named}{{{tenant}why="{why}"}} {number}\n' for why, number in sorted(counts.items())]
    return f"# HELP {named} {about}\n# TYPE {named} counter\n" + "".join(lines)


AT_ONCE = 8
"""Reads under way: more are not sooner done, for one processor draws them all."""

OWN = 4
"""Of them one holder's; all whom we have not seen yet are one holder, and read one by one."""

PAUSE_SECONDS = 0.01
"""Between two reads of such: a hundred a second, whatever they ask and however many they are."""

MOST_WAITING = 256
"""Of one holder; whoever has as many connections waits for its own answers."""

MOST_POLLS = 2_000
"""Of one holder, requests that wait for a call to end: each reads where it stands, and then waits
without a turn."""

WAIT_SECONDS = 10.0


@dataclass
class _Lane:
    is_known: bool
    users: int = 0
    places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.places = asyncio.Semaphore(OWN if self.is_known else 1)


class ReadLimiter:
    """The turns there are; a holder waits behind its own reads first, and then behind others'."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)
        self._lanes: dict[Hashable, _Lane] = {}

    async def take(
        self, holder: Hashable, *, is_known: bool = True, is_poll: bool = False
    ) -> Callable[[], None]:
        """Wait for a turn; what is returned gives it back, and once is enough.

        Args:
            holder: who reads; None is never sent away, however many wait.
            is_known: we have seen them before.
            is_poll: it waits long and reads little; a holder's polls queue apart from its reads.

        Raises:
            Problem: 429 when too many of the holder's wait already, 503 when none came in time.
        """
        key = (holder, is_poll)
        lane = self._lanes.setdefault(key, _Lane(is_known))
        if lane.users >= (MOST_POLLS if is_poll else MOST_WAITING) and holder is not None:
            wait = {"Retry-After": "1"}
            raise Problem(TOO_MANY, t("problem.reads_of_key"), headers=wait)
        lane.users += 1
        try:
            async with asyncio.timeout(None if holder is None else WAIT_SECONDS):
                await self._wait(lane)
        except BaseException as error:
            self._leave(key, lane)
            if not isinstance(error, TimeoutError):
                raise
            wait = {"Retry-After": "1"}
            raise Problem(BUSY, t("problem.reads"), headers=wait) from None
        return _once(partial(self._end, key, lane))

    async def _wait(self, lane: _Lane) -> None:
        await lane.places.acquire()
        try:
            await self._places.acquire()
        except BaseException:
            lane.places.release()
            raise

    def _end(self, key: Hashable, lane: _Lane) -> None:
        self._places.release()
        if lane.is_known:
            self._go_on(key, lane)
        else:
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._go_on, key, lane)

    def _go_on(self, key: Hashable, lane: _Lane) -> None:
        lane.places.release()
        self._leave(key, lane)

    def _leave(self, key: Hashable, lane: _Lane) -> None:
        lane.users -= 1
        if not lane.users:
            del self._lanes[key]


def _once(end: Callable[[], None]) -> Callable[[], None]:
    ends = [end]

    def release() -> None:
        if ends:
            ends.pop()()

    return release


FOR_ANSWERS = 0.25
"""As many places again, of a tenant and of all, are for people's answers to approvals alone."""

_STRANGERS = b"strangers"

MOST_TENANTS = 10_000
"""Buckets that are remembered; a full one tells as much as none."""


@dataclass
class _Bucket:
    tokens: float
    at: float


@dataclass
class Place:
    """One of the places that changes under way take, until it is given back."""

    tenant_id: str | None
    """None: of somebody whose tenant is not known yet."""
    _taken: Counter[str | None]
    _is_held: bool = True

    def release(self) -> None:
        """Give it back; once is enough."""
        if not self._is_held:
            return
        self._is_held = False
        self._taken[self.tenant_id] -= 1
        if not self._taken[self.tenant_id]:
            del self._taken[self.tenant_id]


@dataclass
class Admission:
    """Counts what is under way, and what each tenant has sent of late; in this process."""

    tuning: ServiceTuning
    seconds: Callable[[], float] = time.monotonic
    refused: RefusalCounter = field(default_factory=RefusalCounter)
    reading: ReadLimiter = field(default_factory=ReadLimiter)
    """Whose turn it is to read."""
    _under_way: Counter[str | None] = field(default_factory=Counter)
    _buckets: dict[str, _Bucket] = field(default_factory=dict)
    _pace: FixedWindowRateLimiter = field(
        default_factory=lambda: FixedWindowRateLimiter(MemoryStorage())
    )

    def __post_init__(self) -> None:
        self._minute = RateLimitItemPerMinute(self.tuning.key_requests_per_minute)

    def take(self, tenant_id: str | None, *, is_answer: bool = False) -> Place:
        """Take one of the places there are; those whose tenant is not known share half of them.

        Args:
            tenant_id: whose place; None: not known yet.
            is_answer: a person answers an approval: what fills the other places cannot refuse it.

        Raises:
            Problem: 429 when the tenant has all of its own, 503 when there is none left.
        """
        more = 1 + FOR_ANSWERS * is_answer
        own = math.ceil(self.tuning.tenant_at_once * more)
        among_all = math.ceil(self.tuning.at_once * more)
        taken = self._under_way[tenant_id]
        if tenant_id is not None and taken >= own:
            self.refused.count(tenant_id, "places")
            raise _too_many(1, t("problem.own_requests", own=own))
        is_crowded = tenant_id is None and taken >= math.ceil(among_all / 2)
        if is_crowded or self._under_way.total() >= among_all:
            self.refused.count(tenant_id, "full")
            raise Problem(BUSY, t("problem.requests"), headers={"Retry-After": "1"})
        self._under_way[tenant_id] += 1
        return Place(tenant_id, self._under_way)

    async def read(
        self, tenant_id: str | None, holder: bytes | None, *, is_poll: bool = False
    ) -> Callable[[], None]:
        """Wait for the turn of a read; what gives it back is returned.

        Args:
            tenant_id: whose it is; None: not known yet, and then it waits among all such.
            holder: the credentials, each of which waits behind its own reads; see ReadLimiter.
            is_poll: see ReadLimiter.take.

        Raises:
            Problem: see ReadLimiter.take.
        """
        try:
            if tenant_id is None:
                return await self.reading.take(holder and _STRANGERS, is_known=False)
            return await self.reading.take(holder, is_poll=is_poll)
        except Problem:
            self.refused.count(tenant_id, "reads")
            raise

    @contextmanager
    def under_way(
        self, tenant_id: str, place: Place | None = None, *, is_answer: bool = False
    ) -> Iterator[None]:
        """Hold a place while a change is asked for, the one that was taken at the door if it fits.

        Raises:
            Problem: see take.
        """
        if place is None or place.tenant_id != tenant_id:
            if place is not None:
                place.release()
            place = self.take(tenant_id, is_answer=is_answer)
        try:
            yield
        finally:
            place.release()

    async def count(self, caller: Principal) -> None:
        """Count a request of any kind against its holder's minute.

        Raises:
            Problem: 429, saying when the minute is over.
        """
        who = (caller.tenant_id, caller.user)
        if not await self._pace.hit(self._minute, *who):
            end, _left = await self._pace.get_window_stats(self._minute, *who)
            self.refused.count(caller.tenant_id, "minute")
            raise _too_many(max(1, math.ceil(end - time.time())), t("problem.requests_of_key"))

    def charge(self, tenant_id: str, events: int = 1, *, is_stranger: bool = False) -> None:
        """Take events out of what a tenant may send; what is too much takes nothing.

        Args:
            tenant_id: whose; of a stranger anything that tells them from others.
            events: how many.
            is_stranger: nobody knows the tenant yet.

        Raises:
            Problem: 429, saying when there will be enough.
        """
        now = self.seconds()
        bucket = self._bucket(tenant_id, now)
        grown = bucket.tokens + (now - bucket.at) * self.tuning.tenant_events_per_second
        bucket.tokens, bucket.at = min(float(self.tuning.tenant_burst), grown), now
        missing = min(events, self.tuning.tenant_burst) - bucket.tokens
        if missing > 0:
            wait = math.ceil(missing / self.tuning.tenant_events_per_second)
            self.refused.count(None if is_stranger else tenant_id, "events")
            raise _too_many(wait, t("problem.events_of_tenant"))
        bucket.tokens -= events  # a list beyond the burst leaves a debt

    def _bucket(self, tenant_id: str, now: float) -> _Bucket:
        if tenant_id not in self._buckets:
            if len(self._buckets) >= MOST_TENANTS:
                self._forget(now)
            self._buckets[tenant_id] = _Bucket(float(self.tuning.tenant_burst), now)
        return self._buckets[tenant_id]

    def _forget(self, now: float) -> None:
        """Forget the half that has sent least of late: whoever has sent too much keeps waiting."""
        rate = self.tuning.tenant_events_per_second

        def tokens(tenant: str) -> float:
            return self._buckets[tenant].tokens + (now - self._buckets[tenant].at) * rate

        kept = sorted(self._buckets, key=tokens)[: MOST_TENANTS // 2]
        self._buckets = {tenant: self._buckets[tenant] for tenant in kept}


def _too_many(seconds: int, detail: str) -> Problem:
    return Problem(
        TOO_MANY, t("problem.try_again", detail=detail), headers={"Retry-After": str(seconds)}
    )
