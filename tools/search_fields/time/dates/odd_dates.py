"""Dates in other forms, and what looks like a date and is none: 15/06/2021, 2024-13."""

import re
from datetime import date

from tools.search_fields.time.dates.stretches import Stretch, days, month
from tools.search_fields.time.dates.year_parts import YEAR
from tools.search_fields.words.pieces import any_of

ODD_DATE = any_of(
    rf"({YEAR})/(\d{{1,2}})/(\d{{1,2}})",
    rf"(\d{{1,2}})[-/.](\d{{1,2}})[-/.]({YEAR})",
    rf"({YEAR})[-/](\d{{1,2}})",
    rf"({YEAR})-(\d{{1,2}})-(\d{{1,2}})",
)
_AS_NAMED = frozenset({"unread_time", "unread_season", "unread_days"})
_DATES = frozenset({
    "iso_day", "dotted_day", "written_day", "american_day", "iso_month", "american_month",
    "short_span", "odd_date", "fiscal",
})  # fmt: skip


def unread_kind(kind: str) -> str | None:
    """Name the kind of what could not be read and is a time all the same; None: it is none."""
    return kind if kind in _AS_NAMED else "unread" if kind in _DATES else None


def odd_date(match: re.Match[str], today: date) -> Stretch | None:
    """Read a day that can be but one: 15/06/2021, and neither 01/06/2021 nor 2024-13."""
    if match[1]:
        return days(int(match[1]), int(match[2]), int(match[3]))
    if match[6]:
        first, second, of = int(match[4]), int(match[5]), int(match[6])
        if first > 12 or first == second:
            return days(of, second, first)
        return days(of, first, second) if second > 12 else None
    if match[7]:
        which = int(match[8])
        return month(int(match[7]), which) if len(match[8]) == 1 and which else None
    return None
