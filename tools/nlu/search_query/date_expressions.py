"""Find the dates that a text names, and the operator before each (since, before, between, in).

The dates are values of the extractor; which of them is a filter, the words around it tell.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from tools.nlu.search_query.field_matches import LONGEST_YEARS, CalendarSpan, year
from tools.nlu.search_query.lexicon import ANY_PAPERS, PAPERS, any_of
from tools.nlu.search_query.negation import denial_before, denied_around
from tools.nlu.values.engine import extract_kinds
from tools.nlu.values.model import Kind, Time, Value, moved, unit_at

NEAR_YEAR = r"(?:the )?(?:this|current|last|previous|past) year"
"""`The last year` by itself is a window that ends today; of what has parts it is the one before."""
_KINDS = frozenset({Kind.DATE, Kind.PERIOD})
_NO_POINTS = frozenset({
    "age", "bound", "from_to", "years_to", "in_year", "in_season", "window", "the_unit",
    "until_clock", "hours", "near_part", "this_part", "bare_quarter", "near_month", "weekday_part",
    "weekday_week", "other_weekday", "of_month", "day_of_month", "nth_day", "short_date",
    "short_weekday", "end_word", "bare_season", "dated_weekday",
})  # fmt: skip
"""Rules of the extractor that say more than a point, or what no paper is dated by."""
_KIND_OF: Mapping[str, str] = {
    "date": "iso_day", "bare_year": "year", "month": "month_year", "months_of": "month_span",
    "parts_of": "ordinals", "some_of": "some", "two_years": "span", "short_years": "short_span",
    "to_now": "span_to_now", "in_duration": "ago", "spoken": "spoken_year", "since_turn": "turn",
    "near": "now", "this_weekday": "weekday", "week_and_weekday": "weekday", "counted": "weekday",
    "beside_weekday": "weekday", "nth_weekday": "weekday", "near_season": "unread_season",
}  # fmt: skip
"""The kind of a point by the rule that read it, where both have not one name."""
PART_KINDS = frozenset({"quarter", "ordinals", "some", "season", "seasons", "later"})
"""Kinds of points that are a part of a year."""
SEASONS = frozenset({"season", "seasons", "later"})
"""Kinds that are given as the whole year: when it is summer depends on where."""
_PARTS = PART_KINDS | {"edge", "edges", "month_span", "month_year"}
_WHOLE_YEARS = frozenset({"year", "decade", "century"})
_YEARS = range(1800, 2100)
_EXTRA = re.compile(
    r"(?<![\w-])(?:(?P<now>now|today|(?:the )?present(?: day)?|date)"
    r"|(?P<unread_time>(?:(?:our|my|your) )?last [a-z]+"
    r"(?=\s*(?:[,.;:!?)]|$)|\s+(?:on|about|by|in|at|please|only|from|with)\b))"
    r"|(?P<unread_days>(?:the|last|this|this past) weekend|the other day))(?![\w-])"
)
"""Times that stand in no calendar of ours: last semester, the weekend, the present day."""
_ENDS_HERE = re.compile(r"(?=\s*(?:[,.;:!?)]|$)|\s+(?:on|about|by|please|only|with|and|or)\b)")
_NO_SIGN = re.compile(r"[/@#$€£]$")
_OF_ANOTHER = re.compile(rf" of (?:the )?(?:\d|{NEAR_YEAR}|year\b)")
_LATER = re.compile(r"(?:early|late) in\b|earlier|later")
_MOST_AGO = {
    "day": 365 * LONGEST_YEARS, "week": 52 * LONGEST_YEARS, "fortnight": 26 * LONGEST_YEARS,
    "month": 12 * LONGEST_YEARS, "quarter": 4 * LONGEST_YEARS, "year": LONGEST_YEARS,
    "decade": LONGEST_YEARS / 10, "century": 1,
}  # fmt: skip
_TURN = re.compile(r"\bsince $")


@dataclass(frozen=True)
class DateExpression:
    """A stretch of the calendar, named at `start` to `end` of the text."""

    kind: str
    start: int
    end: int
    stretch: CalendarSpan
    whole: CalendarSpan | None = None
    """What it is the start or the end of, where that was said."""

    def stretch_for(self, *, is_bound: bool) -> CalendarSpan:
        """Give the day of a start or an end to what is bound by it, else all that it belongs to."""
        return self.stretch if is_bound or self.whole is None else self.whole

    @property
    def is_part(self) -> bool:
        """Tell whether it names a part of a year, be it of the last one."""
        return self.kind in _PARTS


MOST_POINTS = 20
"""A text that names more is a bibliography."""


def date_expressions_in(text: str, today: date) -> list[DateExpression]:
    """Find what names a stretch of the calendar, in order; whether it is a filter is not said."""
    return list(islice(_points(text, today), MOST_POINTS))


def _points(text: str, today: date) -> Iterator[DateExpression]:
    values = extract_kinds(text, today, _KINDS, without=_NO_POINTS)
    found = [point for one in values if (point := _point(text, one, today))]
    for match in _EXTRA.finditer(text):
        start, end = match.span()
        if all(end <= one.start or one.end <= start for one in found):
            kind = str(match.lastgroup)
            if kind != "unread_days" or _ENDS_HERE.match(text, end):
                only = CalendarSpan(today, today, is_fine=False)
                found.append(DateExpression(kind, start, end, only))
    yield from sorted(found, key=lambda one: one.start)


def _point(text: str, value: Value, today: date) -> DateExpression | None:
    kind, said, start = _KIND_OF.get(value.rule, value.rule), value.time, value.start
    if _NO_SIGN.search(text, 0, start):
        return None
    if value.rule == "unreadable":
        kind = "unread_time" if text[start:].startswith(("last", "easter")) else "unread"
        return DateExpression(kind, start, value.end, year(today.year))
    if kind in ("edge", "middle", "edges"):
        return _edge(text, value, today)
    if value.rule == "early":
        return _early(text, value, today)
    stretch = _stretch(said, today)
    if stretch is None or (len(said.options) > 1 and said.is_absolute):
        is_date = value.rule in ("date", "stretch", "month_day")
        return DateExpression("unread", start, value.end, year(today.year)) if is_date else None
    return _named(text, value, kind, stretch, today)


def _stretch(said: Time, today: date) -> CalendarSpan | None:
    """Give the last one that has begun of what may be several; None: there is none."""
    if not said.options and said.away is not None:  # a few years ago
        if said.away.value < -_MOST_AGO.get(said.away.unit, 0):
            return None
        day = moved(today, said.away.value, said.away.unit)
        return CalendarSpan(day, day)
    begun = [one for one in said.options if one.first is not None and one.first <= today]
    known = begun or said.options
    return CalendarSpan.of(known[-1], is_fine=said.grain not in _WHOLE_YEARS) if known else None


def _named(
    text: str, value: Value, kind: str, stretch: CalendarSpan, today: date
) -> DateExpression | None:
    """Give a point the kind that decides where it is a filter; None: no paper is dated so."""
    said, start, whole = value.time, value.start, None
    match kind:
        case "stretch":
            kind = "decade" if said.grain == "decade" else "iso_month"
        case "month_day" if said.is_absolute or len(said.options) == 1:
            kind = "iso_day"
        case "holiday" if len(said.options) > 1:
            kind = "bare_holiday"
        case "year":
            kind = _kind_of_year(text, value)
            start -= kind == "to_year"
        case "season" | "ordinals" if said.grain == "season":
            kind = "season" if kind == "season" else "seasons"
            stretch = year(stretch.first.year)
        case "now":
            kind = {0: "now", -1: "yesterday", -2: "yesterday"}.get(
                (stretch.first - today).days, ""
            )
            stretch = CalendarSpan(stretch.first, stretch.last, is_fine=kind != "now")
        case "ago":
            whole = _whole_of_ago(said, stretch)
    is_none = not kind or (kind == "ago" and whole is None) or _is_no_point(text, value, kind)
    is_ahead = kind in ("weekday", "relative") and stretch.first > today
    return None if is_none or is_ahead else DateExpression(kind, start, value.end, stretch, whole)


def _whole_of_ago(said: Time, stretch: CalendarSpan) -> CalendarSpan | None:
    """Give the year, month, week or day in which it was; None: no journal is that old."""
    if said.away is None or not -_MOST_AGO[said.away.unit] <= said.away.value < 0:
        return None
    unit = said.away.unit if said.away.unit in ("day", "week", "month") else "year"
    unit = "month" if said.away.unit == "quarter" else unit
    return CalendarSpan.of(unit_at(stretch.first, unit), is_fine=unit != "year")


def _is_no_point(text: str, value: Value, kind: str) -> bool:
    if kind == "turn":
        return _TURN.search(text, 0, value.start) is None
    if kind == "unread_season":
        return _ENDS_HERE.match(text, value.end) is None
    is_of_another = _OF_ANOTHER.match(text, value.end) is not None
    is_odd = value.time.grain in ("weekend", "fortnight", "day")
    return kind == "relative" and (is_of_another or is_odd)


def _kind_of_year(text: str, value: Value) -> str:
    written = text[value.start : value.end]
    if written.startswith("'"):
        return "short_year"
    first = value.time.options[0].first
    number = first.year if first else 0
    if number not in _YEARS:
        return "early_year" if number < _YEARS.start else "far_year"
    before = text[: value.start]
    return "to_year" if re.search(r"(?:^|[\s,(])-$", before) else "year"


def _early(text: str, value: Value, today: date) -> DateExpression | None:
    """Take a part of ten years as it is, and of a year all of it, as few papers tell a month."""
    said = value.time
    stretch = _stretch(said, today)
    if stretch is None or said.grain not in _WHOLE_YEARS:
        part = next((one for one in value.parts if one.kind is Kind.PERIOD), None)
        return _point(text, part, today) if part else None
    if said.grain == "decade":
        return DateExpression("decade", value.start, value.end, stretch)
    kind = "later" if _LATER.match(text, value.start) else "season"
    return DateExpression(kind, value.start, value.end, year(stretch.first.year))


def _edge(text: str, value: Value, today: date) -> DateExpression | None:
    """Take `the end of last year` as a day; a season is given as a year, whose end is another."""
    stretch = _stretch(value.time, today)
    part = next((one for one in value.parts if one.kind is Kind.PERIOD), None)
    inner = _point(text, part, today) if part is not None else None
    if stretch is None or (part is not None and inner is None):
        return None
    whole = inner.stretch if inner else year(stretch.first.year)
    if inner is not None and (inner.kind in SEASONS or value.rule != "edge"):
        stretch = whole
    kind = "edges" if value.rule == "edges" else "edge"
    return DateExpression(kind, value.start, value.end, stretch, whole)


_REACH = 45
"""Characters before a point that may hold the word it hangs on."""
SHOWN = (
    "(?:(?:that |which )?came out|published|written|released|appearing|appeared|printed|made"
    "|(?<!drop )(?<!burn )(?<!time )out|ever|dating|dated)"
)
"""Says outright that the time is that of the papers."""
_NONE = (
    rf"(?:nothing|none|(?:no|not)(?: any)? (?:more )?{ANY_PAPERS})"
    "(?: (?:that is|that are|published))?"
)
_WITH = "(?:in|on|at|from|of|during) (?:and|or)"
_AND_WITH = "(?:and|or) (?:in|on|at|from|of|during|including)"
"""`In or after 2019`: the year itself is one of them."""
_WORDS = (
    (
        "since",
        (
            "not (?:from )?before",
            "(?:no|not) (?:earlier|older) than",
            f"{_NONE} (?:from )?(?:before|prior to)",
            f"{_NONE} (?:earlier|older) than",
            f"{_WITH} (?:after|since|later than)",
            f"(?:after|since) {_AND_WITH}",
            "at the (?:very )?earliest(?: in| from| by)?",
            "(?:no|not) sooner than",
        ),
    ),
    (
        "until",
        (
            "not after",
            "(?:no|not) (?:later|newer|more recent) than",
            f"{_NONE} (?:from )?after",
            f"{_NONE} (?:later|newer|more recent) than",
            f"{_WITH} (?:before|until|till|prior to|earlier than)",
            f"(?:before|until|prior to) {_AND_WITH}",
        ),
    ),
    (
        "since",
        (
            "since",
            "sinse|sence|snice",
            "as of",
            "(?:starting|beginning|start)(?: in| from| with| at)?",
            "(?:(?:going|reaching) back (?:as far as|to)|(?:(?:going|reaching) )?as far back as)",
        ),
    ),
    ("since", ("(?:year ?)?(?:>=|≥|=>)", r"year_from\s*[:=]?")),
    (
        "after",
        (
            "after",
            "(?<!the )following",
            "later than",
            "newer than",
            "more recent than",
            "younger than",
            "(?:that |which )?postdat(?:es?|ed|ing)",
            "post-?",
        ),
    ),
    ("after", ("(?:year ?)?>",)),
    (
        "before",
        (
            "(?:from )?befor(?:e|(?= ))",
            "earlier than",
            "older than",
            "prior to",
            "preceding",
            "(?:that |which )?(?:pre|ante)dat(?:es?|ed|ing)",
            "pre-?",
        ),
    ),
    ("before", ("(?:year ?)?<(?!=)",)),
    ("until", ("up (?:un)?till?", "until", "till", "up ?to(?: and including)?", "through", "thru")),
    ("until", ("(?:published|available|written|released) by", "at the latest(?: in| by)?")),
    ("until", ("(?:year ?)?(?:<=|≤)", r"year_to\s*[:=]?")),
    ("around", ("(?:from |in )?(?:around|circa|approximately|roughly)", r"c\.")),
    ("between", ("(?:in )?between", "betwen", "btw", "b/w")),
    ("from", ("from", "frm|fron")),
    ("in", ("(?:in|during|within|throughout|for)(?: early| late)?", "published(?: on)?", "dated")),
    ("in", ("(?:only|just)", "(?:limit|restrict|confine)(?:ed)?(?: (?:it|them|this|that))? to")),
    ("in", ("(?:published )?over", r"(?:years?|yr|date)\s*[:=]")),
    ("in", (r"(?:with )?(?:a )?pub(?:lication)?\.? (?:year|date)(?: is| of| in|:)?",)),
)
"""The words a year hangs on; the first that fits counts, so `not before` stands above `before`."""
_ROUGHLY = "(?:about|around|approximately|roughly|circa)"
_OPERATORS = tuple(
    (
        name,
        re.compile(
            rf"(?:^|(?<=[^\w-]))(?:{SHOWN} )?{any_of(*words)}\s*"
            rf"(?:{_ROUGHLY} )?(?:(?:the )?years? )?(?:the )?$"
        ),
    )
    for name, words in _WORDS
)
_BY = re.compile(r"(?:^|(?<=[^\w-]))(?:(by)|at|near|towards?) $")
"""Words that only the start or the end of something hangs on."""
_BEYOND = re.compile(
    r"\s*(?:$|[,.;:!?)])"
    r"|\s+(?:and|or|nor|but|please|to|until|from|since|on|about|by|in|is|are|papers?|ones?)\b"
)
_BUT_RATHER = re.compile(r"\bnot [^,.;:!?]{1,30},? but(?: rather)? $")
_OF = re.compile(rf"(?:{PAPERS}|literature|research|work) of (?:the )?$")


def operator_of(text: str, point: DateExpression) -> tuple[str | None, int]:
    """Find the word a point hangs on, if any, and where the expression begins."""
    offset = max(0, point.start - _REACH)
    before = text[offset : point.start]
    for name, pattern in _OPERATORS:
        match = pattern.search(before)
        if match:
            return name, offset + match.start()
    if point.kind in ("edge", "edges") and (match := _BY.search(before)):
        return "until" if match[1] else "in", offset + match.start()
    match = _OF.search(before)
    if match:
        return "in", offset + match.end() - 3
    named = re.search(r"\b(?:the )?years? $", before)
    start = offset + named.start() if named else point.start
    return "in" if _is_denied(text, start, point.end) else None, start


def _is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether a time hangs on a denial: `except 2020`, `not 2020 but 2021`."""
    if denied_around(text, start, end) is not None or _BUT_RATHER.search(text, 0, start):
        return True
    return _BEYOND.match(text, end) is not None and denial_before(text, start) is not None


_ON = re.compile(r"\b(?:on|about|of|regarding|than|and|or|to) $")
_OF_DAYS = frozenset({"since", "until", "from", "after", "before"})


def is_said_of_papers(text: str, kind: str, name: str | None, start: int) -> bool:
    """Tell whether a time that cannot be read is one of the papers, by the word it hangs on."""
    if kind == "unread_days":
        return name in _OF_DAYS
    if kind == "unread_season" and name is None:
        return _ON.search(text, max(0, start - 20), start) is None
    if kind == "unread_time":
        return name in ("since", "until")
    return name is not None
