"""Productions of times of day, moments and what comes back."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from tools.nlu.values.model import PARTS_OF_DAY, Num, Reading, Recurrence, Time, production

_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
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


def _of_part(clocks: Iterable[time], part: str) -> tuple[time, ...]:
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
    clocks = _of_part(clocks_of(read.get("number") or read["clock"]), read["daypart"])
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
    clocks = _of_part(clocks_of(read["clock"]), day.grain)
    return replace(day, grain="moment", clocks=clocks) if clocks and day.options else None


def _count_of(said: Num | int | None, otherwise: float) -> float:
    return otherwise if said is None else said.value if isinstance(said, Num) else float(said)


@production("every")
def _every(read: Reading, today: date) -> Recurrence | None:
    count = read.get("count")
    every = (
        float(count.value if isinstance(count, Num) else count) if count is not None else read.args
    )
    return Recurrence(every, read.get("timeunit") or read["period"]) if every else None


@production("every_day")
def _every_day(read: Reading, today: date) -> Recurrence | None:
    count = read.get("count")
    every = (
        float(count.value if isinstance(count, Num) else count) if count is not None else read.args
    )
    days = tuple(_NAMES[one] for one in read.all("weekday") + read.all("shortday"))
    return Recurrence(every, "week", days)


@production("every_part")
def _every_part(read: Reading, today: date) -> Recurrence:
    weekday = read.get("weekday")
    on = (_NAMES[weekday],) if weekday is not None else ()
    at = (time(PARTS_OF_DAY[read["daypart"]]),)
    return Recurrence(1, "week" if on else "day", (*on, read["daypart"]), at)


_DAYS_OF = {"week": _NAMES[:5], "weekend": _NAMES[5:], "weeknights": (*_NAMES[:4], "sun")}


@production("working_days")
def _working_days(read: Reading, today: date) -> Recurrence:
    return Recurrence(1, "week", _DAYS_OF[read.args])


@production("every_nth")
def _every_nth(read: Reading, today: date) -> Recurrence:
    which, weekday = read.get("nth") or read["ordinal"], read.get("weekday")
    return Recurrence(1, read.args, (f"{which}{'' if weekday is None else _NAMES[weekday]}",))


@production("times_each")
def _times_each(read: Reading, today: date) -> Recurrence:
    count = read["count"]
    return Recurrence(
        1, read["each"], times=float(count.value if isinstance(count, Num) else count)
    )


@production("recurrence_at")
def _recurrence_at(read: Reading, today: date) -> Recurrence | None:
    back: Recurrence = read["recurrence"]
    if (back.at and back.on[-1] not in PARTS_OF_DAY) or back.unit in ("hour", "minute", "second"):
        return None
    if (hours := read.get("hours")) is not None:
        return replace(back, at=(hours.clocks[0], hours.until[0]), on=(*back.on, "hours"))
    said = [_of_part(clocks_of(one), back.on[-1] if back.on else "") for one in read.all("clock")]
    return replace(back, at=tuple(one[0] for one in said)) if all(said) else None


@production("unreadable")
def _unreadable(read: Reading, today: date) -> Time:
    return Time(())
