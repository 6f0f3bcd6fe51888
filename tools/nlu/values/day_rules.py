"""Productions of days, times of day and moments.

What is said without its year, or by a day of the week alone, keeps every reading: the last one and
the next one. A view decides between them (`views.py`), because only it knows what is asked for.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from tools.nlu.values.model import (
    DAY,
    MONTHS,
    STEPS,
    Amount,
    Num,
    Reading,
    Side,
    Stretch,
    Time,
    around,
    coming,
    day_number,
    day_stretch,
    gone,
    moved,
    on_day,
    one_day,
    production,
    side_of,
    unit_at,
)
from tools.nlu.values.units import UNITS


@production("near")
def _near(read: Reading, today: date) -> Time:
    return on_day(today + read["near"] * DAY, read["near"])


@production("near_part")
def _near_part(read: Reading, today: date) -> Time:
    return on_day(today + read["near"] * DAY, read["near"], read["daypart"])


@production("this_part")
def _this_part(read: Reading, today: date) -> Time:
    part = read.get("daypart", "evening")
    return on_day(today + read.args * DAY, read.args, part)


def _either(today: date, weekday: int) -> tuple[Stretch, ...]:
    nearest = coming(today, weekday)
    days = [gone(today, weekday), nearest, *([nearest + 7 * DAY] if nearest == today else [])]
    return tuple(map(one_day, days))


@production("weekday")
def _weekday(read: Reading, today: date) -> Time:
    return Time(_either(today, read["weekday"]))


@production("short_weekday")
def _short_weekday(read: Reading, today: date) -> Time:
    return Time(_either(today, read["shortday"]))


@production("weekday_part")
def _weekday_part(read: Reading, today: date) -> Time:
    return Time(_either(today, read["weekday"]), read["daypart"])


@production("this_weekday")
def _this_weekday(read: Reading, today: date) -> Time:
    weekday, nearest = read["weekday"], coming(today, read["weekday"])
    if read.args == "last":
        return on_day(gone(today, weekday), -1)
    if read.args == "this":
        return on_day(nearest, 1)
    nexts = (nearest, nearest + 7 * DAY) if nearest > today else (today + 7 * DAY,)
    # Of two weeks that people mean by it neither is sure.
    return Time(tuple(map(one_day, nexts)), side=Side.AHEAD)


@production("other_weekday")
def _other_weekday(read: Reading, today: date) -> Time:
    return Time(tuple(one_day(coming(today, read["weekday"]) + n * 7 * DAY) for n in (1, 2)),
                side=Side.AHEAD)  # fmt: skip


@production("week_and_weekday")
def _week_and_weekday(read: Reading, today: date) -> Time:
    away = STEPS[read.get("direction", "next")]
    monday = unit_at(today, "week", away).first or today
    return on_day(monday + read["weekday"] * DAY, away)


@production("weekday_week")
def _weekday_week(read: Reading, today: date) -> Time | None:
    """Read `Friday week` and `tomorrow fortnight`."""
    node = next(one for one in read.nodes if one.kind == "date")
    if node.rule not in ("weekday", "near"):
        return None
    ahead = [one.first for one in read["date"].options if one.first and one.first >= today]
    return on_day(ahead[0] + read.args * 7 * DAY, 1) if ahead else None


@production("dated_weekday")
def _dated_weekday(read: Reading, today: date) -> Time | None:
    """Keep of a date the readings that are such a day of the week; without one it is no day."""
    day: Time = read["day"]
    is_other = next(one for one in read.nodes if one.payload is day).rule in ("weekday", "near")
    kept = tuple(one for one in day.options if one.first and one.first.weekday() == read["weekday"])
    return None if is_other or day.grain != "day" else replace(day, options=kept)


@production("month_day")
def _month_day(read: Reading, today: date) -> Time | None:
    which, number = read["month"], day_number(read["day"])
    if not 1 <= number <= 31:
        return None
    if said := read.get("year"):
        only = day_stretch(said[0], which, number)
        return Time((only,) if only else (), is_absolute=said[1])
    return Time(around(lambda of: day_stretch(of, which, number), today))


def _in_month(today: date, away: int, number: int) -> Stretch | None:
    of, which = divmod(today.year * 12 + today.month - 1 + away, 12)
    return day_stretch(of, which + 1, number)


@production("of_month", "day_of_month")
def _of_month(read: Reading, today: date) -> Time | None:
    number = read["ordinal"]
    if not 1 <= number <= 31:
        return None
    if (of := read.get("month")) is not None:
        if of.grain != "month":
            return None
        days = [day_stretch(one.first.year, one.first.month, number) for one in of.options]
        found: Time | None = replace(of, grain="day", options=tuple(one for one in days if one))
        return found
    if len(read.nodes) > 3:
        away = STEPS[read.get("direction", "this")]
        day = _in_month(today, away, number)
        return Time((day,) if day else (), side=side_of(away))
    near = [day for away in range(-2, 3) if (day := _in_month(today, away, number))]
    behind = [one for one in near if one.first and one.first <= today]
    ahead = [one for one in near if one.first and one.first >= today]
    return Time(tuple(dict.fromkeys([*behind[-1:], *ahead[:1]])))


@production("nth", "nth_day")
def _nth(read: Reading, today: date) -> Time | None:
    found: Time | None = _of_month(Reading(read.nodes, ("ordinal",), None), today)
    return found


@production("short_date")
def _short_date(read: Reading, today: date) -> Time | None:
    found: Time | None = read["shortdate"]
    return found


def _whole_of(read: Reading, today: date) -> Time | None:
    if (of := read.get("stretch")) is not None:
        found: Time | None = of
        return found
    if read.args is not None:
        return Time((unit_at(today, "year", read.args),), "year")
    unit = read["timeunit"]
    return Time((unit_at(today, unit),), unit) if unit in MONTHS or unit == "week" else None


@production("edge")
def _edge(read: Reading, today: date) -> Time | None:
    """Read the start or the end of a stretch as its first or last day."""
    whole = _whole_of(read, today)
    if whole is None or read["edge"] == "middle":
        return None
    days = [one.first if read["edge"] == "start" else one.last for one in whole.options]
    return replace(whole, options=tuple(one_day(day) for day in days if day), grain="day")


@production("middle")
def _middle(read: Reading, today: date) -> Time | None:
    return _whole_of(read, today) if read["edge"] == "middle" else None


@production("edges")
def _edges(read: Reading, today: date) -> Time | None:
    is_whole = read["edge"] == "start" and read["last"] == "end"
    return _whole_of(read, today) if is_whole else None


@production("end_word")
def _end_word(read: Reading, today: date) -> Time:
    return on_day(unit_at(today, read.args).last or today)


def whole_units(of: Amount) -> Amount | None:
    """Give an amount of time in units that a calendar has whole; None: it has a broken day."""
    unit = of.unit
    for larger, smaller, times in (("year", "month", 12), ("fortnight", "week", 2),
                                   ("century", "year", 100), ("decade", "year", 10),
                                   ("quarter", "month", 3)):  # fmt: skip
        is_larger = unit == larger and (larger != "year" or not of.value.is_integer())
        if is_larger and (of.value * times).is_integer():
            of, unit = of._replace(value=of.value * times, unit=smaller), smaller
    return of if of.value.is_integer() and unit in ("day", "week", "month", "year") else None


def _day_away(today: date, of: Amount, sign: int) -> Time:
    away = of._replace(value=sign * of.value)
    whole = whole_units(of)
    if whole is None or of.is_vague or not 0 < whole.value < 1_000:
        return Time((), side=side_of(sign), away=away)
    return replace(on_day(moved(today, sign * whole.value, whole.unit), sign), away=away)


@production("in_duration")
def _in_duration(read: Reading, today: date) -> Time | None:
    of = read["duration"]
    is_moment = UNITS[of.unit].factor < UNITS["day"].factor
    return None if is_moment else _day_away(today, of, read.args)


@production("age")
def _age(read: Reading, today: date) -> Time | None:
    """Read `older than a year` as what ends before that day, `less than a week ago` as since it."""
    of = read["duration"]
    if UNITS[of.unit].factor < UNITS["day"].factor:
        return None
    found = _day_away(today, of, -1)
    return replace(found, bound=read.args, away=None if found.options else found.away)


@production("in_moment")
def _in_moment(read: Reading, today: date) -> Time | None:
    of = read["duration"]
    if UNITS[of.unit].factor >= UNITS["day"].factor:
        return None
    return Time((), "moment", side_of(read.args), away=of._replace(value=read.args * of.value))


@production("counted")
def _counted(read: Reading, today: date) -> Time | None:
    """Read a day that is told by another one; one counted with a broken unit cannot be told."""
    anchor: Time = read["date"]
    if UNITS[read.get("duration", Amount(1.0, "day")).unit].factor < UNITS["day"].factor:
        return None
    if any(node.rule == "near" for node in read.nodes) and not read.all("duration"):
        return None  # `the day after tomorrow` has words of its own
    of = whole_units(read.get("duration", Amount(1.0, "day")))
    if of is None or of.is_vague:
        return Time((), side=anchor.side)
    days = [moved(one.first, read.args * of.value, of.unit) for one in anchor.options if one.first]
    return replace(anchor, options=tuple(map(one_day, days)), grain="day", side=Side.OPEN)


@production("week_on")
def _week_on(read: Reading, today: date) -> Time | None:
    """Read `a week on Friday`; `10 hours on Friday` are told of that day."""
    is_week = read["duration"].unit in ("week", "fortnight") and read["date"].grain == "day"
    return _counted(read, today) if is_week else None


@production("beside_weekday")
def _beside_weekday(read: Reading, today: date) -> Time:
    anchor: Time = read["date"]
    weekday: int = read["weekday"]
    days = [one.first for one in anchor.options if one.first]
    found = [coming(day + DAY, weekday) if read.args > 0 else gone(day, weekday) for day in days]
    return replace(anchor, options=tuple(map(one_day, found)), side=Side.OPEN)


@production("nth_weekday")
def _nth_weekday(read: Reading, today: date) -> Time | None:
    whole = _whole_of(read, today)
    found = [day for one in whole.options if (day := _nth_in(one, read["weekday"], read["nth"]))] \
        if whole else []  # fmt: skip
    return (
        replace(whole, options=tuple(map(one_day, found)), grain="day") if whole and found else None
    )


def _nth_in(whole: Stretch, weekday: int, which: int) -> date | None:
    if whole.first is None or whole.last is None:
        return None
    first = coming(whole.first, weekday)
    day = first + (which - 1) * 7 * DAY if which > 0 else gone(whole.last + DAY, weekday)
    return day if day <= whole.last else None


@production("holiday")
def _holiday(read: Reading, today: date) -> Time | None:
    which, number = map(int, str(read["holiday"]).split("-"))
    if said := read.get("year"):
        return Time((one_day(date(said[0], which, number)),), is_absolute=said[1])
    near = around(lambda of: day_stretch(of, which, number), today)
    if read.args == "this":
        return Time((one_day(date(today.year, which, number)),))
    if read.args:
        return replace(Time(near[:1] if read.args == "last" else near[-1:]),
                       side=side_of(STEPS[read.args]))  # fmt: skip
    return Time(near)


@production("since_turn")
def _since_turn(read: Reading, today: date) -> Time:
    return Time((one_day(date(2000, 1, 1)),), is_absolute=True)


_MORNING, _NOON, _EVENING = 5, 12, 17
"""Hours at which a part of the day begins."""


def _clock_time(*clocks: time) -> Time:
    return Time((), "clock", clocks=tuple(sorted(set(clocks))))


def clocks_of(said: Any, minute: int = 0) -> tuple[time, ...]:
    """Give the times that an hour may mean: 3:00 and 15:00 for `3`; none: there is no such hour."""
    if isinstance(said, Time):
        return said.clocks
    hour = int(said.value)
    if said.form == "digits" and 100 <= hour < 2400 and hour % 100 < 60:
        return (time(hour // 100, hour % 100),)
    if hour != said.value or not 0 <= hour <= 24 or said.form == "vague":
        return ()
    of = {hour % 24} if hour == 0 or hour > 12 else {hour % 24, (hour + 12) % 24}
    moments = [timedelta(hours=one, minutes=minute) for one in of]
    return tuple(sorted(time(one.seconds // 3600, one.seconds % 3600 // 60) for one in moments))


@production("dot_clock", "dot_clock_uhr")
def _dot_clock(read: Reading, today: date) -> Time:
    found: Time = read["dotclock"]
    return found


@production("clock_word")
def _clock_word(read: Reading, today: date) -> Time:
    return _clock_time(time.fromisoformat(read["clockword"]))


@production("half_day")
def _half_day(read: Reading, today: date) -> Time | None:
    said, part = read["of"], read.get("halfday", read.args)
    if isinstance(said, Num) and not 1 <= said.value <= 12:
        return None
    of = {(one.hour % 12, one.minute) for one in clocks_of(said) if one.hour <= 12 or part == "pm"}
    return _clock_time(*(time(hour + 12 * (part == "pm"), minute) for hour, minute in of)) if of \
        else None  # fmt: skip


@production("oclock")
def _oclock(read: Reading, today: date) -> Time | None:
    if (clock := read.get("clock")) is not None:
        found: Time | None = clock
        return found
    clocks = clocks_of(read["number"])
    return _clock_time(*clocks) if clocks else None


@production("uhr_minutes")
def _uhr_minutes(read: Reading, today: date) -> Time | None:
    """Read `8 Uhr 30`, which is said of the 24 hours of a day."""
    hour, minutes = int(read["number"].value), int(read["minutes"].value)
    return _clock_time(time(hour, minutes)) if hour < 24 and minutes < 60 else None


@production("past_hour")
def _past_hour(read: Reading, today: date) -> Time | None:
    hour, minutes = read["number"], read.get("minutes")
    if not 1 <= hour.value <= 12:
        return None
    if minutes is not None and not _is_said_of_hour(minutes, read):
        return None
    shift = read.args * (int(minutes.value) if minutes is not None else 1)
    clocks = clocks_of(hour, shift)
    return _clock_time(*clocks) if clocks else None


def _is_said_of_hour(minutes: Num, read: Reading) -> bool:
    """Tell `ten to five` and `20 past 4` from the numbers `3 to 5`."""
    is_plain = len(read.nodes) == 3
    is_to = is_plain and read.args < 0 and minutes.form == "digits"
    return 1 <= minutes.value < 60 and not is_to and (not is_plain or minutes.value % 5 == 0)


def of_part(clocks: Iterable[time], part: str) -> tuple[time, ...]:
    """Keep the times that lie in a part of the day; without one, all of them."""
    of = tuple(clocks)
    within = {
        "morning": lambda one: one.hour < _NOON,
        "noon": lambda one: _NOON - 2 < one.hour < _EVENING,
        "afternoon": lambda one: one.hour >= _NOON,
        "evening": lambda one: one.hour >= _NOON,
        "night": lambda one: one.hour >= _EVENING or one.hour < _MORNING,
    }.get(part)
    kept = tuple(one for one in of if within is None or within(one))
    return kept or of


@production("in_daypart")
def _in_daypart(read: Reading, today: date) -> Time | None:
    clocks = of_part(clocks_of(read.get("number") or read["clock"]), read["daypart"])
    return _clock_time(*clocks) if clocks else None


@production("at_number")
def _at_number(read: Reading, today: date) -> Time | None:
    clocks = clocks_of(read.get("number") or read["clock"])
    return _clock_time(*clocks) if clocks else None


@production("at_clock")
def _at_clock(read: Reading, today: date) -> Time:
    found: Time = read["atclock"]
    return found


@production("until_clock")
def _until_clock(read: Reading, today: date) -> Time | None:
    found = _at_number(read, today)
    return replace(found, bound=read.args) if found else None


@production("hours")
def _hours(read: Reading, today: date) -> Time | None:
    """Read the hours from one time to another; the first has the half of the day that fits."""
    begin, end = clocks_of(read["a"]), clocks_of(read["b"])
    if not begin or not end:
        return None
    if len(begin) > 1 and len(end) == 1:
        begin = tuple(one for one in begin if one < end[0])[-1:] or begin[-1:]
    if len(end) > 1 and len(begin) == 1:
        end = tuple(one for one in end if one > begin[0])[:1] or end[:1]
    return Time((), "hours", clocks=begin, until=end)


@production("instant")
def _instant(read: Reading, today: date) -> Time | None:
    day: Time = read["date"]
    clocks = of_part(clocks_of(read["clock"]), day.grain)
    return replace(day, grain="moment", clocks=clocks) if clocks and day.options else None
