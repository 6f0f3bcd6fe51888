"""What time it is: the machine's, or one that is moved by hand."""

import time
from datetime import UTC, datetime
from typing import Protocol

HOUR_SECONDS = 3_600.0
DAY_SECONDS = 24 * HOUR_SECONDS


class Clock(Protocol):
    """Tell the time; aware, UTC."""

    def now(self) -> datetime:
        """Tell the time now."""
        ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """Tell the time now."""
        return datetime.now(UTC)


class VirtualClock:
    """A time that stands still until it is moved; for streams that carry their own time."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """Tell the time it was last moved to."""
        return self._now

    def move_to(self, instant: datetime) -> None:
        """Move to an instant, backwards too: another session's stream may begin earlier."""
        self._now = instant


def elapsed_ns(clock: Clock) -> int:
    """Read a counter of nanoseconds for how long something takes, on this clock.

    It stands still while a virtual clock does, so that the same log is the same to the byte.
    """
    if isinstance(clock, VirtualClock):
        return int(clock.now().timestamp() * 1_000_000_000)
    return time.time_ns()
