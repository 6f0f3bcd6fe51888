"""Amounts as an answer gives them: with their unit, or with a comma for the point: `20,50`."""

import re

from state.action import Action
from tools.routing.slots.measures import MONEY, Number, measured
from tools.routing.slots.numerals import numbers_in
from tools.routing.slots.quantities import held, own_unit
from tools.routing.words.normalise import Normal

_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d{1,6}),(\d\d?)(?![\d.,])")


def unit_places(action: Action, name: str, normal: Normal) -> set[int]:
    """Find the words of the unit that a slot is held in, at a number: `20 euros`, `EUR 20`."""
    unit = own_unit(action, name)
    if unit is None:
        return set()
    return {
        place
        for one in numbers_in(normal)
        if one.unit and held(action, name, one) is not None
        for place in _unit_at(normal, one)
    }


def _unit_at(normal: Normal, number: Number) -> list[int]:
    words = normal.words
    beside = [place for place in (number.first - 1, number.end) if 0 <= place < len(words)]
    own = measured(number.unit)
    is_money = own is not None and own.dimension in MONEY
    return [
        place
        for place in beside
        if words[place] == number.unit
        or (is_money and own == measured(words[place]))  # `€20 euros`
    ]


def with_comma(normal: Normal) -> tuple[float, set[int]] | None:
    """Read `20,50` and `1.234,50`, where nothing else is a number: an answer lists no numbers."""
    found = list(_COMMA.finditer(normal.text))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    places = {at for at, one in enumerate(normal.tokens) if start <= one.start and one.end <= end}
    others = (one for at, one in enumerate(normal.tokens) if at not in places)
    if any(one.text[0].isdigit() for one in others):
        return None
    return float(f"{found[0][1].replace('.', '')}.{found[0][2]}"), places
