"""Units of measure: how they are written beside a number, and conversion between them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from tools.nlu.lexicon.normalization import Normal

_DAY = 86_400.0
_MONTH, _YEAR = 365.25 / 12 * _DAY, 365.25 * _DAY
_LB, _OZ, _INCH = 453.59237, 28.349523125, 0.0254
_TABLE: Mapping[str, Mapping[str, float]] = {
    "time": {
        "second sec secs s": 1, "minute min mins": 60, "hour hr hrs h": 3_600, "day days": _DAY,
        "week": 7 * _DAY, "fortnight": 14 * _DAY, "month": _MONTH, "year yr yrs": _YEAR,
    },
    "mass": {
        "milligram mg": 0.001, "gram gramme g": 1, "kilogram kilo kg kgs": 1_000, "tonne": 1e6,
        "pound lb lbs": _LB, "ounce oz": _OZ,
    },
    "length": {
        "millimetre millimeter mm": 0.001, "centimetre centimeter cm": 0.01, "metre meter m": 1,
        "kilometre kilometer km": 1_000, "inch": _INCH, "foot ft": 12 * _INCH, "mile": 1_609.344,
    },
    "volume": {"millilitre milliliter ml": 0.001, "centilitre cl": 0.01, "litre liter l": 1},
    "share": {"% percent pct": 1},
    "dollars": {"$ dollar usd buck": 1},
    "euros": {"€ euro eur": 1},
    "pounds": {"£ quid gbp": 1},
    "degrees": {"° degree": 1},
    "nights": {"night": 1},
}  # fmt: skip
_LONGEST_SHORT = 3
"""Letters of a short form; those that have a plural are listed with it: `50 ms` is no length."""
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


def _written() -> Iterator[tuple[str, Unit]]:
    for dimension, units in _TABLE.items():
        for names, factor in units.items():
            for name in names.split():
                yield name, Unit(dimension, float(factor))
                if len(name) > _LONGEST_SHORT:
                    yield f"{name}s", Unit(dimension, float(factor))


COUNTED = "times"
"""What a number is said in that tells how often: `two times`, `2x daily`, `twice a week`."""
UNITS: Mapping[str, Unit] = {
    **dict(_written()),
    "inches": Unit("length", _INCH),
    "feet": Unit("length", 12 * _INCH),
    COUNTED: Unit(COUNTED, 1.0),
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
