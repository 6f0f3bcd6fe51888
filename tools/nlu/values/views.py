"""Views of a value: as a moment ahead, as hours, as days of the past, as a span of time.

A value keeps every reading of its words. A view knows on which side of now a time is looked for,
and so decides; where two readings are left it gives none, and the person is asked.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from state.attention import QuietHours
from tools.nlu.lexicon.language import read_lexicon
from tools.nlu.values.calendar import moved
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import PARTS_OF_DAY, Amount, Kind, Num, Side, Stretch, Time, Value
from tools.nlu.values.units import UNITS

AT_A_TIME = frozenset({Kind.DATE, Kind.CLOCK, Kind.INSTANT, Kind.PERIOD, Kind.RECURRENCE})
"""The kinds that say when something is or was."""
_IN_THE_DAY = 9
"""The hour of a reminder for a day alone."""
_WAKES, _SLEEPS = 7, 19
"""Of an hour on another day people mean the one between these."""
_SPANS = frozenset({Kind.DURATION, Kind.PERIOD, Kind.NUMBER})


def whole_value(text: str, kinds: frozenset[Kind], today: date = ANY_DAY) -> Value | None:
    """Give the value that a text is from its first to its last character; None: it is more."""
    found = extract_kinds(text, today, kinds)
    return next((one for one in found if (one.start, one.end) == (0, len(text))), None)


@lru_cache
def calendar_words(language: str = "en") -> frozenset[str]:
    """List the words that name a day of the week, a month or a season."""
    words = read_lexicon(language)["words"]
    kinds = ("weekday", "weekdays", "month", "season")
    return frozenset(word for kind in kinds for word in words[kind])


def timed_values(text: str, today: date) -> tuple[Value, ...]:
    """List what says when something is, in the order of the text."""
    return extract_kinds(text, today, AT_A_TIME)


def seconds_of(of: Amount) -> float:
    """Give an amount of time in seconds."""
    return round(of.value * UNITS[of.unit].factor, 3)


def duration_in_seconds(text: str) -> float | None:
    """Read a text that is one span of time, `20 minutes` or `the next hour`, in seconds."""
    found = whole_value(text, _SPANS)
    if found is None:
        return None
    if isinstance(found.payload, Amount):
        return None if found.payload.is_vague else seconds_of(found.payload)
    away = found.payload.away if isinstance(found.payload, Time) else None
    return seconds_of(away) if away is not None and away.value > 0 else None


def without_duration(text: str) -> tuple[str, float | None]:
    """Part a text from the `for` and the span at its end, in seconds; None: it has none there."""
    head, cue, last = text.rpartition(" for ")
    seconds = duration_in_seconds(last) if cue else None
    return (text, None) if seconds is None else (head, seconds)


def clock_text(said: Iterable[time]) -> str:
    """Write the first of the times that an hour may mean: `08:00` of 8."""
    return f"{next(iter(said)):%H:%M}"


def as_hours(value: Value) -> QuietHours | None:
    """Read a value as the hours from one time to another; None: it is none, or they are the same.

    Bare numbers are hours of a clock of 24: `from 22 to 7`.
    """
    if value.kind is Kind.RANGE and all(isinstance(one, Num) for one in value.payload):
        numbers = [one.value for one in value.payload]
        if not all(one.is_integer() and 0 <= one <= 24 for one in numbers):
            return None
        starts, ends = (f"{int(one) % 24:02}:00" for one in numbers)
    elif isinstance(value.payload, Time) and value.payload.until and value.payload.clocks:
        starts, ends = clock_text(value.payload.clocks), clock_text(value.payload.until)
    else:
        return None
    return QuietHours(starts=starts, ends=ends) if starts != ends else None


def hours_in(text: str) -> QuietHours | None:
    """Find the first hours of a text, `from 22:00 to 7:00`."""
    found = extract_kinds(text, ANY_DAY, frozenset({Kind.PERIOD, Kind.RANGE}))
    return next((hours for one in found if (hours := as_hours(one))), None)


def as_instant(value: Value, now: datetime) -> datetime | None:
    """Give the moment ahead that a value means; None: it lies behind, or it may be two.

    `In two weeks` is at this time of that day, a day alone at nine, part of a day at its hour.
    An hour without its half is the next one of today, and the one in daylight of another day.
    """
    if not isinstance(value.payload, Time) or value.kind is Kind.PERIOD:
        return None
    said = value.payload
    if said.away is not None and not said.clocks:
        return _away(said, now)
    if said.grain == "clock":
        coming = [_at(now, day, one) for day in (0, 1) for one in said.clocks]
        return min((one for one in coming if one > now), default=None)
    days = [one.first for one in said.options if one.first and one.first >= now.date()]
    is_alone = said.grain == "day" and not said.clocks
    if (said.side is Side.AHEAD and len(days) > 1) or (is_alone and now.date() in days):
        return None  # `next Friday` is two days to two people, and so is today's
    return next((found for day in days if (found := _on(day, said, now))), None)


def _away(said: Time, now: datetime) -> datetime | None:
    if said.away is None or said.away.value <= 0 or said.away.is_vague:
        return None
    if said.options and said.options[0].first is not None:
        return _at(now, (said.options[0].first - now.date()).days, now.time())
    return now + timedelta(seconds=seconds_of(said.away)) if said.grain == "moment" else None


def _on(day: date, said: Time, now: datetime) -> datetime | None:
    is_today = day == now.date()
    if said.clocks:
        clocks = said.clocks if is_today else _in_daylight(said.clocks)
    elif said.grain in PARTS_OF_DAY:
        clocks = (time(PARTS_OF_DAY[said.grain]),)
    else:
        clocks = (time(_IN_THE_DAY),)
    found = (_at(now, (day - now.date()).days, one) for one in clocks)
    return next((one for one in found if one > now), None)


def _in_daylight(clocks: tuple[time, ...]) -> tuple[time, ...]:
    return tuple(one for one in clocks if _WAKES <= one.hour < _SLEEPS) or clocks


def _at(now: datetime, days: int, clock: time) -> datetime:
    moment = now + timedelta(days=days)
    return moment.replace(
        hour=clock.hour, minute=clock.minute, second=clock.second, microsecond=clock.microsecond
    )


def as_filter(value: Value, today: date) -> Stretch | None:
    """Give the days that a value limits what was to; None: it is no time, or cannot be told.

    Of a time that comes again each week or year it is the last one that has begun. `Since` begins
    with the first day of what is named, `after` behind its last; `until` and `by` end with it.
    """
    if not isinstance(value.payload, Time):
        return None
    said = value.payload
    whole = _past(said, today)
    if whole is None:
        return None
    day = timedelta(days=1)
    match said.bound:
        case "since":
            return Stretch(whole.first, None)
        case "after":
            return Stretch(whole.last + day if whole.last else None, None)
        case "until" | "by":
            return Stretch(None, whole.last)
        case "before":
            return Stretch(None, whole.first - day if whole.first else None)
        case _:
            return whole


def _past(said: Time, today: date) -> Stretch | None:
    if not said.options and said.away is not None and said.away.value < 0:
        days = -seconds_of(said.away) / UNITS["day"].factor
        return Stretch(moved(today, -max(1.0, days), "day"), today)
    begun = [one for one in said.options if one.first is None or one.first <= today]
    known = begun or said.options
    return known[-1] if known else None
