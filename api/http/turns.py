"""Reads take turns: a few at once, so that no flood of them keeps a change or an answer waiting."""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial

from api.http.problems import BUSY, TOO_MANY, Problem

AT_ONCE = 8
"""Reads under way: more are not sooner done, for one processor draws them all."""

OWN = 4
"""Of them one holder's; all whom we have not seen yet are one holder, and read one by one."""

PAUSE_SECONDS = 0.01
"""Between two reads of such: a hundred a second, whatever they ask and however many they are."""

MOST_WAITING = 256
"""Of one holder; whoever has as many connections waits for its own answers."""

WAIT_SECONDS = 10.0


@dataclass
class _Lane:
    is_known: bool
    users: int = 0
    places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.places = asyncio.Semaphore(OWN if self.is_known else 1)


class Turns:
    """The turns there are; a holder waits behind its own reads first, and then behind others'."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)
        self._lanes: dict[Hashable, _Lane] = {}

    async def take(self, holder: Hashable, *, is_known: bool = True) -> Callable[[], None]:
        """Wait for a turn; what is returned gives it back, and once is enough.

        Args:
            holder: who reads; None is never sent away, however many wait.
            is_known: we have seen them before.

        Raises:
            Problem: 429 when too many of the holder's wait already, 503 when none came in time.
        """
        lane = self._lanes.setdefault(holder, _Lane(is_known))
        if lane.users >= MOST_WAITING and holder is not None:
            wait = {"Retry-After": "1"}
            raise Problem(TOO_MANY, "too many reads of this key at once; try again", headers=wait)
        lane.users += 1
        try:
            async with asyncio.timeout(None if holder is None else WAIT_SECONDS):
                await self._wait(lane)
        except BaseException as error:
            self._leave(holder, lane)
            if not isinstance(error, TimeoutError):
                raise
            wait = {"Retry-After": "1"}
            raise Problem(BUSY, "too much is read; try again", headers=wait) from None
        return _once(partial(self._end, holder, lane))

    async def _wait(self, lane: _Lane) -> None:
        await lane.places.acquire()
        try:
            await self._places.acquire()
        except BaseException:
            lane.places.release()
            raise

    def _end(self, holder: Hashable, lane: _Lane) -> None:
        self._places.release()
        if lane.is_known:
            self._go_on(holder, lane)
        else:
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._go_on, holder, lane)

    def _go_on(self, holder: Hashable, lane: _Lane) -> None:
        lane.places.release()
        self._leave(holder, lane)

    def _leave(self, holder: Hashable, lane: _Lane) -> None:
        lane.users -= 1
        if not lane.users:
            del self._lanes[holder]


def _once(end: Callable[[], None]) -> Callable[[], None]:
    ends = [end]

    def release() -> None:
        if ends:
            ends.pop()()

    return release
