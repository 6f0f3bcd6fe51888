"""Hours of rest of the crew: what is on record, what breaks a limit, and writing it down."""

import sqlite3
from datetime import date, timedelta

from state.action import ActionResult
from state.errors import BadInput, Conflict, NotFound

from .effects import changes, reads, take_back
from .names import CREW
from .rest_limits import Breach, RestDay, breaches, periods_in_words, read_periods
from .unit_of_work import UnitOfWork
from .wording import day_of

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
    head = f"{len(lines)} breaches of the limits since {first}:"
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
