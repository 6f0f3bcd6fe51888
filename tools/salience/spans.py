"""Spans of time and clock times in a request about the talking, as parts of its patterns."""

import re

from state.attention import QuietHours

_UNIT_SECONDS = {"second": 1, "minute": 60, "min": 60, "hour": 3_600, "h": 3_600}
SPAN = r"(?:the next )?(?:(?P<count>\d{1,3}|an?|half an) )?(?P<unit>second|minute|min|hour|h)s?"
"""`20 minutes`, `an hour`, `half an hour`."""
CLOCK = r"(?P<clock_hour>\d{1,2})(?:[:.](?P<clock_minute>\d{2}))?(?: ?(?P<clock_half>am|pm))?"
"""`8`, `08:30`, `10pm`; the names of its groups may be replaced."""


def seconds_of(match: re.Match[str]) -> float:
    """Read the span of a match of SPAN."""
    count, unit = match["count"], _UNIT_SECONDS[match["unit"]]
    if count is None or count in ("a", "an"):
        return float(unit)
    return unit / 2 if count.startswith("half") else float(count) * unit


def clock_time(match: re.Match[str], name: str) -> str | None:
    """Read the clock time of a match of CLOCK, as 24 hours; None: there is no such time."""
    hour, minute = int(match[f"{name}_hour"]), int(match[f"{name}_minute"] or 0)
    half = match[f"{name}_half"]
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour == 24 and minute == 0:
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def hours_between(match: re.Match[str]) -> QuietHours | None:
    """Read quiet hours from a match whose clocks are named `starts` and `ends`."""
    starts, ends = clock_time(match, "starts"), clock_time(match, "ends")
    if starts is None or ends is None or starts == ends:
        return None
    return QuietHours(starts=starts, ends=ends)
