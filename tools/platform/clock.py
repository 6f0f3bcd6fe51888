"""Clocks (system and virtual), calendar offsets such as `+1 week`, and durations in words."""

import re
import time
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Protocol

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


_WRITTEN = re.compile(r"([+-])(\d{1,3}) (day|week|month|year)s?")
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}


def shift_of(amount: int, unit: str) -> str:
    """Write a move; `unit` is day, week, month or year.

    Raises:
        ValueError: no such unit, or an amount of none or of 1,000 and more.
    """
    if unit not in _DAYS | _MONTHS or not 0 < abs(amount) < 1_000:
        raise ValueError("must be a move of 1 to 999 days, weeks, months or years")
    return f"{amount:+d} {unit}{'s' if abs(amount) > 1 else ''}"


def shifted(day: date, shift: str) -> date:
    """Move a day; a month later than 31 January is the last day of February.

    Raises:
        ValueError: it is no such move, or the day would lie outside the calendar.
    """
    sign, amount, unit = _read(shift)
    try:
        if unit in _DAYS:
            return day + timedelta(days=sign * amount * _DAYS[unit])
        months = day.year * 12 + day.month - 1 + sign * amount * _MONTHS[unit]
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(day.day, monthrange(year, month)[1]))
    except (OverflowError, ValueError) as error:
        raise ValueError(f"leads from {day} out of the calendar") from error


def clean_shift(value: object) -> str:
    """Read a move strictly and write it in its one form: `+1 weeks` is `+1 week`.

    Raises:
        ValueError: see shift_of.
    """
    if not isinstance(value, str):
        raise ValueError("must be a move such as +1 week")
    sign, amount, unit = _read(value)
    return shift_of(sign * amount, unit)


def _read(value: str) -> tuple[int, int, str]:
    match = _WRITTEN.fullmatch(value)
    if match is None or not int(match[2]):
        raise ValueError("must be a move such as +1 week or -3 days")
    return (1 if match[1] == "+" else -1), int(match[2]), match[3]


_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"))


def duration_in_words(seconds: float) -> str:
    """Round a span down to days, hours or minutes, such as `3 minutes`."""
    for length, unit in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"
