"""Numbers that are said in two units, or of which another one might be meant."""

import re
from collections.abc import Sequence

from tools.routing.slots.measures import UNITS, Number, turned
from tools.routing.words.normalise import Normal

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
    value = round(one.value + turned(more.value, rest, said), 6)
    return one._replace(value=value, end=end, is_sure=is_sure)


def _behind_unit(words: Sequence[str], number: Number) -> int:
    """Find where a number ends, with the unit that stands behind it."""
    return number.end + (words[number.end : number.end + 1] == [number.unit])
