"""View of the dates of a text for a slot: one day, or the words that do not tell which one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.nlu.lexicon.normalization import Normal
from tools.nlu.values.date_offsets import DateDirection, DateSpan, date_span_at
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import Kind, Side, Value

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
