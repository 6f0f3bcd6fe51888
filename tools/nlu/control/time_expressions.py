"""Durations and clock times as parts of request patterns, and their values."""

import re

from state.attention import QuietHours
from tools.nlu.lexicon.closed_classes import CARDINALS, NUMBER_VALUES, TENS

_ONES, _TEENS = CARDINALS[:9], CARDINALS[9:]
_WHOLE = (
    r"\d{1,4}(?:\.\d{1,2})?"
    rf"|(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(_ONES)}))?|{'|'.join((*_TEENS, *_ONES))}"
)
_COUNT = rf"half an?|(?:a )?half|(?:a )?quarter of an|a couple of|an?|{_WHOLE}"
_UNIT = r"seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?"
SPAN = (
    rf"(?:the next )?(?P<span>(?:(?:{_COUNT})(?: and a half)? ?)?(?<![a-z])(?:{_UNIT})"
    rf"(?: and a (?:half|quarter)| ?(?:and )?(?:{_WHOLE}) ?(?:{_UNIT}))?)(?![a-z])"
)
"""`20 minutes`, `an hour and a half`, `twenty-five mins`, `1 h 30 m`."""
_PART = re.compile(
    rf"(?P<count>{_COUNT})?(?P<half> and a half)? ?(?<![a-z])(?P<unit>{_UNIT})(?![a-z])"
    r"(?: and a (?P<more>half|quarter))?"
)
_SHARES = {"half": 0.5, "quarter": 0.25}
CLOCK = (
    r"(?:(?P<clock_hour>\d{1,2})(?:[:.](?P<clock_minute>\d{2}))?(?: ?(?P<clock_half>am|pm))?"
    r"|(?P<clock_word>noon|midday|midnight))"
)
"""`8`, `08:30`, `10pm`, `noon`; the names of its groups may be replaced."""


def seconds_of(match: re.Match[str]) -> float:
    """Read the span of a match of SPAN."""
    return sum(map(_part_of, _PART.finditer(match["span"])))


def _part_of(part: re.Match[str]) -> float:
    unit = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}[part["unit"][0]]
    count = _count_of(part["count"] or "a") + (0.5 if part["half"] else 0)
    return float((count + _SHARES.get(part["more"] or "", 0.0)) * unit)


def _count_of(said: str) -> float:
    if said in ("a", "an"):
        return 1.0
    if said == "a couple of":
        return 2.0
    for share, value in _SHARES.items():
        if share in said:
            return value
    if said[0].isdigit():
        return float(said)
    return float(sum(NUMBER_VALUES[word] for word in re.split(r"[ -]", said)))


def clock_time(match: re.Match[str], name: str) -> str | None:
    """Read the clock time of a match of CLOCK, as 24 hours; None: there is no such time."""
    if word := match[f"{name}_word"]:
        return "00:00" if word == "midnight" else "12:00"
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
