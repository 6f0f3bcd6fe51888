"""Whether a piece of the calendar is a filter, or what papers are about: the 2008 crisis."""

import re
from datetime import date

from tools.search_fields.time.dates.points import Point
from tools.search_fields.time.dates.year_parts import NEAR_YEAR, PART_KINDS, SEASONS
from tools.search_fields.time.operators import SHOWN, operator_of
from tools.search_fields.words.papers import DESCRIBED, PAPERS
from tools.search_fields.words.pieces import END

_SAYS_ON = re.compile(
    rf"(?:'s)? (?!(?:{DESCRIBED}|on|about|and|or|to|that|this|with|by|please|in)\b)[^\W\d_]"
)
"""`in august institutions`: a month that describes what follows, or is no month at all."""
_DESCRIBES = re.compile(
    rf"(?: (?:and|to) \d+)?(?:'s)? (?!(?:{DESCRIBED}|on|about|and|or|that|which)\b)[^\W\d_]"
)
"""`the 2008 crisis`, `between 1200 and 1500 patients`."""
_IS_SHOWN = re.compile(rf"{SHOWN}\b")
_BETWEEN = re.compile(r"\bbetween [^,.;]{1,20} (?:and|to) $")
_BY_ITSELF = (PART_KINDS - SEASONS) | {
    "relative", "span", "short_span", "span_to_now", "month_span", "later", "sooner", "ago",
    "ago_span",
}  # fmt: skip
_OF_NEAR_YEAR = re.compile(rf"{NEAR_YEAR}(?:'s .*)?$")
"""`Summer last year`, `last year's summer`: as much a filter as `last year` is."""
_THIS_CENTURY = re.compile(rf"(?<!of )(?<!on )(?<!about )(?:this|current) century{END}")
OF_YEARS = frozenset({"since", "after", "before", "until", "between"})
"""The words behind which any four digits are a year; `in 3020 runs` names none."""
NEEDS_WORD = frozenset(
    {"far_year", "early_year", "bare_month", "month_day", "day_month", "now", "yesterday"}
    | {"weekday", "spoken_year", "short_year", "holiday", "bare_holiday", "unread", "unread_time"}
)
"""Kinds that are a filter only behind such a word."""


def is_far_number(text: str, point: Point) -> bool:
    """Tell `after 3000 cycles` from `since 3020`, which is said of papers all the same."""
    if point.kind not in ("far_year", "early_year", "bare_holiday"):
        return False
    name, start = operator_of(text, point)
    if point.kind == "bare_holiday":  # `sales before christmas` are a topic
        return name != "since"
    is_shown = name is not None and _IS_SHOWN.match(text, start) is not None
    is_said = name in OF_YEARS or is_shown or _BETWEEN.search(text[: point.start])
    return not is_said or _DESCRIBES.match(text, point.end) is not None


def is_topic(text: str, name: str, start: int, point: Point, today: date) -> bool:
    """Tell `in the 2008 crisis` and `energy demand in 2050` from a filter.

    `in 2027`, said the year before, asks for papers that are not there yet.
    """
    if name == "in" and point.stretch.first.year > today.year + 1:
        return not _IS_SHOWN.match(text, start)
    if text.startswith("by ", start) and point.stretch.first.year > today.year:
        return True
    if point.kind in ("bare_month", "spoken_year") and _SAYS_ON.match(text, point.end):
        return True
    is_described = text[start : point.start].rstrip().endswith(" the")
    return (
        is_described
        and point.kind in ("year", "span", "short_span")
        and _DESCRIBES.match(text, point.end) is not None
    )


def stands_alone(text: str, point: Point) -> bool:
    """Tell whether a point without such a word is a filter: beside papers, or set apart."""
    before, after = text[: point.start], text[point.end :]
    article = re.search(r"\b(?:the|a|an|this)\s*$", before)
    is_named = re.match(rf"(?:'s)?\s+{DESCRIBED}", after) is not None
    if point.is_part and _OF_NEAR_YEAR.search(text, point.start, point.end):
        return True
    if point.kind == "relative" and text[: point.end].endswith("century"):
        return _THIS_CENTURY.match(text, point.start) is not None
    if point.kind == "relative":
        return True
    if point.kind == "decade" and re.match(r"(?:early|mid|late)", text[point.start :]):
        return is_named or bool(re.match(END, after))
    if article and not is_named and re.match(r"\s+[^\W\d_]", after):
        return False
    return bool(
        is_named
        or point.kind in _BY_ITSELF
        or re.search(rf"(?:{PAPERS}|published)\s*[,:(]?\s*$", before)
        or (
            re.search(r"(?:^|[,;(])\s*(?:and |or |but )?(?:(?:the )?year )?$", before)
            and re.match(r"\s*(?:[,;.!?)]|$)", after)
        )
    )
