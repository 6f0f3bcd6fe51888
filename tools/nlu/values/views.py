"""Views of a value: as a moment ahead, as hours, as days of the past, as a span of time.

A value keeps every reading of its words. A view knows on which side of now a time is looked for,
and so decides; where two readings are left it gives none, and the person is asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from state.attention import QuietHours
from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.lexicon.normalization import Normal
from tools.nlu.values.date_offsets import DateDirection, DateSpan, date_span_at
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import (
    PARTS_OF_DAY,
    Amount,
    Kind,
    Num,
    Side,
    Stretch,
    Time,
    Value,
    moved,
)
from tools.nlu.values.units import UNITS

AT_A_TIME = frozenset({Kind.DATE, Kind.CLOCK, Kind.INSTANT, Kind.PERIOD, Kind.RECURRENCE})
"""The kinds that say when something is or was."""
_IN_THE_DAY = 9
"""The hour of a reminder for a day alone."""
_WAKES, _SLEEPS = 7, 19
"""Of an hour on another day people mean the one between these."""
_SPANS = frozenset({Kind.DURATION, Kind.PERIOD, Kind.NUMBER})


def places_of(normal: Normal, value: Value) -> range:
    """Give the words that say a value."""
    inside = [
        place
        for place, one in enumerate(normal.tokens)
        if one.start < value.end and value.start < one.end
    ]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


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


def timed_values(text: str, today: date, languages: tuple[str, ...] = ("en",)) -> tuple[Value, ...]:
    """List what says when something is, in the order of the text."""
    return extract_kinds(text, today, AT_A_TIME, languages)


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


_HALF_A_YEAR = 183
_SAID = frozenset({Kind.DATE, Kind.PERIOD, Kind.RECURRENCE, Kind.DURATION})
_WITHOUT = frozenset({
    "bound", "from_to", "in_year", "years_to", "hours", "until_clock", "window", "bare_season",
    "in_season", "recurrence_at", "every", "times_each", "every_part", "working_days", "every_nth",
})  # fmt: skip
"""Rules that say more than one day, and what no day is meant by."""
_WRITTEN = frozenset({"date", "month_day", "of_month"})
_WEEKDAYS = frozenset({"weekday", "short_weekday", "weekday_part"})
_TWO_WEEKS = frozenset({"week_and_weekday", "other_weekday", "every_day", "short_date"})
"""Rules whose day is another one to another person, or none."""
_ALWAYS_LOOSE = frozenset({"day_of_month", "nth_day"}) | _WEEKDAYS
_PERIODS = frozenset({"relative", "near_month", "near_season", "the_unit", "unreadable"})
_MONTHS = frozenset({"month", "bare_month", "early", "stretch"})
_BY_WEEK = _WEEKDAYS | {"day_of_month", "nth_day"}
_TO_COME = re.compile(
    r"(?<![\w-])(?:by|due(?: on| by)?|on or before|(?:no|not) later than)(?: the| this)? $"
)
_AT_EDGE = re.compile(r"(?<![\w-])(?:by|due|at) $")
_GONE_BY = re.compile(r"(?<![\w-])since (?:last )?$")
_IN_TIME = re.compile(r"(?<![\w-])(?:by|due|until|till|to|in|for) (?:early |mid |late )?$")
_FOLLOWED = re.compile(r" \d{1,2}(?=$|[,;!?]|\.(?!\d)| (?:please|for|and|or)\b)")
"""Behind a weekday: a number that may be of a date."""
_FROM_SOMETHING = re.compile(r" (?:after|before|from|prior to) (?:(?:the|our|its|my) )?[\w'-]+")
_OWN = re.compile(r"'s\b")
_DUE = re.compile(
    r"(?<![\w-])due (?:(?:on|by|at|in|before|after|around|about) )?"
    r"(?P<when>(?!(?:to|for|dates?|days?|and|or|of|as|when|on|by|in|at|before|after)\b)"
    r"[^\W_][\w'-]*(?: [\w'-]+){0,3}?)(?=$|[,.;:!?)]| (?:please|pls|and|or|for|to|with|from|but)\b)"
)


def date_spans_in(
    normal: Normal,
    today: date | None,
    toward: DateDirection = DateDirection.UNKNOWN,
    leaning: DateDirection | None = None,
) -> Sequence[DateSpan]:
    """Find the days in the order of the text; without `today` only those with a date of their own.

    Args:
        toward: where the day lies that is looked for, which tells more of them.
        leaning: of what may lie on either side and is looked for by its day, as in `tomorrow's
            visits`: where `Friday` is all the same.
    """
    reader = _Reader(normal, today, toward, leaning)
    found = list(reader.spans())
    taken = {place for one in found for place in range(one.first, one.end)}
    for match in _DUE.finditer(normal.text) if toward is DateDirection.AHEAD and today else ():
        one = date_span_at(normal, *match.span("when"), None, is_loose=True)
        if taken.isdisjoint(range(one.first, one.end)):
            found.append(one)
    return sorted(found, key=lambda one: one.first)


class _Reader:
    """Reads the dates of one text for one slot."""

    def __init__(
        self,
        normal: Normal,
        today: date | None,
        toward: DateDirection,
        leaning: DateDirection | None,
    ) -> None:
        self.normal, self.today, self.toward = normal, today, toward
        self.leaning, self.takes_own = leaning or toward, leaning is not None

    def spans(self) -> Iterator[DateSpan]:
        """Give each day that is said, none over another."""
        for one in extract_kinds(self.normal.text, self.today or ANY_DAY, _SAID, without=_WITHOUT):
            if self.today is None:
                span = self._written(one)
            elif one.kind is Kind.DURATION:
                span = self._from_something(one)
            elif one.kind is Kind.DATE or one.rule in _TWO_WEEKS:
                span = self._day(one)
            else:
                span = self._period(one)
            if span is not None:
                yield span

    def _written(self, one: Value) -> DateSpan | None:
        """Take what has a date of its own; without a year it is no day as yet."""
        is_end = one.rule == "edge" and one.time.grain == "day" and bool(one.parts)
        if one.rule not in _WRITTEN and not is_end:
            return None
        is_told = one.time.is_absolute and len(one.time.options) == 1
        cue = _AT_EDGE.search(self.normal.text, 0, one.start) if is_end else None
        start = cue.start() if cue is not None else None
        return self._span(one, one.time.options[0].first if is_told else None, start)

    def _day(self, one: Value) -> DateSpan | None:
        text, rule = self.normal.text, one.rule
        if rule in _TWO_WEEKS or (rule == "this_weekday" and len(one.time.options) > 1):
            return self._span(one, None, is_loose=True)
        if rule == "this_part" and not self._is_night(one):
            return None
        if rule in ("near", "near_part") and _OWN.match(text, one.end) and not self._takes_own(one):
            return None  # `today's handover` is the newest one, and `tomorrow's guests` are no time
        if rule in _WEEKDAYS and (found := _FOLLOWED.match(text, one.end)):
            return self._span(replace(one, end=found.end()), None, is_loose=True)
        gone = one.time.side is Side.BEHIND
        if rule in _WEEKDAYS and _GONE_BY.search(text, 0, one.start):
            cue = _GONE_BY.search(text, 0, one.start)
            start = cue.start() if cue else one.start
            return self._span(one, self._chosen(one, DateDirection.BEHIND), start, is_over=True)
        cue = (_TO_COME if rule in _WEEKDAYS else _AT_EDGE).search(text, 0, one.start)
        if cue and (rule in _WEEKDAYS or rule == "edge"):
            day = self._chosen(one, DateDirection.AHEAD, is_bound=True)
            return self._span(one, day, cue.start())
        if rule == "in_duration":
            return self._away(one)
        is_loose = self._is_loose(one)
        day = self._chosen(one, self.leaning if rule in _BY_WEEK else self.toward)
        return self._span(one, day, is_loose=is_loose, is_over=gone)

    def _away(self, one: Value) -> DateSpan | None:
        """Take `in two weeks` by its weeks; `in half a year` may be how long."""
        away = one.time.away
        if away is None or not away.value.is_integer():
            return None
        span = next((part for part in one.parts if part.kind is Kind.DURATION), one)
        is_ago, days = one.time.side is Side.BEHIND, one.time.options
        said = one if is_ago else replace(one, start=span.start)
        return self._span(said, days[0].first if days else None, is_loose=not days, is_over=is_ago)

    def _is_night(self, one: Value) -> bool:
        """Tell `tonight` of what is to come, and `last night`, from `in the morning`."""
        words = self.normal.text[one.start : one.end]
        return words.startswith("last") or (
            words == "tonight" and self.toward is DateDirection.AHEAD
        )

    def _takes_own(self, one: Value) -> bool:
        is_today = self.normal.text.startswith("today", one.start)
        return self.takes_own or (self.toward is DateDirection.BEHIND and not is_today)

    def _is_loose(self, one: Value) -> bool:
        if one.rule in ("counted", "week_on", "weekday_week"):
            anchor = next((part for part in one.parts if part.kind is Kind.DATE), None)
            return anchor is not None and self._is_loose(anchor)
        is_night = one.rule == "this_part" and one.time.side is Side.BEHIND
        is_vague = one.rule == "in_duration" and not one.time.options
        return one.rule in _ALWAYS_LOOSE or one.rule == "holiday" or is_night or is_vague

    def _chosen(self, one: Value, toward: DateDirection, *, is_bound: bool = False) -> date | None:
        """Choose the day that is meant; None: nobody can tell.

        Args:
            is_bound: it was said as the last day there is: by Friday, said on one, is today.
        """
        days = [option.first for option in one.time.options if option.first is not None]
        today = self.today or ANY_DAY
        if one.rule in ("counted", "week_on", "beside_weekday") and len(days) > 1:
            return self._counted(one, days, toward)
        if one.rule == "this_part" and one.time.side is Side.BEHIND:
            return days[0] if toward is DateDirection.BEHIND else None
        if one.rule in _WEEKDAYS:
            if today in days:
                return today if is_bound else today - _WEEK if toward is DateDirection.BEHIND and \
                    _GONE_BY.search(self.normal.text, 0, one.start) else None  # fmt: skip
            if toward is DateDirection.UNKNOWN:
                return None
            return days[0] if toward is DateDirection.BEHIND else days[-1]
        if one.rule in ("day_of_month", "nth_day"):
            ahead, behind = [day for day in days if day >= today], [d for d in days if d <= today]
            chosen = {DateDirection.AHEAD: ahead[:1], DateDirection.BEHIND: behind[-1:]}
            return next(iter(chosen.get(toward, [])), None)
        if len(days) > 1 or one.rule == "holiday":
            return None if one.time.is_absolute and len(days) > 1 else self._nearest(days, toward)
        return days[0] if days and not self._is_far(one, days[0], toward) else None

    def _is_far(self, one: Value, day: date, toward: DateDirection) -> bool:
        return (
            one.rule == "month_day"
            and not one.time.is_absolute
            and (self._nearest([day], toward) is None)
        )

    def _nearest(self, days: Sequence[date], toward: DateDirection) -> date | None:
        """Choose the year of a day that was said without one; None: it is too far off to tell."""
        today = self.today or ANY_DAY
        least = 0 if toward is DateDirection.AHEAD else -_HALF_A_YEAR
        most = 0 if toward is DateDirection.BEHIND else _HALF_A_YEAR
        near = [day for day in days if least <= (day - today).days <= most]
        return near[0] if len(near) == 1 else None

    def _counted(self, one: Value, days: Sequence[date], toward: DateDirection) -> date | None:
        anchor = next((part for part in one.parts if part.kind is Kind.DATE), None)
        told = self._chosen(anchor, toward) if anchor is not None else None
        options = anchor.time.options if anchor is not None else ()
        return next(
            (day for day, option in zip(days, options, strict=False) if option.first == told), None
        )

    def _period(self, one: Value) -> DateSpan | None:
        """Take what is said like a day and is longer than one."""
        text = self.normal.text
        is_ahead = self.toward is DateDirection.AHEAD
        cue = _IN_TIME.search(text, 0, one.start)
        is_month = one.rule in _MONTHS and is_ahead and (cue is not None or one.rule == "month")
        if one.rule not in _PERIODS and not is_month:
            return None
        return self._span(one, None, is_loose=True, is_over=one.time.side is Side.BEHIND)

    def _from_something(self, one: Value) -> DateSpan | None:
        """Take a day that is counted from what is no day: `two weeks after the survey`."""
        found = _FROM_SOMETHING.match(self.normal.text, one.end)
        return self._span(replace(one, end=found.end()), None, is_loose=True) if found else None

    def _span(
        self,
        one: Value,
        day: date | None,
        start: int | None = None,
        *,
        is_loose: bool = False,
        is_over: bool = False,
    ) -> DateSpan:
        first = one.start if start is None else start
        core = None if start is None else one.start
        return date_span_at(
            self.normal, first, one.end, day, core=core, is_loose=is_loose, is_over=is_over
        )


_WEEK = timedelta(weeks=1)
