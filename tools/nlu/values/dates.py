"""Find every date expression of a text: written, weekday, near today and counted from another.

Where two expressions share a word, the longer one wins.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial

from tools.nlu.lexicon.closed_classes import WEEKDAY, WEEKDAY_STEMS, WEEKDAYS
from tools.nlu.lexicon.normalization import Normal
from tools.nlu.values.date_offsets import (
    COUNT,
    COUNTS,
    FORTNIGHT,
    MONTHS,
    ORDINALS,
    DateDirection,
    DateSpan,
    date_span_at,
    days_away_in,
    longest,
)
from tools.platform.clock import shift_of, shifted

_MONTH = {name: number for number, names in enumerate(MONTHS, start=1) for name in names}
MONTH = "|".join(sorted(_MONTH, key=len, reverse=True))
"""Any name of a month, as a pattern."""
_WORD = "|".join(sorted((one.replace(" ", "[ -]") for one in ORDINALS), key=len, reverse=True))
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\w-])"
_HALF_A_YEAR = 183
_YEAR_FIRST = re.compile(
    r"(?<![\w./-])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\w-])"
)
_YEAR_LAST = re.compile(
    r"(?<![\w./-])(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\w-])"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.,/-])(?:the )?(?:(?P<day>{_NUMBER})(?: day)?(?: of)?|(?P<word>{_WORD}) of)"
    rf" (?P<month>{MONTH})(?![\w-])\.?(?:,? {_YEAR})?"
)
_MONTH_DAY = re.compile(
    rf"(?<![\w-])(?P<month>{MONTH})\.? (?:the (?P<word>{_WORD})|(?:the )?(?P<day>{_NUMBER}))"
    rf"(?![\w./-]*\w)(?:,? {_YEAR})?"
)
_END_OF_MONTH = re.compile(
    rf"(?<![\w-])(?:by |due |at )?(?P<end>(?:the )?end of (?P<month>{MONTH})(?![\w-])(?: {_YEAR})?)"
)


def calendar_days(
    normal: Normal, today: date | None = None, toward: DateDirection = DateDirection.UNKNOWN
) -> Iterator[DateSpan]:
    """Find days by their date; without a value those that no calendar has, or people read two ways.

    A day without its year is the one within half a year, where it is known on which side it lies.
    The dotted form has its day first wherever it is used. With slashes or dashes half of the
    world reads 12/05/2026 as another day than the other half does.
    """
    for found in _YEAR_FIRST.finditer(normal.text):
        value = _valid(int(found["year"]), int(found["month"]), int(found["day"]))
        yield date_span_at(normal, found.start(), found.end(), value)
    for found in _YEAR_LAST.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), _year_last(found))
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        for found in pattern.finditer(normal.text):
            day = partial(_valid, month=_MONTH[found["month"]], day=_day(found))
            value = day(int(found["year"])) if found["year"] else _nearest(day, today, toward)
            yield date_span_at(normal, found.start(), found.end(), value)
    for found in _END_OF_MONTH.finditer(normal.text):
        last = partial(_last_of, month=_MONTH[found["month"]])
        value = last(int(found["year"])) if found["year"] else _nearest(last, today, toward)
        yield date_span_at(normal, found.start(), found.end(), value, core=found.start("end"))


def _nearest(
    of_year: Callable[[int], date | None], today: date | None, toward: DateDirection
) -> date | None:
    """Choose the year of a day that was said without one; None: it is too far off to tell."""
    if today is None:
        return None
    least = 0 if toward is DateDirection.AHEAD else -_HALF_A_YEAR
    most = 0 if toward is DateDirection.BEHIND else _HALF_A_YEAR
    years = (of_year(today.year + step) for step in (-1, 0, 1))
    near = [day for day in years if day is not None and least <= (day - today).days <= most]
    return near[0] if len(near) == 1 else None


def _year_last(found: re.Match[str]) -> date | None:
    year, one, two = int(found["year"]), int(found["one"]), int(found["two"])
    if found["mark"] == ".":
        return _valid(year, two, one)
    days = {_valid(year, two, one), _valid(year, one, two)} - {None}
    return days.pop() if len(days) == 1 else None


def _day(found: re.Match[str]) -> int:
    if found["word"] is not None:
        return ORDINALS[found["word"].replace("-", " ")]
    return int(re.sub(r"\D", "", found["day"]))


def _last_of(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_DAY = rf"(?P<day>{'|'.join(WEEKDAY_STEMS)})day(?![\w-])"
_NO_DATE = (
    rf"(?!,? (?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})(?!\w)|\d{{1,4}}[-./]\d{{1,2}}[-./]\d"
    rf"|the \d{{1,2}}(?:st|nd|rd|th)|(?:{MONTH}) (?:the )?\d))"
)
_TO_COME = re.compile(
    r"(?<![\w-])(?:(?:by|due(?: on| by)?|on or before|(?:no|not) later than)"
    r"(?: the| this)?(?: coming)?"
    rf"|this(?: coming)?|(?<!is )(?<!are )(?<!'s )(?<!'re )(?:the )?coming) {_DAY}{_NO_DATE}"
)
_GONE_BY = re.compile(rf"(?<![\w-])(?:since|last|this past)(?: last)? {_DAY}{_NO_DATE}")
_BARE = re.compile(rf"(?<![\w-])(?P<before>(?:to|until|till|but) (?:the )?)?{_DAY}{_NO_DATE}")
_OF_ANOTHER_WEEK = re.compile(
    r"(?<![\w-])(?:(?:the )?(?:next|every|each|following|first|second|third|other) )+"
    rf"{WEEKDAY}(?![\w-]){_NO_DATE}"
    rf"|(?<![\w-])(?:the )?{WEEKDAY}"
    r" (?:after (?:next|that)|but one|(?:of )?(?:this|next|the (?:following|coming)) week"
    r"|in (?:a|one|two|three) (?:weeks?|fortnight)|(?:after )?the week after"
    r"|\d{1,2}(?=$|[,;!?]|\.(?!\d)| (?:please|for|and|or)\b))(?![\w-])"
)
"""Two weeks to two people, or no single day."""
_SHORT_WEEKDAYS = re.compile(
    r"(?<![\w-])(?P<before>on|by|due|for|to|until|till|since|last|next|this|or|and|but) "
    r"(?P<day>mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)(?![\w-])\.?"
    r"(?=$|[,;:!?)]|\.(?!\w)|\n| (?:please|pls|and|or|but|for|at|night|morning|evening|not)\b)"
)
_END = re.compile(
    r"(?<![\w-])(?:(?:by|due|at) )?(?:the )?end of (?:the |this )?(?P<next>next )?"
    r"(?P<unit>week|month|year)(?![\w-])"
)
_OF_MONTH = re.compile(
    r"(?<![\w-])(?P<before>(?:(?:on|by|until|till|to|due|since|from|for|of|but|or) )*)"
    r"(?P<the>the )?(?P<number>\d{1,2})(?:st|nd|rd|th)"
    r"(?: (?P<month>of (?:(?P<way>this|next|last) month|the month)))?(?=$|[^\w ]|\n"
    r"| (?:please|pls|thanks|for|at|in|with|and|or|but|to|as|was|is|not|instead|from)\b)"
)


def weekdays_in(
    normal: Normal, today: date, toward: DateDirection = DateDirection.UNKNOWN
) -> Iterator[DateSpan]:
    """Find the days of the week and the month, without a value where people mean two by them.

    `Next Friday` is none, as people mean either week by it; nor are `on Friday` and `Friday` alone,
    unless it is known on which side they lie and today is another day. A week ends on Sunday;
    said on a Friday, `by Friday` is today.
    """
    for found in _TO_COME.finditer(normal.text):
        start, end = found.span()
        value = _coming_weekday(today, WEEKDAY_STEMS.index(found["day"]))
        yield date_span_at(normal, start, end, value, core=found.start("day"))
    for found in _GONE_BY.finditer(normal.text):
        start, end = found.span()
        value = _gone(today, WEEKDAY_STEMS.index(found["day"]))
        yield date_span_at(normal, start, end, value, is_over=True)
    for found in _END.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), _end(today, found))
    for found in _OF_ANOTHER_WEEK.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _BARE.finditer(normal.text):
        told = _told_by(toward, today, found)
        yield date_span_at(normal, found.start("day"), found.end(), told, is_loose=True)
    for found in _SHORT_WEEKDAYS.finditer(normal.text):
        yield date_span_at(
            normal, found.start("day"), found.end(), _short(toward, today, found), is_loose=True
        )
    for found in _OF_MONTH.finditer(normal.text):
        if found["before"] or found["the"] or found.end() == len(normal.text):
            told = _of_month(toward, today, found)
            yield date_span_at(normal, found.end("before"), found.end(), told, is_loose=True)


def _told_by(toward: DateDirection, today: date, found: re.Match[str]) -> date | None:
    weekday = WEEKDAY_STEMS.index(found["day"])
    if weekday == today.weekday():
        return None
    if toward is DateDirection.BEHIND:
        return _gone(today, weekday)
    return _coming_weekday(today, weekday) if toward is DateDirection.AHEAD else None


def _short(toward: DateDirection, today: date, found: re.Match[str]) -> date | None:
    weekday, before = [day[:3] for day in WEEKDAY_STEMS].index(found["day"][:3]), found["before"]
    if before in ("since", "last"):
        return _gone(today, weekday)
    if before in ("by", "due", "this"):
        return _coming_weekday(today, weekday)
    if before == "next" or weekday == today.weekday() or toward is DateDirection.UNKNOWN:
        return None
    return (
        _gone(today, weekday) if toward is DateDirection.BEHIND else _coming_weekday(today, weekday)
    )


def _coming_weekday(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _gone(today: date, weekday: int) -> date:
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def _of_month(toward: DateDirection, today: date, found: re.Match[str]) -> date | None:
    """Read `the 19th`: of what is to come the next one, of what was the last one."""
    number = int(found["number"])
    if found["way"] is not None:
        step = {"this": 0, "next": 1, "last": -1}[found["way"]]
        return _in_month(today, step, number)
    if toward is DateDirection.UNKNOWN:
        return None
    step = 1 if toward is DateDirection.AHEAD else -1
    for months in (0, step, 2 * step):
        day = _in_month(today, months, number)
        if day is not None and (day >= today if toward is DateDirection.AHEAD else day <= today):
            return day
    return None


def _in_month(today: date, months: int, number: int) -> date | None:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    is_day = 1 <= number <= monthrange(year, month + 1)[1]
    return date(year, month + 1, number) if is_day else None


def _end(today: date, found: re.Match[str]) -> date:
    is_next, unit = found["next"] is not None, found["unit"]
    if unit == "week":
        return today + timedelta(days=6 - today.weekday() + 7 * is_next)
    if unit == "year":
        return date(today.year + is_next, 12, 31)
    year, month = divmod(today.year * 12 + today.month - 1 + is_next, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


_AWAY = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "day after tomorrow": 2, "day before yesterday": -2,
}  # fmt: skip
_PART = r"(?: (?:morning|noon|midday|afternoon|evening|night))?"
_NEAR = re.compile(
    rf"(?<![\w-])(?:the )?(?P<day>day after tomorrow|day before yesterday|today|tonight|tomorrow"
    rf"|yesterday){_PART}(?![\w-])(?P<own>'s)?"
)
_NO_ONE_DAY = re.compile(
    r"(?<![\w-])(?:(?:the )?night before last|[\w-]+ nights? ago|the other (?:day|night)|recently"
    r"|(?:each|every) day)(?![\w-])"
)
_LAST_NIGHT = re.compile(r"(?<![\w-])last (?:night|evening)(?![\w-])(?:'s)?")
_PERIOD = re.compile(
    r"(?<![\w-])(?:(?P<last>last|past)|this|next|the (?:following|coming)|the)"
    r" (?:week|weekend|fortnight|month|quarter|year|spring|summer|autumn|winter|season)"
    r"(?: after next)?(?![\w'-])"
)
_IN_THE_YEAR = re.compile(
    rf"(?<![\w-])(?:by|due|until|till|to|in|for) (?P<month>(?:(?:early|mid|late) )?(?:{MONTH})"
    r"(?: (?:19|20)\d\d)?|soon)(?![\w'-])"
    rf"|(?<![\w-])(?P<year>(?:{MONTH}) (?:19|20)\d\d)(?![\w'-])"
)
_SHORT = re.compile(
    r"(?:(?<=\bon )|(?<=\bon the )|(?<=\bfor the )|(?<=\bof the )"
    r"|(?<=\bdue )|(?<=\bby )|(?<=\bsince )|(?<=\buntil ))"
    r"(?:\d{1,2}[./-]\d{1,2}(?:\.|[./-]\d\d)?|\d{4}-\d\d?|\d{1,2}/\d{4})"
    r"(?=$|[^\w ./-]|\.(?!\w)| (?:please|pls|thanks|for|and|or|but|to|as|not|instead)\b)"
    r"|(?<=\bto )\d{1,2}(?:/\d{1,2}(?:/\d\d)?|\.\d{1,2}\.(?:\d\d)?)(?![\w/.-])"
)
"""A day and a month, whichever is which, and no year or half of one; or a month and a year."""
_DUE = re.compile(
    r"(?<![\w-])due (?:(?:on|by|at|in|before|after|around|about) )?"
    r"(?P<when>(?!(?:to|for|dates?|days?|and|or|of|as|when|on|by|in|at|before|after)\b)"
    r"[^\W_][\w'-]*(?: [\w'-]+){0,3}?)(?=$|[,.;:!?)]| (?:please|pls|and|or|for|to|with|from|but)\b)"
)


def near_days(
    normal: Normal, today: date, toward: DateDirection, *, takes_own: bool = False
) -> Iterator[DateSpan]:
    """Find today and the days around it; also what is said like a day and is longer than one."""
    for found in _NEAR.finditer(normal.text):
        is_of_slot = takes_own or (toward is DateDirection.BEHIND and found["day"] != "today")
        if found["own"] and not is_of_slot:
            continue  # `today's handover` is the newest one, and `tomorrow's guests` are no time
        if found["day"] == "tonight" and toward is not DateDirection.AHEAD:
            continue
        away = _AWAY[found["day"]]
        value = today + timedelta(days=away)
        yield date_span_at(normal, found.start(), found.end(), value, is_over=away < 0)
    for found in _LAST_NIGHT.finditer(normal.text):
        night = today - timedelta(days=1) if toward is DateDirection.BEHIND else None
        yield date_span_at(normal, found.start(), found.end(), night, is_loose=True, is_over=True)
    for found in _NO_ONE_DAY.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _PERIOD.finditer(normal.text):
        is_over = found["last"] is not None
        yield date_span_at(normal, found.start(), found.end(), None, is_loose=True, is_over=is_over)
    for found in _SHORT.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), None, is_loose=True)
    for found in _IN_THE_YEAR.finditer(normal.text) if toward is DateDirection.AHEAD else ():
        start = found.start("month" if found["month"] else "year")
        yield date_span_at(normal, start, found.end(), None, is_loose=True)


def due_some_time(normal: Normal) -> Iterator[DateSpan]:
    """Find what stands where a day would: `due Christmas`, `due week 27`."""
    for found in _DUE.finditer(normal.text):
        yield date_span_at(normal, found.start("when"), found.end("when"), None, is_loose=True)


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


def counted_from(
    normal: Normal, anchors: Sequence[DateSpan], today: date, toward: DateDirection
) -> Iterator[DateSpan]:
    """Find days that are told by another one: a week from it, the day after, the Friday before.

    What is counted from that day in a way that cannot be told is no day, rather than that day.
    """
    for anchor in anchors:
        start = normal.tokens[anchor.core].start
        end = normal.tokens[anchor.end - 1].end
        is_weekday = normal.tokens[anchor.core].text in WEEKDAYS
        day = anchor.value
        if is_weekday and day is None and toward is DateDirection.AHEAD:
            day = _coming(today, normal.tokens[anchor.core].text)
        if found := _BEFORE_ANCHOR.search(normal.text, 0, start):
            if found["way"] or found["unit"] in ("week", "fortnight"):
                rough = _ROUGHLY.search(normal.text, 0, found.start())
                first = rough.start() if rough else found.start()
                value = None if rough else _counted(found, day)
                yield date_span_at(normal, first, end, value, is_loose=anchor.is_loose)
        elif found := _WEEKDAY_BEFORE.search(normal.text, 0, start):
            yield date_span_at(normal, found.start(), end, _weekday_beside(found, day))
        if (found := _WEEK_BEHIND.match(normal.text, end)) and _takes_week(normal, anchor):
            weeks = 2 if found["unit"] == "fortnight" else 1
            value = day + timedelta(weeks=weeks) if day is not None else None
            yield date_span_at(normal, start, found.end(), value, is_loose=anchor.is_loose)


def from_something(normal: Normal) -> Iterator[DateSpan]:
    """Find days that are counted from what is no day: `two weeks after the survey`."""
    for found in _FROM_SOMETHING.finditer(normal.text):
        yield date_span_at(normal, found.start(), found.end(), None, is_loose=True)


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
    ahead = (WEEKDAYS.index(found["weekday"]) - day.weekday()) % 7
    with suppress(OverflowError):  # outside the calendar
        return day + timedelta(days=(ahead or 7) if found["way"] != "before" else ahead - 7)
    return None


def _takes_week(normal: Normal, anchor: DateSpan) -> bool:
    return normal.tokens[anchor.end - 1].text in (*WEEKDAYS, "today", "tomorrow")


def _coming(today: date, weekday: str) -> date | None:
    ahead = (WEEKDAYS.index(weekday) - today.weekday()) % 7
    return today + timedelta(days=ahead) if ahead else None


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
    found = longest(calendar_days(normal, today, toward))
    if today is None:
        return found
    found = longest(
        [
            *found,
            *days_away_in(normal, today),
            *weekdays_in(normal, today, leaning or toward),
            *near_days(normal, today, toward, takes_own=leaning is not None),
        ]
    )
    counted = counted_from(normal, found, today, toward)
    found = longest([*counted, *found, *from_something(normal)])
    taken = {place for one in found for place in range(one.first, one.end)}
    due = due_some_time(normal) if toward is DateDirection.AHEAD else ()
    others = [one for one in due if taken.isdisjoint(range(one.first, one.end))]
    return sorted([*found, *others], key=lambda one: one.first)
