"""Units of measure, conversion between them, and productions of numbers, shares and amounts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any, NamedTuple

from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.lexicon.normalization import Normal
from tools.nlu.values.model import Amount, Num, Reading, Selection, production

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
    "degrees": {"fahrenheit": 5 / 9},
    "cents": {"cent": 0.01},
    "volume": {"millilitre": 0.001, "centilitre": 0.01, "litre": 1},
}  # fmt: skip
"""How many of the base of its dimension a unit is; one that is not listed is 1."""
_ZERO = {"fahrenheit": 32.0}
"""What a unit counts where the base of its dimension counts none."""
CENTS = "cents"
"""The hundredth of whatever money it is said of."""
MONEY = frozenset({"dollars", "euros", "pounds", CENTS})
_MONEY_BEFORE = re.compile(r"(?:[$€£]|\b(?:eur|usd|gbp)) ?$")
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
    zero: float = 0.0


def units_of(said: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, Unit]]:
    """Give each way to write a unit its own name and what it measures, from a lexicon's words."""
    return {
        word.replace("_", " "): (
            name,
            Unit(dimension, float(_FACTORS.get(dimension, {}).get(name, 1)), _ZERO.get(name, 0.0)),
        )
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
    before = _MONEY_BEFORE.search(normal.text[: normal.tokens[first].start])
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
    if CENTS in (said.dimension, own.dimension):
        return round(value * said.factor / own.factor, 6)
    other = (value - said.zero) * said.factor / own.factor + own.zero
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


@production("tens")
def _tens(read: Reading, today: date) -> Num | None:
    found: Num | None = read.nodes[0].payload
    return found


@production("compound")
def _compound(read: Reading, today: date) -> Num | None:
    ones = read["number"]
    is_one = ones.form == "words" and 1 <= ones.value <= 9
    return Num(read["tens"].value + ones.value) if is_one else None


@production("multiplied")
def _multiplied(read: Reading, today: date) -> Num | None:
    times = read.get("number", Num(1.0))
    of, rest = read["multiple"], read.get("rest", Num(0.0))
    is_same = rest.form == times.form == "words" or (rest.form == times.form and of.value >= 1_000
        and rest.value >= of.value / 10)  # fmt: skip
    is_whole = rest.value < of.value and (not rest.value or is_same)
    return Num(times.value * of.value + rest.value) if is_whole and times.value < 1e6 else None


@production("grand")
def _grand(read: Reading, today: date) -> Num | None:
    return Num(1_000 * read["number"].value)


@production("spoken_price")
def _spoken_price(read: Reading, today: date) -> Num | None:
    """Read `twenty-nine fifty` and `four seventy-five`, which only prices are said as."""
    whole, rest = read["number"], read["rest"]
    is_price = whole.form == rest.form == "words" and 0 < whole.value < 1_000
    return Num(whole.value + rest.value / 100) if is_price and 10 <= rest.value < 100 else None


_LEAST_YEAR, _NO_YEAR = 1_900, 2_100


@production("part_of", "part_of_amount", "part_of_time", "part_of_money")
def _part_of(read: Reading, today: date) -> Num | Amount | None:
    """Read `half of the 60 euros`; of what has no amount nobody can tell a half."""
    part, whole = read["part"], read["whole"]
    value = part.value * whole.value
    if isinstance(whole, Num) and whole.form == "digits" and _LEAST_YEAR <= whole.value < _NO_YEAR:
        return None  # the last quarter of 2024
    return Num(value, whole.form) if isinstance(whole, Num) else whole._replace(value=value)


@production("vague")
def _vague(read: Reading, today: date) -> Num | None:
    said = read.get("vague")
    if said is None:  # half a dozen
        return Num(6.0)
    return Num(abs(float(said)), "vague" if said < 0 else "words")


@production("and_part")
def _and_part(read: Reading, today: date) -> Num | None:
    part = read.get("part") or read.get("vulgar") or read.get("fraction")
    value = part.value if isinstance(part, Num) else part[0] / part[1]
    whole = read["number"]
    is_mixed = whole.value.is_integer() and value < 1
    return Num(whole.value + value, whole.form) if is_mixed else None


@production("times_x")
def _times_x(read: Reading, today: date) -> Num | None:
    return read["number"] if read["number"].form == "digits" else None


@production("part")
def _part(read: Reading, today: date) -> Num | None:
    if fraction := read.get("fraction"):
        over, under = fraction
        return Num(over / under) if 0 < over < under else None
    count = read.get("number", Num(1.0)).value
    value = count * read["partword"]
    return Num(value) if count.is_integer() and 0 < value < 1 else None


@production("vulgar")
def _vulgar(read: Reading, today: date) -> Num | None:
    found: Num | None = read["part"]
    return found


@production("ordinal")
def _ordinal(read: Reading, today: date) -> int | None:
    own = read.get("ordinalword") or read.get("nth")
    tens = read.get("tens")
    if tens is None:
        found: int | None = own
        return found
    return int(tens.value) + own if own < 10 else None


@production("share")
def _share(read: Reading, today: date) -> Num | None:
    if part := read.get("part"):
        found: Num | None = part
        return found
    number, whole = read.get("number"), read.get("whole")
    if number is None:
        return Num(0.5)
    if whole is not None:
        return Num(number.value / whole.value) if 0 < number.value <= whole.value else None
    return Num(number.value / 100, number.form)


@production("range")
def _range(read: Reading, today: date) -> tuple[Num, Num] | None:
    pair = read["a"], read["b"]
    is_word = read.args == "digits" and any(one.form != "digits" for one in pair)
    return None if is_word else pair


@production("amount_range")
def _amount_range(read: Reading, today: date) -> tuple[Amount, Amount] | None:
    """Read `3 to 5 days` and `from 2 kg to 3 kg`: both ends in one unit."""
    first, last = read["a"], read["b"]
    unit = first.unit if isinstance(first, Amount) else last.unit
    pair = tuple(
        one if isinstance(one, Amount) else Amount(one.value, unit) for one in (first, last)
    )
    return (pair[0], pair[1]) if len({one.unit for one in pair}) == 1 else None


@production("all_but")
def _all_but(read: Reading, today: date) -> Selection | None:
    return Selection("all but", (read["number"].value,))


@production("all_but_nth")
def _all_but_nth(read: Reading, today: date) -> Selection | None:
    return Selection("all but nth", (float(read["nth"]),))


@production("which")
def _which(read: Reading, today: date) -> Selection | None:
    return Selection(read.args)


@production("which_count")
def _which_count(read: Reading, today: date) -> Selection | None:
    number = read["number"]
    is_nth = read.args in ("first", "last") and number.value == 1
    return None if is_nth else Selection(read.args, (number.value,))


@production("nths")
def _nths(read: Reading, today: date) -> Selection | None:
    said = [float(one.value if isinstance(one, Num) else one) for one in read.all("nth")]
    said += [one.value for one in read.all("number")]
    return Selection("nth", tuple(said))


@production("quantity", "duration")
def _quantity(read: Reading, today: date) -> Amount | None:
    """Read `2 kg`, `half a litre`, `an hour`, `an hour and a half` and `another week`."""
    kinds = [node.kind for node in read.nodes]
    number, part = read.get("number"), read.get("part")
    is_part_of_one = part is not None and kinds.index("part" if "part" in kinds else "vulgar") == 0
    is_part_of_one = is_part_of_one or kinds[:2] == ["", "part"]
    value = 0.0 if is_part_of_one else number.value if number else 1.0
    is_vague = number is not None and number.form == "vague"
    unit = read.get("unit") or read["timeunit"]
    if unit == "quarter" and (part or value in (1, 3)):
        return None  # a part of something, or the third of a year
    return Amount(value + (part.value if part else 0.0), unit, is_vague)


@production("joined", "joined_duration")
def _joined(read: Reading, today: date) -> Amount | None:
    """Join `2 kg` and `300 g`; the second has to be less than one of the first's unit."""
    more, rest = read["more"], read["rest"]
    said, own = UNITS[rest.unit], UNITS[more.unit]
    is_rest = said.dimension == own.dimension and rest.value * said.factor < own.factor
    if not is_rest or not more.value.is_integer():
        return None
    return Amount(round(more.value + rest.value * said.factor / own.factor, 9), more.unit)


@production("glued_duration")
def _glued_duration(read: Reading, today: date) -> Amount | None:
    minutes = read["minutes"].value
    return Amount(read["number"].value + minutes / 60, "hour") if minutes < 60 else None


@production("money")
def _money(read: Reading, today: date) -> Amount | None:
    number, cents = read.get("number", Num(1.0)), read.get("cents")
    if cents is not None and not (cents.value < 100 and cents.form == "digits"):
        return None
    return Amount(number.value + (cents.value / 100 if cents else 0), read["unit"])


@production("thousands")
def _thousands(read: Reading, today: date) -> Amount | None:
    unit = read.get("unit") or read["money_word"]
    return Amount(1_000 * read["number"].value, unit)


@production("list")
def _list(read: Reading, today: date) -> tuple[Any, ...] | None:
    return tuple(read.all("one"))
