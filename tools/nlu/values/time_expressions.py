"""Find expressions of time of day, recurrence and triggering event."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from state.action import Action
from tools.nlu.lexicon.closed_classes import CARDINALS, WEEKDAY
from tools.nlu.lexicon.cue_phrases import COURTESY
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.values.date_offsets import MONTHS, DateDirection
from tools.nlu.values.views import date_spans_in


def _any(*ways: str) -> re.Pattern[str]:
    """Find any of these where it stands as whole words."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(ways)})(?![\w'-])")


MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_HOUR = rf"(?:{'|'.join(CARDINALS[:12])})"
_SOME = rf"(?:\d{{1,3}}|half an?|an?|{_HOUR}|a few|a couple of)(?: more)?"
_UNIT = r"(?:minute|min|hour|hr|day|night|week|weekend|fortnight|month|quarter|season|year)s?"
_SEASON = r"(?:spring|summer|autumn|winter)"
_PART = r"(?:morning|noon|midday|afternoon|evening|night|weekend)"
_MEAL = r"(?:breakfast|lunch(?:time)?|dinner|supper|dawn|dusk|sunrise|sunset)"
_CLOCK = (
    r"(?:noon|midnight|midday|\d{1,2}[:.]\d\d(?: ?[ap]\.?m\b\.?)?"
    rf"|(?:\d{{1,2}}|{_HOUR})(?: ?[ap]\.?m\b\.?| ?h\b| o'clock)"
    r"|[0-2]\d[0-5]\d(?: ?(?:h|hrs|hours|utc))?)"
)
_AT = r"(?:at|around|about|by|before|after|until|till|from)"
_ONCE = _any(
    rf"(?:(?:from|by|until|till|before) )?tomorrow(?: {_PART})?(?: on(?:wards?)?)?",
    r"(?:(?:from|by|until|till|before) )?(?:tonight|this (?:evening|afternoon|weekend))",
    rf"first thing(?: on| in the)?(?: (?:{WEEKDAY}|tomorrow|morning))*",
    rf"next (?:week|month|year|weekend|quarter|season|{_SEASON})",
    rf"(?:in|within) {_SOME} {_UNIT}(?:'?s? time)?",
    rf"for (?:(?:the next|another|at least|only) )?{_SOME} {_UNIT}",
    rf"(?:(?:early|late) )?in (?:{MONTH})(?: (?:19|20)\d\d)?",
    rf"in the (?:{_PART}|{_SEASON}|new year)",
    r"(?:at|over) the weekend|at night|overnight|later(?: today| on)?",
    rf"{_AT} (?:{_CLOCK}|{_MEAL})(?: (?:tomorrow|tonight|sharp|(?:on )?{WEEKDAY}))?",
    rf"at (?:\d{{1,2}}|{_HOUR})",
)
_REPEATED = _any(
    r"(?:every|each) time",
    rf"(?:every|each) (?:(?:other|single|second|third|fourth|{_SOME}) )?"
    rf"(?:{_UNIT}|{WEEKDAY}|{MONTH}|{_PART}|{_SEASON})",
    r"hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|regularly",
    rf"(?:once|twice|{_SOME} times) (?:an?|per|every|each) {_UNIT}",
    rf"on {WEEKDAY}s|(?:from|as of) (?:now|today) on(?:wards?)?",
)
_EVENT = _any(
    r"(?:(?:right|straight|shortly) )?after|following|upon|during|pending|depending on",
    r"(?:every|each|next) time|on (?:arrival|departure) (?:in|at)",
    r"on (?:delivery|completion|receipt|return|approval)|[\w'-]+ permitting",
)
_PAST = re.compile(
    r"\b(?:i|we|you|he|she|it|they)(?:'d|'ve)? (?:\w+ed|gave|had|was|were|did|went|came|saw|sent"
    r"|got|made|took|put|left|wrote)\b"
)
"""Behind `after`: it is over, and tells why."""
_ALONE = word_set("delivery completion receipt return approval permitting")
_NO_EVENT = word_set("all that this it long which them")
"""Behind `after` and the like: `after all`, `and after that`."""
_MOST_OF_EVENT = 8
_ANY_DAY = date(2000, 1, 1)
"""Stands for a day that is not known: tomorrow lies ahead on each of them."""
_BEFORE_DAY = word_set("on in starting")
_OF_SPAN = word_set("period month months year days hours duration since until term")
"""In the name of a slot: it takes how long, or which month."""
_IS_SPAN = re.compile(rf"for |(?:(?:early|late) )?in (?:{MONTH})")
_NUMBER = re.compile(
    r"(?:at|around|about|by|before|after|until|till|from) (?:\d{1,4}|" + _HOUR + ")"
)
_SURELY_AHEAD = re.compile(
    rf".*(?:tomorrow|tonight|next|later)|(?:in|within) {_SOME} |(?:every|each) |\w+ly$|(?:on|tw)ce "
)


