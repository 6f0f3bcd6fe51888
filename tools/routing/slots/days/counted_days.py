"""Days counted from another day: `a week from Friday`, `the day after 2026-12-01`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta

from tools.routing.slots.days.said import Said, said_at
from tools.routing.slots.days.shifts import COUNT, COUNTS, FORTNIGHT
from tools.routing.slots.days.toward import Toward
from tools.routing.slots.days.weekdays import WEEKDAY
from tools.routing.words.normalise import Normal
from tools.shift import shift_of, shifted

_UNIT = r"day|week|fortnight|month|year"
_BEFORE_ANCHOR = re.compile(
    rf"(?<![\w.,/-])(?:(?P<count>\d{{1,3}}|{COUNT}|the)[ -])?(?P<unit>{_UNIT})s?"
    r"(?P<half> and a half)?(?: (?P<way>from|after|before|prior to|following|ahead of|on))?"
    r"(?: the)? $"
)
_FROM_SOMETHING = re.compile(
    rf"(?<![\w.,/-])(?:\d{{1,3}}|{COUNT}|the|few|some)[ -](?:{_UNIT})s?"
    r" (?:after|before|from|prior to) (?:(?:the|our|its|my) )?[\w'-]+"
)
_WEEKDAY_BEFORE = re.compile(
    rf"(?<![\w-])(?:the )?(?:first )?(?P<weekday>{WEEKDAY})"
    r" (?P<way>after|before|following) (?:the )?$"
)
_ROUGHLY = re.compile(r"(?:half|few|some|several|many|about|around) $")
_WEEK_BEHIND = re.compile(r" (?P<unit>week|fortnight)(?![\w-])")
_BACK = frozenset({"before", "prior to", "ahead of"})
_DAYS_OF_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def counted_from(
    normal: Normal, anchors: Sequence[Said], today: date, toward: Toward
) -> Iterator[Said]:
    """Find days that are told by another one: a week from it, the day after, the Friday before.

    What is counted from that day in a way that cannot be told is no day, rather than that day.
    """
    for anchor in anchors:
        start = normal.tokens[anchor.core].start
        end = normal.tokens[anchor.end - 1].end
        is_weekday = normal.tokens[anchor.core].text in _DAYS_OF_WEEK
        day = anchor.value
        if is_weekday and day is None and toward is Toward.AHEAD:
            day = _coming(today, normal.tokens[anchor.core].text)
        if found := _BEFORE_ANCHOR.search(normal.text, 0, start):
            if found["way"] or found["unit"] in ("week", "fortnight"):
                rough = _ROUGHLY.search(normal.text, 0, found.start())
                first = rough.start() if rough else found.start()
                value = None if rough else _counted(found, day)
                yield said_at(normal, first, end, value, is_loose=anchor.is_loose)
        elif found := _WEEKDAY_BEFORE.search(normal.text, 0, start):
            yield said_at(normal, found.start(), end, _weekday_beside(found, day))
        if (found := _WEEK_BEHIND.match(normal.text, end)) and _takes_week(normal, anchor):
            weeks = 2 if found["unit"] == "fortnight" else 1
            value = day + timedelta(weeks=weeks) if day is not None else None
            yield said_at(normal, start, found.end(), value, is_loose=anchor.is_loose)


def from_something(normal: Normal) -> Iterator[Said]:
    """Find days that are counted from what is no day: `two weeks after the survey`."""
    for found in _FROM_SOMETHING.finditer(normal.text):
        yield said_at(normal, found.start(), found.end(), None, is_loose=True)


def _counted(found: re.Match[str], day: date | None) -> date | None:
    word, unit = found["count"], found["unit"]
    if day is None or found["half"] or word is None or (word == "the" and unit != "day"):
        return None
    count = 1 if word == "the" else COUNTS.get(word) or int(word)
    name, times = FORTNIGHT.get(unit, (unit, 1))
    with suppress(ValueError):  # 0 days, or outside the calendar
        return shifted(day, shift_of((-1 if found["way"] in _BACK else 1) * count * times, name))
    return None


def _weekday_beside(found: re.Match[str], day: date | None) -> date | None:
    if day is None:
        return None
    ahead = (_DAYS_OF_WEEK.index(found["weekday"]) - day.weekday()) % 7
    with suppress(OverflowError):  # outside the calendar
        return day + timedelta(days=(ahead or 7) if found["way"] != "before" else ahead - 7)
    return None


def _takes_week(normal: Normal, anchor: Said) -> bool:
    return normal.tokens[anchor.end - 1].text in (*_DAYS_OF_WEEK, "today", "tomorrow")


def _coming(today: date, weekday: str) -> date | None:
    ahead = (_DAYS_OF_WEEK.index(weekday) - today.weekday()) % 7
    return today + timedelta(days=ahead) if ahead else None
