"""Hours of rest: records, their limits, and where a record breaks one."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .effects import changes, reads, take_back
from .formatting import counted, day_of
from .names import CREW
from .unit_of_work import UnitOfWork

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


SHOWN_DAYS = 7


@reads
def show_hours_of_rest(
    unit: UnitOfWork, *, crew: str | None = None, since: str | None = None
) -> ActionResult:
    """List the rest of one person day by day, or of everybody in sum; the last week if not said.

    Raises:
        NotFound: no such crew member.
        BadInput: `since` is no date.
    """
    first = day_of(since) if since else _days_ago(unit, SHOWN_DAYS - 1)
    person = unit.find(CREW, crew)["name"] if crew else None
    rows = [row for row in _rows(unit, first) if person in (None, row["person"])]
    if person:
        lines = [f"{row['day']}: {row['hours']:g} h {row['periods']}".rstrip() for row in rows]
    else:
        people = dict.fromkeys(str(row["person"]) for row in rows)
        lines = [_sum_of(one, rows) for one in people]
    head = f"Hours of rest{f' of {person}' if person else ''} since {first}:"
    lines = lines or ["nothing on record"]
    return ActionResult(text="\n".join([head, *lines]), data={"rest": [dict(row) for row in rows]})


@reads
def check_hours_of_rest(
    unit: UnitOfWork, *, crew: str | None = None, since: str | None = None
) -> ActionResult:
    """Name every stretch with less than 10 hours in 24 or 77 in 7 days; the last month if not said.

    Raises:
        NotFound: no such crew member.
        BadInput: `since` is no date.
    """
    first = day_of(since) if since else _days_ago(unit, 30)
    person = unit.find(CREW, crew)["name"] if crew else None
    found = {
        one: broken
        for one, broken in breaches_since(unit, first).items()
        if person in (None, one) and broken
    }
    lines = [f"{one}: {breach}" for one, broken in found.items() for breach in broken]
    head = f"{counted(len(lines), 'breach', 'breaches')} of the limits since {first}:"
    whose = f" of {person}" if person else ""
    return ActionResult(
        text="\n".join([head, *lines]) if lines else f"No limit is broken{whose} since {first}.",
        data={"breaches": {one: [str(b) for b in broken] for one, broken in found.items()}},
    )


@changes
def log_hours_of_rest(
    unit: UnitOfWork,
    *,
    crew: str,
    hours: float | None = None,
    day: str | None = None,
    periods: str | None = None,
) -> ActionResult:
    """Write down the rest of one person on one day; without a day, today's.

    Raises:
        NotFound: no such crew member.
        BadInput: neither hours nor periods, they do not agree, or the day lies ahead.
        Conflict: that day is on record; correct it instead.
    """
    person, on = str(unit.find(CREW, crew)["name"]), _past_day(unit, day)
    standing = _standing(unit, person, on)
    if standing is not None:
        what = f"{standing['hours']:g} h of {person} on {on}"
        raise Conflict(f"{what} are on record; correct them instead", "on record")
    rest = _rest(hours, periods)
    unit.insert(
        "rest_day",
        person=person,
        day=on,
        hours=rest.hours,
        periods=periods_in_words(rest),
        logged_by=unit.user,
        logged_on=unit.day,
    )
    return _logged(unit, person, on, rest)


@changes
def correct_hours_of_rest(
    unit: UnitOfWork,
    *,
    crew: str,
    hours: float | None = None,
    day: str | None = None,
    periods: str | None = None,
) -> ActionResult:
    """Put a day of rest right that is on record; without a day, today's.

    Raises:
        NotFound: no such crew member, or nothing on record that day.
        BadInput: neither hours nor periods, they do not agree, or the day lies ahead.
    """
    person, on = str(unit.find(CREW, crew)["name"]), _past_day(unit, day)
    standing = _on_record(unit, person, on)
    rest = _rest(hours, periods)
    unit.update(
        "rest_day",
        standing["id"],
        hours=rest.hours,
        periods=periods_in_words(rest),
        logged_by=unit.user,
        logged_on=unit.day,
    )
    return _logged(unit, person, on, rest)


@changes
def withdraw_hours_of_rest(unit: UnitOfWork, *, crew: str, day: str | None = None) -> ActionResult:
    """Take the last entry or correction of a day back; without a day, today's.

    Raises:
        NotFound: no such crew member, or nothing on record that day.
        Conflict: the entry is not from here, or was changed since.
    """
    person, on = str(unit.find(CREW, crew)["name"]), _past_day(unit, day)
    key = str(_on_record(unit, person, on)["id"])
    if not (
        take_back(unit, "correct_hours_of_rest", "rest_day", key)
        or take_back(unit, "log_hours_of_rest", "rest_day", key)
    ):
        raise Conflict(f"the rest of {person} on {on} was not entered here; correct it", "kept")
    return ActionResult(
        text=f"The last entry for {person} on {on} is withdrawn.",
        data={"crew": person, "day": on},
    )


def breaches_since(unit: UnitOfWork, first: str, last: str = "9999") -> dict[str, list[Breach]]:
    """Find for each person on record the breaches between two days, both included."""
    records: dict[str, dict[date, RestDay]] = {}
    for row in _rows(unit, first):
        if row["day"] <= last:
            of_person = records.setdefault(str(row["person"]), {})
            of_person[date.fromisoformat(row["day"])] = _read(row)
    return {person: list(breaches(record)) for person, record in records.items()}


def _logged(unit: UnitOfWork, person: str, on: str, rest: RestDay) -> ActionResult:
    record = {
        date.fromisoformat(row["day"]): _read(row)
        for row in _rows(unit, _days_before(on, 7))
        if row["person"] == person
    }
    record[date.fromisoformat(on)] = rest  # a trial has not written it
    broken = breaches(record)
    warning = f" Too little: {broken[-1]}." if broken else ""
    if broken:
        unit.facts.append(("limit broken", str(broken[-1])))
    when = f" ({periods_in_words(rest)})" if rest.periods else ""
    return ActionResult(
        text=f"{rest.hours:g} hours of rest for {person} on {on}{when}.{warning}",
        data={"crew": person, "day": on, "hours": rest.hours, "breaches": [str(b) for b in broken]},
        changed=(f"{person}, {on}: {rest.hours:g} h of rest",),
        undo={"crew": person, "day": on},
    )


def _rest(hours: float | None, periods: str | None) -> RestDay:
    if periods:
        rest = read_periods(periods)
        if hours is not None and abs(rest.hours - hours) > 0.01:
            raise BadInput(f"the periods make {rest.hours:g} hours, not {hours:g}")
        return rest
    if hours is None or isinstance(hours, bool) or not 0 <= hours <= 24:
        raise BadInput("say how many hours, 0 to 24, or when: 00:00-06:00, 13:00-17:00")
    return RestDay(float(hours))


def _past_day(unit: UnitOfWork, day: str | None) -> str:
    on = day_of(day) if day else unit.day
    if on > unit.day:
        raise BadInput(f"{on} lies ahead; rest is logged when it is over")
    return on


def _standing(unit: UnitOfWork, person: str, on: str) -> sqlite3.Row | None:
    return unit.row("SELECT * FROM rest_day WHERE person = ? AND day = ?", person, on)


def _on_record(unit: UnitOfWork, person: str, on: str) -> sqlite3.Row:
    standing = _standing(unit, person, on)
    if standing is None:
        raise NotFound("rest on record", f"{person}, {on}")
    return standing


def _rows(unit: UnitOfWork, first: str) -> list[sqlite3.Row]:
    return list(unit.rows("SELECT * FROM rest_day WHERE day >= ? ORDER BY person, day", first))


def _read(row: sqlite3.Row) -> RestDay:
    return read_periods(row["periods"]) if row["periods"] else RestDay(row["hours"])


def _sum_of(person: str, rows: list[sqlite3.Row]) -> str:
    own = [row["hours"] for row in rows if row["person"] == person]
    return f"{person}: {sum(own):g} h in {len(own)} days, least {min(own):g} h"


def _days_ago(unit: UnitOfWork, days: int) -> str:
    return _days_before(unit.day, days)


def _days_before(day: str, days: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()
