"""Units of measure: how they are written beside a number, and conversion between them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from tools.nlu.lexicon.language import read_lexicon
from tools.nlu.lexicon.normalization import Normal

_DAY = 86_400.0
_MONTH, _YEAR = 365.25 / 12 * _DAY, 365.25 * _DAY
_LB, _OZ, _INCH = 453.59237, 28.349523125, 0.0254
_FACTORS: Mapping[str, Mapping[str, float]] = {
    "time": {
        "second": 1, "minute": 60, "hour": 3_600, "day": _DAY, "week": 7 * _DAY,
        "fortnight": 14 * _DAY, "month": _MONTH, "quarter": 3 * _MONTH, "year": _YEAR,
        "decade": 10 * _YEAR, "century": 100 * _YEAR,
    },
    "mass": {
        "milligram": 0.001, "gram": 1, "kilogram": 1_000, "tonne": 1e6, "pound": _LB, "ounce": _OZ,
    },
    "length": {
        "millimetre": 0.001, "centimetre": 0.01, "metre": 1, "kilometre": 1_000, "inch": _INCH,
        "foot": 12 * _INCH, "mile": 1_609.344,
    },
    "volume": {"millilitre": 0.001, "centilitre": 0.01, "litre": 1},
}  # fmt: skip
"""How many of the base of its dimension a unit is; one that is not listed is 1."""
MONEY = frozenset({"dollars", "euros", "pounds"})
MONEY_BEFORE = re.compile(r"(?:[$€£]|\b(?:eur|usd|gbp)) ?$")
"""What an amount is said in before its number: `€20`, `EUR 20`."""
SIGNS = "%$€£°"
"""Units of one sign, which stands at a number without a word."""
_WINDOW = re.compile(
    r"\b(?:(?:with)?in|over|during) (?:an?|one|the (?:next|coming)|the next one)"
    r" (week|fortnight|month|year)\b"
)


class Unit(NamedTuple):
    """How many of the base of its dimension a unit is."""

    dimension: str
    factor: float


def units_of(said: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, Unit]]:
    """Give each way to write a unit its own name and what it measures, from a lexicon's words."""
    return {
        word: (name, Unit(dimension, float(_FACTORS.get(dimension, {}).get(name, 1))))
        for dimension, units in said.items()
        for name, words in units.items()
        for word in words.split()
    }


COUNTED = "times"
"""What a number is said in that tells how often: `two times`, `2x daily`, `twice a week`."""
UNITS: Mapping[str, Unit] = {
    word: unit for word, (_name, unit) in units_of(read_lexicon("en")["units"]).items()
}
"""Every way to write a unit behind a number."""
TIMES = frozenset(name for name, unit in UNITS.items() if unit.dimension == "time")
_LETTERS = sorted((name for name in UNITS if name[0].isalpha()), key=len, reverse=True)
AT_NUMBER = re.compile(rf"(?P<digits>\d{{1,12}}(?:\.\d{{1,6}})?)(?P<unit>{'|'.join(_LETTERS)})")
"""A number and its unit in one word: `4.2kg`, `8h`."""


_PERIODS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month",
    "yearly": "year",
}  # fmt: skip
_EACH = frozenset({"a", "an", "per", "each", "every"})


class Number(NamedTuple):
    """A number written at words `first` to `end`."""

    value: float
    first: int
    end: int
    is_sure: bool = True
    """False: what stands around it makes it another number, or a share, or a guess."""
    unit: str = ""
    """What it is said in, as it is written: `kg`, `%`, `weeks`, or `times a day`."""
    is_glued: bool = False
    """Both are one word, which may be a name all the same: `4g`."""


def rhythm_at(words: Sequence[str], place: int) -> str:
    """Read `times a day`, `a day` and `daily` as how often: `times a day`; `times` as `times`."""
    is_counted = words[place : place + 1] == [COUNTED]
    period, each = "", words[place + is_counted : place + is_counted + 2]
    if each and each[0] in _PERIODS:
        period = _PERIODS[each[0]]
    elif len(each) > 1 and each[0] in _EACH and each[1] in _PERIODS.values():
        period = each[1]
    if period:
        return f"{COUNTED} a {period}"
    return COUNTED if is_counted else ""


def unit_at(normal: Normal, words: Sequence[str], first: int, end: int) -> str:
    """Find in what a number is said: the sign at it, or the word behind it."""
    before = MONEY_BEFORE.search(normal.text[: normal.tokens[first].start])
    after = normal.text[normal.tokens[end - 1].end :].lstrip(" ")[:1]
    if after in UNITS and not after.isalpha():
        return after
    if before is not None:
        return before[0].strip()
    if words[end : end + 2] == ["per", "cent"]:
        return "percent"
    if end < len(words) and normal.text[
        normal.tokens[end - 1].end : normal.tokens[end].start
    ].strip(" -"):
        return ""
    is_unit = end < len(words) and words[end] in UNITS
    return rhythm_at(words, end) or (words[end] if is_unit else "")


def measured(unit: str) -> Unit | None:
    """Find the unit that a number is said in, or how often that is."""
    return Unit(unit, 1.0) if unit.startswith(COUNTED) else UNITS.get(unit)


def converted(value: float, said: Unit, own: Unit) -> float:
    """Say in one unit what was said in another one of its dimension.

    No number of days is quite a month or a year: a window of them is taken a little too wide.
    """
    if said == own:
        return value
    other = value * said.factor / own.factor
    is_rough = said.dimension == "time" and said.factor in (_MONTH, _YEAR)
    return float(ceil(other)) if is_rough else round(other, 6)


@dataclass(frozen=True)
class Window:
    """So many days, said by the words `first` to `end`."""

    days: int
    first: int
    end: int


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
    return Window(int(converted(1.0, UNITS[matched[1]], UNITS["day"])), first, end)


_JOINS = re.compile(r"\s*,?\s*(?:and\s+)?")


def joined_units(normal: Normal, words: Sequence[str], one: Number, more: Number) -> Number | None:
    """Read `10 hours 30 minutes`, `2 kg and 300 g` and `8h 30m` as one number.

    `10 hours 90 minutes` is none that can be told.
    """
    said, rest = UNITS.get(one.unit), UNITS.get(more.unit)
    if said is not None and said == UNITS["hour"] and more.unit == "m":
        rest = UNITS["min"]  # no metres behind hours
    is_smaller = said is not None and rest is not None and rest.factor < said.factor
    if not is_smaller or said is None or rest is None or said.dimension != rest.dimension:
        return None
    start, end = _behind_unit(words, one), _behind_unit(words, more)
    between = normal.text[normal.tokens[start - 1].end : normal.tokens[more.first].start]
    if not _JOINS.fullmatch(between):
        return None
    is_rest = one.value.is_integer() and more.value * rest.factor < said.factor
    if not is_rest and "," in between:
        return None  # `6 months, 180 days`: the same once more
    is_sure = one.is_sure and more.is_sure and is_rest
    value = round(one.value + converted(more.value, rest, said), 6)
    return one._replace(value=value, end=end, is_sure=is_sure)


def _behind_unit(words: Sequence[str], number: Number) -> int:
    """Find where a number ends, with the unit that stands behind it."""
    return number.end + (words[number.end : number.end + 1] == [number.unit])
