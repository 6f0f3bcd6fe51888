"""Periods named in a question as spans of whole days, such as `Q2 2024` and `since Monday`."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from tools.nlu.values import Kind, Side, Stretch, Value, as_filter, calendar_words, extract_kinds

_KINDS = frozenset({Kind.DATE, Kind.INSTANT, Kind.PERIOD})
_CUE = re.compile(
    r"\b(?:in|during|of|on|throughout|over|within|for|at|from)(?: the)? $", re.IGNORECASE
)
_SURE = frozenset(
    {"bare_year", "bare_month", "bare_season", "bare_quarter", "spoken", "early", "middle"}
)
"""Rules that read a time only behind such a word, or a part of one that has no dates."""


class Period(NamedTuple):
    """A span of whole days; None: open on that side."""

    since: datetime | None
    until: datetime | None


class NamedPeriod(NamedTuple):
    """A period, and where it is named in the text."""

    period: Period
    start: int
    end: int


def named_period(text: str, now: datetime) -> NamedPeriod | None:
    """Find the first time behind us that a text names; what the calendar lacks is none."""
    today = now.astimezone(UTC).date()
    for one in extract_kinds(text, today, _KINDS):
        cue = _CUE.search(text, 0, one.start)
        found = None if one.rule in _SURE and cue is None else as_filter(one, today)
        if found is not None and not _lies_ahead(one, found, today):
            start = cue.start() if cue is not None else one.start
            return NamedPeriod(_period(one, found, now), start, one.end)
    return None


def is_calendar(word: str) -> bool:
    """Tell whether a word is a day of the week, a month or a season."""
    return word.lower().rstrip(".") in calendar_words()


def _lies_ahead(value: Value, found: Stretch, today: date) -> bool:
    return value.time.side is Side.AHEAD and found.first is not None and found.first > today


def _period(value: Value, days: Stretch, now: datetime) -> Period:
    """Give whole days; a window that ends now is counted from this time of the day, and open."""

    def start(day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    since = start(days.first) if days.first else None
    if value.kind is Kind.PERIOD and value.time.away is not None and since is not None:
        return Period(datetime.combine(since, now.astimezone(UTC).timetz()), None)
    return Period(since, start(days.last) + timedelta(days=1) if days.last else None)