class TimeSpan(NamedTuple):
    """A time that is said by the words `first` to `end`."""

    text: str
    first: int
    end: int


def times_in(normal: Normal, today: date | None) -> Iterator[TimeSpan]:
    """Find when and how often; days that are over, and today, are no time to come."""
    for pattern in (_ONCE, _REPEATED):
        for found in pattern.finditer(normal.text):
            yield _said(normal, found.start(), found.end())
    words = normal.words
    dated = (
        {(day.first, day.end) for day in date_spans_in(normal, None)} if today is None else set()
    )
    now = today or _ANY_DAY
    for day in date_spans_in(normal, now, DateDirection.AHEAD):
        is_past = day.is_over or (day.value is not None and day.value <= now)
        is_period = day.value is None and words[day.core] in ("this", "the")
        if is_past or is_period or (day.first, day.end) in dated:
            continue
        first = day.core
        while first > 0 and words[first - 1] in _BEFORE_DAY:
            first -= 1
        if first == day.core and day.is_loose and words[first] == "the":
            continue  # `his note in WO-1005, the 2nd`
        yield _said(normal, normal.tokens[first].start, normal.tokens[day.end - 1].end)


def events_in(normal: Normal, spans: Iterable[tuple[int, int]]) -> Iterator[TimeSpan]:
    """Find upon what, from `after`, `following` and the like to the end of a span of words."""
    words = normal.words
    heads = [_said(normal, *one.span()) for one in _EVENT.finditer(normal.text)]
    for begin, stop in spans:
        end = stop
        while end > begin and words[end - 1] in COURTESY:
            end -= 1
        for head in heads:
            first, told = head.first, words[head.end : end]
            is_over = _PAST.search(" ".join(told)) is not None
            is_told = told[:1] != [] and told[0] not in _NO_EVENT and not is_over
            is_whole = is_told or (not told and words[head.end - 1] in _ALONE)
            if begin <= first < end and is_whole and end - first <= _MOST_OF_EVENT:
                yield _said(normal, normal.tokens[first].start, normal.tokens[end - 1].end)


def holds(action: Action, one: TimeSpan) -> bool:
    """Tell whether a slot of the action may be what takes these words."""
    types = {slot.type for slot in action.slots.values()}
    if "date" in types:  # of what was: a day of the week is its last one
        return _SURELY_AHEAD.match(one.text) is None
    if {"integer", "number"} & types and _NUMBER.fullmatch(one.text):
        return True
    parts = {part for name in action.slots for part in name.split("_")}
    return bool(parts & _OF_SPAN) and _IS_SPAN.match(one.text) is not None


def _said(normal: Normal, start: int, end: int) -> TimeSpan:
    tokens = enumerate(normal.tokens)
    inside = [place for place, one in tokens if one.start < end and start < one.end]
    return TimeSpan(normal.text[start:end], inside[0], inside[-1] + 1)
