"""Find the dates that a text names, and the operator before each (since, before, between, in)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from tools.nlu.lexicon.closed_classes import WEEKDAYS
from tools.nlu.search_query.absolute_dates import (
    BARE_HOLIDAY,
    FISCAL,
    HOLIDAY,
    HUNDREDS,
    MONTH_SHORT_YEAR,
    MONTHS_TO,
    NEAR_YEAR,
    ODD_DATE,
    PART_KINDS,
    PARTS,
    SEASONS,
    SHORT_YEAR,
    SPOKEN_YEAR,
    THE_YEAR,
    UNREAD_DAYS,
    UNREAD_SEASON,
    UNREAD_TIME,
    Y_OR_THIS,
    YEAR,
    Builder,
    american_day,
    american_month,
    bare_holiday,
    dotted_day,
    holiday,
    iso_day,
    iso_month,
    month_short_year,
    month_span,
    month_year,
    months_to,
    odd_date,
    short_year,
    spoken_year,
    unread_kind,
    written_day,
    year_of,
)
from tools.nlu.search_query.calendar_spans import (
    AGO,
    AGO_SPAN,
    CalendarSpan,
    ago,
    ago_span,
    bare_month,
    day_month,
    decade,
    edge_before,
    month_day,
    now,
    this_or_last,
    unit_of,
    weekday,
    year,
    yesterday,
)
from tools.nlu.search_query.lexicon import ANY_PAPERS, MONTH, PAPERS, any_of
from tools.nlu.search_query.negation import denial_before, denied_around

_FAR_YEAR = r"(?:2[1-9]|[3-9]\d)\d\d"
"""One that no paper has; `since 3020` is no topic for all that."""
_EARLY_YEAR = r"1[0-7]\d\d"
_BEFORE = (
    r"(?:(?<![\w.:/@#$€£'-])|(?<=pre-)|(?<=post-)|(?<=mid-)|(?<=since-)|(?<=non-)|(?<=year:)"
    r"|(?:(?<=\bsince)|(?<=\bafter)|(?<=\bbefore)|(?<=\buntil)|(?<=\bfrom))(?=(?:19|20)\d\d\b))"
)
_AFTER = r"(?!\w|[%°]|[-./:,]\d|-[a-z]|'\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_NAMED_DECADES = {
    "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970,
    "eighties": 1980, "nineties": 1990, "noughties": 2000,
}  # fmt: skip
_SHORT = r"(?:'|the |(?<=early )|(?<=late )|(?<=mid )|(?<=[ey]-)|(?<=mid-))[3-9]0'?s"
_DECADE = any_of(rf"{HUNDREDS}\d0'?s", _SHORT, *_NAMED_DECADES)


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
    for match in _ANY.finditer(text):
        kind = str(match.lastgroup)
        pattern, build = _KINDS[kind]
        again = pattern.fullmatch(text, match.start(), match.end())
        stretch = build(again, today) if again else None
        if again and stretch is not None:
            whole = unit_of(stretch.first, again[2]) if kind == "ago" else None
            yield _with_edge(text, DateExpression(kind, match.start(), match.end(), stretch, whole))
        elif unread := unread_kind(kind):
            yield DateExpression(unread, match.start(), match.end(), year(today.year))


def _with_edge(text: str, point: DateExpression) -> DateExpression:
    """Take `the end of last year` together; a season is given as a year, whose end is another."""
    if point.kind not in _HAVE_EDGES:
        return point
    edge = edge_before(text, point.start, point.stretch)
    if edge is None:
        return point
    stretch = point.stretch if point.kind in SEASONS else edge.stretch
    kind = "edges" if edge.is_both else "edge"
    return DateExpression(kind, edge.start, point.end, stretch, whole=point.stretch)


def _short_span(match: re.Match[str], today: date) -> CalendarSpan | None:
    """Read 2015-18 and 2019/20; what could be a month, as in 2015-09, is read as one."""
    first, ending = int(match[1]), int(match[2])
    last = first - first % 100 + ending
    return year(first).to(year(last)) if last > first else None


def _span(match: re.Match[str], today: date) -> CalendarSpan | None:
    first, last = sorted((int(match[1]), int(match[2])))
    return year(first).to(year(last))


def _span_to_now(match: re.Match[str], today: date) -> CalendarSpan | None:
    first = int(match[1])
    return year(first).to(year(today.year)) if first <= today.year else None


def _the_year(match: re.Match[str], today: date) -> CalendarSpan | None:
    return year(year_of(match[1], today))


def _decade(match: re.Match[str], today: date) -> CalendarSpan | None:
    name = match[2].removeprefix("the ").strip("'").replace("'", "")
    first = _NAMED_DECADES.get(name)
    if first is None:
        digits = name.removesuffix("s")
        first = int(digits) if len(digits) == 4 else 1900 + int(digits)
    return decade(first, match[1])


def _century(match: re.Match[str], today: date) -> CalendarSpan | None:
    number = int(match[1])
    return year((number - 1) * 100 + 1).to(year(number * 100)) if 18 <= number <= 21 else None


def _year(match: re.Match[str], today: date) -> CalendarSpan | None:
    return year(int(match[1]))


_Y = f"({YEAR})"
_BEHIND_EDGE = any_of(
    *(f"(?<={word} of )" for word in ("start", "beginning", "end", "middle", "course"))
)
"""By itself, `the year` is any, and `the past year` a window."""
_TURN = r"(?<=since )(?:the )?turn of (?:the|this) (?:century|millennium)"
_EARLY = r"(?:(early|mid|late)[- ](?:the )?)?"
_TABLE: tuple[tuple[str, str, Builder], ...] = (
    ("iso_day", rf"{_Y}-(\d{{1,2}})-(\d{{1,2}})", iso_day),
    ("dotted_day", rf"(\d{{1,2}})\.(\d{{1,2}})\.{_Y}", dotted_day),
    ("written_day", rf"({_DAY})(?: of)? ({MONTH}),? {_Y}", written_day),
    ("american_day", rf"({MONTH}) ({_DAY})(?:,| of)? {_Y}", american_day),
    ("months_to", MONTHS_TO, months_to),
    ("turn", _TURN, lambda _match, _today: year(2000)),
    ("fiscal", FISCAL, lambda _match, _today: None),
    ("month_span", (rf"({MONTH}) ?(?:-|to|until|till|through"
    rf"|and) ?({MONTH})(?: of)?,? {Y_OR_THIS}"), month_span),
    ("month_year", rf"({MONTH})(?: of|-)?,? ?{Y_OR_THIS}", month_year),
    ("month_short_year", MONTH_SHORT_YEAR, month_short_year),
    *PARTS,
    ("the_year", f"{_BEHIND_EDGE}((?:the )?past year|{THE_YEAR})", _the_year),
    ("decade", rf"(?:the )?{_EARLY}({_DECADE})", _decade),
    ("century", r"(?:the )?(\d\d)(?:st|th) century", _century),
    ("span_to_now", rf"{_Y} ?- ?(?:the )?(?:present|now|today|current|date)", _span_to_now),
    ("span", rf"{_Y} ?(?:-|/|\.\.) ?{_Y}", _span),
    ("short_span", rf"{_Y}[-/](1[3-9]|[2-9]\d)", _short_span),
    ("iso_month", rf"{_Y}-(0[1-9]|1[0-2])", iso_month),
    ("american_month", rf"(\d{{1,2}})/{_Y}", american_month),
    ("relative", (r"(?:the )?(this|current|last|previous) (year|month|week|quarter|decade"
    rf"|century)(?:'s)?(?! of (?:the )?(?:\d|{NEAR_YEAR}|year\b))"), this_or_last),
    ("now", r"(?:now|today|(?:the )?present(?: day)?|date)", now),
    ("yesterday", r"yesterday", yesterday),
    ("weekday", rf"(?:last )?({'|'.join(WEEKDAYS)})", weekday),
    ("month_day", rf"({MONTH}) (?:the )?({_DAY})", month_day),
    ("day_month", rf"(?:the )?({_DAY})(?: of)? ({MONTH})", day_month),
    ("bare_month", rf"(?:last )?({MONTH})", bare_month),
    ("ago_span", AGO_SPAN, ago_span),
    ("ago", AGO, ago),
    ("holiday", HOLIDAY, holiday),
    ("bare_holiday", BARE_HOLIDAY, bare_holiday),
    ("spoken_year", SPOKEN_YEAR, spoken_year),
    ("short_year", SHORT_YEAR, short_year),
    ("to_year", f"-{_Y}", _year),
    ("odd_date", ODD_DATE, odd_date),
    ("year", rf"{_Y}(?:-?ish)?", _year),
    ("unread_season", UNREAD_SEASON, lambda _match, _today: None),
    ("unread_days", UNREAD_DAYS, lambda _match, _today: None),
    ("unread_time", UNREAD_TIME, lambda _match, _today: None),
    ("early_year", f"({_EARLY_YEAR})", _year),
    ("far_year", rf"({_FAR_YEAR})", _year),
)  # fmt: skip
_PARTS = PART_KINDS | {"edge", "edges", "month_span", "month_year", "month_short_year"}
_HAVE_EDGES = _PARTS | {"year", "the_year", "relative", "decade"}
_KINDS: Mapping[str, tuple[re.Pattern[str], Builder]] = {
    kind: (re.compile(pattern), build) for kind, pattern, build in _TABLE
}
_ANY = re.compile(
    _BEFORE
    + "(?:"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern, _ in _TABLE)
    + ")"
    + _AFTER
)


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
