"""The limits for hours of rest, and where a record of them breaks one. Pure: numbers in and out.

At least 10 hours in any 24, and 77 in any 7 days. Source: Maritime Labour Convention 2006,
standard A2.3, paragraph 5 (b).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from state.errors import BadInput

LEAST_IN_24_HOURS = 10.0
LEAST_IN_7_DAYS = 77.0
_HOURS = 3_600.0
_DAY = timedelta(days=1)
_PERIOD = re.compile(
    r"([01]?\d|2[0-4])[:.]?([0-5]\d)\s*(?:-|–|to|until)\s*([01]?\d|2[0-4])[:.]?([0-5]\d)"
)


@dataclass(frozen=True)
class RestDay:
    """The rest of one day; without periods only its sum is known."""

    hours: float
    periods: tuple[tuple[int, int], ...] = ()
    """Minutes of the day from and to, in order."""


@dataclass(frozen=True)
class Breach:
    """A stretch of time with too little rest."""

    begins: datetime
    length: timedelta
    hours: float
    least: float

    def __str__(self) -> str:
        days = self.length.days
        what = "24 hours" if days == 1 else f"{days} days"
        begins = f"{self.begins:%Y-%m-%d %H:%M}"
        return f"{self.hours:g} h of rest in {what} from {begins}, {self.least:g} are the least"


def breaches(record: Mapping[date, RestDay]) -> Sequence[Breach]:
    """Find the worst stretch of each run of too little rest, the earliest first.

    A stretch counts only where every day it touches is on record. Within days of known periods
    every 24 hours count, at whatever minute they begin; a day of which only the sum is known is
    judged by its calendar day, and 7 days likewise.
    """
    found = [*_in_24_hours(record), *_in_days(record, 7, LEAST_IN_7_DAYS)]
    found += [
        Breach(_midnight(day), _DAY, rest.hours, LEAST_IN_24_HOURS)
        for day, rest in record.items()
        if not rest.periods and rest.hours < LEAST_IN_24_HOURS
    ]
    return sorted(found, key=lambda breach: (breach.begins, breach.length))


def read_periods(text: str) -> RestDay:
    """Read periods of one day, such as `00:00-06:00, 13:00-17:30`; one may run over midnight.

    Over midnight it counts for this day with both of its ends: the hours before midnight and
    those after 00:00 of the same day, as a daily sheet of boxes has them.

    Raises:
        BadInput: no period can be read, or two of them overlap.
    """
    spans: list[tuple[int, int]] = []
    for found in _PERIOD.finditer(text):
        begin, end = (int(found[n]) * 60 + int(found[n + 1]) for n in (1, 3))
        if max(begin, end) > 24 * 60 or begin == end:
            raise BadInput(f"{found[0]!r} is no period of a day; write 22:00-24:00")
        spans += [(begin, end)] if begin < end else [(0, end), (begin, 24 * 60)]
    spans = sorted(span for span in spans if span[0] < span[1])
    if not spans:
        raise BadInput(f"{text[:60]!r} holds no period; write 00:00-06:00, 13:00-17:00")
    if any(after[0] < before[1] for before, after in pairwise(spans)):
        raise BadInput("two of the periods overlap; write each hour of rest once")
    hours = sum(end - begin for begin, end in spans) / 60
    return RestDay(hours, tuple(spans))


def periods_in_words(rest: RestDay) -> str:
    """Write periods the way they are read: `00:00-06:00 13:00-17:30`."""
    return " ".join(f"{_clock(begin)}-{_clock(end)}" for begin, end in rest.periods)


def _in_24_hours(record: Mapping[date, RestDay]) -> Sequence[Breach]:
    known = {day for day, rest in record.items() if rest.periods}
    spans = [
        (_at(day, begin), _at(day, end))
        for day in sorted(known)
        for begin, end in record[day].periods
    ]
    # rest in a sliding day is least where it begins with an end of rest, or ends with a beginning
    starts = {end for _, end in spans} | {begin - _DAY for begin, _ in spans}
    starts |= {_midnight(day) for day in known}
    low: list[Breach] = []
    for start in sorted(starts):
        end = start + _DAY
        if start.date() not in known or (end.time() != time() and end.date() not in known):
            continue
        hours = sum(_overlap(span, start, end) for span in spans)
        if hours < LEAST_IN_24_HOURS:
            low.append(Breach(start, _DAY, round(hours, 2), LEAST_IN_24_HOURS))
    return _worst_of_each_run(low)


def _in_days(record: Mapping[date, RestDay], days: int, least: float) -> Sequence[Breach]:
    low = []
    for first in sorted(record):
        stretch = [record.get(first + n * _DAY) for n in range(days)]
        hours = sum(rest.hours for rest in stretch if rest is not None)
        if None not in stretch and hours < least:
            low.append(Breach(_midnight(first), days * _DAY, round(hours, 2), least))
    return _worst_of_each_run(low)


def _worst_of_each_run(low: Sequence[Breach]) -> Sequence[Breach]:
    """Tell stretches that overlap once, by the one with the least rest."""
    kept: list[Breach] = []
    end_of_run: datetime | None = None
    for breach in low:
        if end_of_run is not None and breach.begins < end_of_run:
            kept[-1] = min(kept[-1], breach, key=lambda one: one.hours)
        else:
            kept.append(breach)
        end_of_run = breach.begins + breach.length
    return kept


def _overlap(span: tuple[datetime, datetime], start: datetime, end: datetime) -> float:
    return max(0.0, (min(span[1], end) - max(span[0], start)).total_seconds()) / _HOURS


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _at(day: date, minute: int) -> datetime:
    return _midnight(day) + timedelta(minutes=minute)


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
