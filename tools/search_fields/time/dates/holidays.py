"""Days that have a name: last Christmas is read, last Easter is told as unread."""

import re
from datetime import date

from tools.search_fields.time.dates.stretches import Stretch, days
from tools.search_fields.words.pieces import any_of

_FIXED = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14),
}  # fmt: skip
_NAME = f"({'|'.join(_FIXED)})"
HOLIDAY = any_of(rf"last {_NAME}", rf"{_NAME},? (?:of )?((?:19|20)\d\d)")
BARE_HOLIDAY = _NAME
_MOVING = any_of(
    "easter", "thanksgiving", "ramadan", "eid", "diwali", "hanukkah", "passover", "lent",
    "pentecost", "carnival",
)  # fmt: skip
UNREAD_TIME = any_of(
    rf"last {_MOVING}",
    rf"{_MOVING} (?:19|20)\d\d",
    r"(?:(?:our|my|your) )?last [a-z]+"
    r"(?=\s*(?:[,.;:!?)]|$)|\s+(?:on|about|by|in|at|please|only|from|with)\b)",
)
"""Times that stand nowhere in a calendar of ours: last Easter, last semester, last time."""


def holiday(match: re.Match[str], today: date) -> Stretch | None:
    """Give the day in its year, or the last one that has been."""
    name = match[1] or match[2]
    if match[3]:
        return days(int(match[3]), *_FIXED[name])
    return _last(name, today)


def bare_holiday(match: re.Match[str], today: date) -> Stretch | None:
    """Give the last such day that has been."""
    return _last(match[1], today)


def _last(name: str, today: date) -> Stretch | None:
    this_year = days(today.year, *_FIXED[name])
    has_been = this_year is not None and this_year.first <= today
    return this_year if has_been else days(today.year - 1, *_FIXED[name])
