"""Clocks (system and virtual), calendar offsets such as `+1 week`, and durations in words."""

import time
from datetime import UTC, datetime
from typing import Protocol

from prefrontal.dates import clean_shift, shift_of, shifted

__all__ = [
    "DAY_SECONDS",
    "HOUR_SECONDS",
    "Clock",
    "SystemClock",
    "VirtualClock",
    "clean_shift",
    "duration_in_words",
    "elapsed_ns",
    "instant_of",
    "shift_of",
    "shifted",
]

HOUR_SECONDS = 3_600.0
DAY_SECONDS = 24 * HOUR_SECONDS


def instant_of(seconds: float | None) -> datetime | None:
    """Return a moment given in seconds since 1970, in UTC; None for None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


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


_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"))


def duration_in_words(seconds: float) -> str:
    """Round a span down to days, hours or minutes, such as `3 minutes`."""
    for length, unit in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"
