"""Times that hang on another: the 18 months to June 2025; and those that nobody can place.

When a fiscal year begins depends on whose it is, and a season on where.
"""

import re
from datetime import date

from tools.search_fields.time.dates.stretches import Stretch, month, year
from tools.search_fields.time.dates.year_parts import YEAR
from tools.search_fields.words.amounts import AMOUNT, amount_of
from tools.search_fields.words.months import MONTH, month_number
from tools.search_fields.words.pieces import END, any_of

_UNTIL = any_of(
    "(?:up )?to", "up until", "until", "through", "end(?:ing|ed)(?: in| on| with)?",
    "leading (?:up )?to",
)  # fmt: skip
_MOST_MONTHS = 12 * 200
MONTHS_TO = (
    rf"(?:the |these )?(?:({AMOUNT}) )?(years?|months?|quarters?) {_UNTIL} (?:the end of )?"
    rf"(?:({MONTH}) (?:of )?)?({YEAR})"
)
FISCAL = (
    r"(?:the )?(?:fy|(?:fiscal|financial|academic|school|tax)(?: year)?) ?'?\d\d(?:\d\d)?"
    r"(?:[-/]\d\d(?:\d\d)?)?"
)
_BEHIND = rf"(?:{END}|(?= (?:on|about|by|please|only|with|and|or)\b))"
UNREAD_SEASON = (
    rf"(?:last|this|this past|the last|the past) (?:spring|summer|autumn|fall|winter){_BEHIND}"
)
UNREAD_DAYS = rf"(?:(?:the|last|this|this past) weekend|the other day){_BEHIND}"
_ON = re.compile(r"\b(?:on|about|of|regarding|than|and|or|to) $")
_OF_DAYS = frozenset({"since", "until", "from", "after", "before"})


def months_to(match: re.Match[str], today: date) -> Stretch | None:
    """Read so many months or years that end with a month or a year."""
    size = {"y": 12, "m": 1, "q": 3}[match[2][0]]
    count = int(amount_of(match[1] or "one") * size)
    if not 1 <= count <= _MOST_MONTHS or (match[1] is None and match[2].endswith("s")):
        return None
    if match[3] is None and count % 12 == 0:
        return year(int(match[4]) - count // 12 + 1).to(year(int(match[4])))
    end = month(int(match[4]), month_number(match[3]) if match[3] else 12)
    first = end.first.year * 12 + end.first.month - count
    return month(first // 12, first % 12 + 1).to(end)


def is_said_of_papers(text: str, kind: str, name: str | None, start: int) -> bool:
    """Tell whether a time that cannot be read is one of the papers, by the word it hangs on."""
    if kind == "unread_days":
        return name in _OF_DAYS
    if kind == "unread_season" and name is None:
        return _ON.search(text, max(0, start - 20), start) is None
    if kind == "unread_time":
        return name in ("since", "until")
    return name is not None
