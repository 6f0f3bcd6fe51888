"""How much one tenant, and all together, may ask for at once: beyond it they are told to wait."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from api.http.problems import BUSY, TOO_MANY, Problem
from api.http.refused import Refused
from api.http.turns import Turns
from state.principal import Principal
from state.tuning import ServiceTuning

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
    refused: Refused = field(default_factory=Refused)
    reading: Turns = field(default_factory=Turns)
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
            raise _too_many(1, f"{own} requests are under way")
        is_crowded = tenant_id is None and taken >= math.ceil(among_all / 2)
        if is_crowded or self._under_way.total() >= among_all:
            self.refused.count(tenant_id, "full")
            raise Problem(BUSY, "too much is under way; try again", headers={"Retry-After": "1"})
        self._under_way[tenant_id] += 1
        return Place(tenant_id, self._under_way)

    async def read(self, tenant_id: str | None, holder: bytes | None) -> Callable[[], None]:
        """Wait for the turn of a read; what gives it back is returned.

        Args:
            tenant_id: whose it is; None: not known yet, and then it waits among all such.
            holder: the credentials, each of which waits behind its own reads; None: see Turns.

        Raises:
            Problem: see Turns.take.
        """
        try:
            if tenant_id is None:
                return await self.reading.take(holder and _STRANGERS, is_known=False)
            return await self.reading.take(holder)
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
            raise _too_many(max(1, math.ceil(end - time.time())), "too many requests of this key")

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
            raise _too_many(wait, "more events than a tenant may send a second")
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
    return Problem(TOO_MANY, f"{detail}; try again", headers={"Retry-After": str(seconds)})
