"""A number of weeks for a slot of days: what is said in one unit of time, held in another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

_DAY = 86_400.0
_SECONDS = {
    "second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": _DAY, "week": 7 * _DAY,
    "fortnight": 14 * _DAY, "month": 365.25 / 12 * _DAY, "year": 365.25 * _DAY,
}  # fmt: skip
_WRITTEN = {"sec": "second", "secs": "second", "s": "second", "min": "minute", "mins": "minute"}
_WRITTEN |= {"h": "hour", "hr": "hour", "hrs": "hour", "yr": "year", "yrs": "year"}
_WRITTEN |= {form: unit for unit in _SECONDS for form in (unit, f"{unit}s")}
_WINDOW = re.compile(
    r"\b(?:(?:with)?in|over|during) (?:an?|one|the (?:next|coming)|the next one)"
    r" (week|fortnight|month|year)\b"
)
_ROUGH = frozenset({"month", "year"})
"""No number of days is quite one of these: a window of them is taken a little too wide."""


@dataclass(frozen=True)
class Window:
    """So many days, said by the words `first` to `end`."""

    days: int
    first: int
    end: int


def in_unit_of(name: str, value: float, behind: Sequence[str]) -> float:
    """Turn `2`, behind which `months` stands, into the 61 of a slot called `days`.

    Where the slot's name or the text names no unit, or both the same, the number stays.
    """
    own = next((_WRITTEN[part] for part in name.split("_") if part in _WRITTEN), None)
    said = _WRITTEN.get(behind[0]) if behind else None
    if own is None or said is None or own == said:
        return value
    turned = value * _SECONDS[said] / _SECONDS[own]
    return float(ceil(turned)) if said in _ROUGH else round(turned, 6)


def window_of(name: str, words: Sequence[str]) -> Window | None:
    """Read `within a week` and `in the next year`.

    Only for a slot of days: nobody counts the hours of rest of a coming week so.
    """
    if "days" not in name.split("_"):
        return None
    text = " ".join(words)
    matched = _WINDOW.search(text)
    if matched is None:
        return None
    first = len(text[: matched.start()].split())
    end = first + len(matched[0].split())
    return Window(int(in_unit_of("days", 1.0, [matched[1]])), first, end)
