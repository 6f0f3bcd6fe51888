"""Productions of weeks, months, years, of open ends and ranges, and of what comes back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, time

from tools.nlu.values.day_rules import clocks_of, of_part
from tools.nlu.values.model import (
    DAY,
    MONTHS,
    PARTS_OF_DAY,
    STEPS,
    Amount,
    Num,
    Reading,
    Recurrence,
    Side,
    Stretch,
    Time,
    around,
    day_number,
    day_stretch,
    decade,
    half,
    month,
    months,
    moved,
    on_day,
    production,
    quarter,
    side_of,
    unit_at,
    year,
)
from tools.nlu.values.units import UNITS

_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@production("yearish")
def _yearish(read: Reading, today: date) -> tuple[int, bool] | None:
    if (of := read.get("year")) is not None:
        return of, True
    said = read.get("direction")
    return today.year + (STEPS[said] if said else read.args), False


@production("spoken_year")
def _spoken_year(read: Reading, today: date) -> int | None:
    said = read.all("century") + read.all("number") + read.all("tens")
    values = [int(one.value) for one in said]
    words = [one.form for one in said]
    if "digits" in words:
        return None
    if not read.all("century"):
        return 2000 + (values[0] if values and values[0] < 100 else 0)
    if values[0] not in (18, 19, 20) or (values[1:] and values[1] > 99):
        return None
    is_short = len(values) > 1 and values[1] < 10 and read.args != "o"
    return None if is_short else values[0] * 100 + (values[1:] or [0])[0]


@production("bare_year", "far_year", "spoken", "in_year")
def _year_of(read: Reading, today: date) -> Time:
    return Time((year(read["year"]),), "year", is_absolute=True)


@production("relative")
def _relative(read: Reading, today: date) -> Time | None:
    said, unit = read.get("direction"), read.get("timeunit", "weekend")
    if unit not in MONTHS and unit not in ("day", "week", "weekend", "fortnight"):
        return None
    is_window = said == "last" and len(read.nodes) > 2 and unit != "weekend"
    if is_window or (unit == "day" and said == "this"):
        return None  # `the last year` ends today
    away = STEPS[said] if said else read.args
    if unit == "day":
        return on_day(today + away * DAY, away)
    return Time((unit_at(today, unit, away),), unit, side_of(away))


@production("the_unit")
def _the_unit(read: Reading, today: date) -> Time | None:
    if read.args == "ytd":
        return Time((Stretch(date(today.year, 1, 1), today),), "year", Side.BEHIND)
    if (number := read.get("number")) is not None:
        if not 1 <= number.value <= 53 or not number.value.is_integer():
            return None
        monday = date.fromisocalendar(today.year, int(number.value), 1)
        return Time((unit_at(monday, "week"),), "week")
    if (day := read.get("date")) is not None:
        whole = tuple(unit_at(one.first, read.args) for one in day.options if one.first)
        found: Time | None = replace(day, options=whole, grain=read.args)
        return found
    gone, coming = unit_at(today, "weekend", -1), unit_at(today, "weekend")
    return Time((gone, coming), "weekend")


@production("window")
def _window(read: Reading, today: date) -> Time | None:
    """Read so many units that end today, or begin."""
    of = read.get("duration")
    if of is None:
        number, part = read.get("number"), read.get("part")
        value = part.value if part and number is None and read.args != 1 else None
        if part is not None and read.nodes[-1].kind == "part":
            value = 1 + part.value
        of = Amount(value or (number.value if number else 1.0), read["timeunit"])
    away = of._replace(value=read.args * of.value)
    if UNITS[of.unit].factor < UNITS["day"].factor:
        return Time((), "moment", side_of(read.args), away=away)
    edge = moved(today, round(read.args * of.value * (7 if of.unit == "week" else 1), 3),
                 "day" if of.unit == "week" else of.unit)  # fmt: skip
    stretch = Stretch(edge, today) if read.args < 0 else Stretch(today, edge)
    return Time((stretch,), of.unit, side_of(read.args), away=away)


@production("month")
def _month(read: Reading, today: date) -> Time | None:
    if said := read.get("year"):
        return Time((month(said[0], read["month"]),), "month", is_absolute=said[1])
    return None


@production("bare_month")
def _bare_month(read: Reading, today: date) -> Time:
    return Time(around(lambda of: month(of, read["month"]), today), "month")


def _near_one(found: Time, said: str, today: date) -> Time:
    """Choose the last, the present or the next one of what comes once a year."""
    away = STEPS[said]
    behind = [one for one in found.options if one.last and one.last < today]
    ahead = [one for one in found.options if one.first and one.first > today]
    if away == 0:
        now = [
            one
            for one in found.options
            if one.first and one.last and one.first <= today <= one.last
        ]
        own = [one for one in found.options if one.first and one.first.year == today.year]
        return replace(found, options=tuple((now + own)[:1]))
    chosen = behind[-1:] if away < 0 else ahead[:1]
    return replace(found, options=tuple(chosen), side=side_of(away))


def _every_year(of_year: Callable[[int], Stretch | None], today: date, grain: str) -> Time:
    near = [of_year(today.year + away) for away in (-2, -1, 0, 1, 2)]
    return Time(tuple(one for one in near if one), grain)


@production("near_month")
def _near_month(read: Reading, today: date) -> Time:
    found = _every_year(lambda of: month(of, read["month"]), today, "month")
    return _near_one(found, read["direction"], today)


def _part_of_year(of: int, unit: str, which: int) -> Stretch | None:
    count = 4 if unit == "quarter" else 2
    which = count if which < 0 else which
    if not 1 <= which <= count:
        return None
    return quarter(of, which) if unit == "quarter" else half(of, which)


@production("quarter")
def _quarter(read: Reading, today: date) -> Time | None:
    of, is_absolute = read.get("year", (today.year, False))
    stretch = _part_of_year(of, read.args, read["which"])
    return Time((stretch,), read.args, is_absolute=is_absolute) if stretch else None


@production("bare_quarter")
def _bare_quarter(read: Reading, today: date) -> Time:
    return Time(around(lambda of: _part_of_year(of, read.args, read["which"]), today), read.args)


@production("some_of")
def _some_of(read: Reading, today: date) -> Time | None:
    """Read `the first two quarters of 2024` and `the last weeks of last month`."""
    of, is_absolute = read.get("year", (None, False))
    whole = Time((year(of),), is_absolute=is_absolute) if of else read["stretch"]
    which, unit = read["nth"], read["timeunit"]
    count = int(read.get("number", Num(1.0)).value)
    is_long = whole.grain in ("decade", "century")
    if which not in (1, -1) or count < 1 or not whole.options or is_long:
        return None
    first, last = whole.options[0]
    if first is None or last is None:
        return None
    if which == 1:
        found = Stretch(first, moved(first, count, unit) - DAY)
    else:
        found = Stretch(moved(last + DAY, -count, unit), last)
    is_inside = found.first and found.last and first <= found.first and found.last <= last
    return replace(whole, options=(found,), grain=unit) if is_inside else None


@production("season")
def _season(read: Reading, today: date) -> Time:
    of, is_absolute = read["year"]
    return Time((months(of, read["season"], 3),), "season", is_absolute=is_absolute)


@production("near_season")
def _near_season(read: Reading, today: date) -> Time:
    found = _every_year(lambda of: months(of, read["season"], 3), today, "season")
    return _near_one(found, read["direction"], today)


@production("bare_season", "in_season")
def _bare_season(read: Reading, today: date) -> Time:
    return Time(around(lambda of: months(of, read["season"], 3), today), "season")


def _thirds(whole: Stretch, part: str, grain: str) -> Stretch:
    """Take the early, middle or late third; of ten years the years 0 to 3, 4 to 6 and 7 to 9."""
    if whole.first is None or whole.last is None:
        return whole
    if grain == "decade":
        begin, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}[part]
        return decade(whole.first.year, begin, end)
    third = (whole.last - whole.first + DAY) / 3
    place = ("early", "mid", "late").index(part)
    first = whole.first + place * third.days * DAY
    return Stretch(first, whole.last if part == "late" else first + (third.days - 1) * DAY)


@production("early")
def _early(read: Reading, today: date) -> Time | None:
    part = read.get("early")
    if (of := read.get("yearish")) is not None:
        whole = Time((year(of[0]),), "year", is_absolute=of[1])
        if part is None:  # earlier last year
            return whole
    else:
        whole = read["stretch"]
    cut = [_thirds(one, part, whole.grain) for one in whole.options if one.first and one.last]
    return replace(whole, options=tuple(cut))


@production("decade")
def _decade(read: Reading, today: date) -> Time:
    whole = decade(read["decade"])
    part = read.get("early")
    return Time((_thirds(whole, part, "decade") if part else whole,), "decade", is_absolute=True)


@production("decade_nth")
def _decade_nth(read: Reading, today: date) -> Time | None:
    """Read `die 90er` and `die 1990er`."""
    first = int(read["decade"].value)
    first = first if first > 99 else 1900 + first
    return Time((decade(first),), "decade", is_absolute=True) if first % 10 == 0 else None


@production("ago_span")
def _ago_span(read: Reading, today: date) -> Time | None:
    """Read `ten to five years ago`: of years, each that it touches."""
    of = read["duration"]
    first, last = (moved(today, -count, of.unit) for count in (read["a"].value, of.value))
    whole = Stretch(first, last) if first <= last else Stretch(last, first)
    if of.unit in ("year", "decade", "century") and whole.first and whole.last:
        whole = year(whole.first.year).to(year(whole.last.year))
    return Time((whole,), of.unit, Side.BEHIND)


@production("parts_of")
def _parts_of(read: Reading, today: date) -> Time | None:
    """Read `the first and second quarter of 2024` and `spring to autumn 2024`."""
    of, is_absolute = read["year"]
    if read.args == "season":
        ends = [months(of, read[one], 3) for one in ("a", "b")]
        return Time((ends[0].to(ends[1]),), "season", is_absolute=is_absolute)
    first, last = (_part_of_year(of, read.args, read[one]) for one in ("a", "b"))
    return Time((first.to(last),), read.args, is_absolute=is_absolute) if first and last else None


@production("century")
def _century(read: Reading, today: date) -> Time | None:
    number = read["ordinal"]
    if not 11 <= number <= 21:
        return None
    return Time((year((number - 1) * 100 + 1).to(year(number * 100)),), "century", is_absolute=True)


@production("two_years", "years_to")
def _two_years(read: Reading, today: date) -> Time:
    first, last = sorted((read["a"], read["b"]))
    return Time((year(first).to(year(last)),), "year", is_absolute=True)


@production("short_years")
def _short_years(read: Reading, today: date) -> Time | None:
    """Read 2015-18 and 2019/20; what could be a month, as in 2015-09, is read as one."""
    first, ending = read["a"], int(read["b"].value)
    last = first - first % 100 + ending
    is_years = 12 < ending < 100 and last > first
    return Time((year(first).to(year(last)),), "year", is_absolute=True) if is_years else None


@production("to_now")
def _to_now(read: Reading, today: date) -> Time | None:
    first = year(read["year"])
    return Time((first.to(year(today.year)),), "year") if read["year"] <= today.year else None


_MOST_MONTHS = 12 * 200


@production("months_to")
def _months_to(read: Reading, today: date) -> Time | None:
    """Read so many months or years that end with a month or a year."""
    number, unit = read.get("number", Num(1.0)), read["timeunit"]
    if unit not in ("year", "month", "quarter"):
        return None
    count, which, of = int(number.value * MONTHS[unit]), read.get("month"), read["year"]
    if not 1 <= count <= _MOST_MONTHS:
        return None
    grain = "year" if which is None and count % 12 == 0 else "month"
    end = of * 12 + (which or 12)
    return Time((months(0, end - count + 1, count),), grain, is_absolute=True)


@production("months_of")
def _months_of(read: Reading, today: date) -> Time:
    of, is_absolute = read["year"]
    first, last = read["a"], read["b"]
    if any(node.kind == "quarternumber" for node in read.nodes):
        whole = quarter(of, first).to(quarter(of, last))
        return Time((whole,), "quarter", is_absolute=is_absolute) if first <= last else Time(())
    whole = month(of - (first > last), first).to(month(of, last))
    return Time((whole,), "month", is_absolute=is_absolute)


@production("bound")
def _bound(read: Reading, today: date) -> Time:
    found: Time = replace(read["of"], bound=read.args)
    return found


@production("from_to")
def _from_to(read: Reading, today: date) -> Time | None:
    """Reach from one time to another; of several readings those belong together that are near."""
    begin, end = _begin_of(read, today), _end_of(read, today)
    if begin is None or end is None:
        return None
    found = []
    for last in end.options:
        firsts = [
            one for one in begin.options if one.first and last.last and one.first <= last.last
        ]
        if firsts and not (begin.grain == "weekday" and len(firsts) > 1):
            found.append(firsts[-1].to(last))
    if not found:
        return None
    is_absolute = begin.is_absolute and end.is_absolute
    clocks, until = begin.clocks, end.clocks
    return Time(tuple(dict.fromkeys(found)), "range", end.side, is_absolute, clocks, until)


_OF_MONTH = frozenset({"month_day", "of_month", "nth_day", "day_of_month", "date"})
"""Days before which a number alone is one of the same month."""


@production("begin_of")
def _begin_of(read: Reading, today: date) -> Time | None:
    if (which := read.get("ma")) is not None:
        return _every_year(lambda of: month(of, which), today, "month")
    if (said := read.get("da")) is None:
        found: Time | None = read["a"]
        return found
    number, end = day_number(said), read["b"]
    last = next(node for node in read.nodes if node.payload is end)
    if end.grain != "day" or last.rule not in _OF_MONTH:
        return None
    days = [
        day_stretch(one.first.year, one.first.month, number) for one in end.options if one.first
    ]
    return Time(tuple(one for one in days if one), is_absolute=end.is_absolute)


@production("end_of")
def _end_of(read: Reading, today: date) -> Time | None:
    if (which := read.get("mb")) is not None:
        return Time(around(lambda of: month(of, which), today), "month")
    end: Time = read["b"]
    if end.grain == "clock":
        return Time(read["a"].options, clocks=end.clocks)
    return end


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


_LONGEST_MONTH = 31


@production("every_nth")
def _every_nth(read: Reading, today: date) -> Recurrence | None:
    nth, weekday = read.get("nth"), read.get("weekday")
    which = read["ordinal"] if nth is None else nth
    if str(which).isdigit() and not 1 <= int(which) <= _LONGEST_MONTH:
        return None
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
    said = [of_part(clocks_of(one), back.on[-1] if back.on else "") for one in read.all("clock")]
    return replace(back, at=tuple(one[0] for one in said)) if all(said) else None


@production("unreadable")
def _unreadable(read: Reading, today: date) -> Time:
    return Time(())
