"""In which unit is the number of a slot held: by its name, the summary, what is said of it?"""

import re
from functools import lru_cache

from tools.routing.slots.measures import COUNTED, SIGNS, UNITS, Unit, measured, rhythm_at
from tools.routing.slots.numerals import numbers_in
from tools.routing.words.normalise import normalise

OF_MONEY = frozenset({"amount", "price", "cost", "total", "sum", "fee", "budget", "money"})
_OFTEN = 2
"""Examples that say a unit, from which it is the slot's; one may only be about something else."""
_NO_UNITS = frozenset({"from", "since", "start", "min", "max", "second", "foot", "night"})
"""In the name of a slot: what only looks like a unit, `min_price`, `second_dose`."""
_DESCRIBED = re.compile(r"(?:^|\b(?:in|of|many) )(?=([^\W\d_]{2,})\b)")
"""In the description of a slot: `in kg`, `how many litres`, `hours of rest`."""


@lru_cache(maxsize=4096)
def unit_in(name: str, summary: str, description: str) -> Unit | None:
    """Find the unit in the name of a slot, in the summary, or in what is said of the slot."""
    counted, _, per = name.partition("_per_")
    for part in counted.split("_"):
        if len(part) > 1 and part in UNITS and part not in _NO_UNITS:
            shown = _behind_in(summary, name) if part == COUNTED else ""
            return measured(shown) if shown.startswith(COUNTED) else UNITS[part]
    if per and counted.endswith("s") and OF_MONEY.isdisjoint(counted.split("_")):
        return measured(rhythm_at(["a", *per.split("_")], 0))  # `doses_per_day`
    before = re.search(rf"([{SIGNS}]) ?\{{{name}\}}", summary)
    for unit in (before[1] if before else "", _behind_in(summary, name)):
        if unit:
            return measured(unit)
    units = [one for one in _DESCRIBED.findall(description.lower()) if one in UNITS]
    return UNITS[units[0]] if units and units[0] not in _NO_UNITS else None


def _behind_in(summary: str, name: str) -> str:
    """Read what a summary says a number in: `{weight} kg`, `{dose} times a day`."""
    behind = re.search(rf"\{{{name}\}} ?([^\W\d_]+|[{SIGNS}])?((?: [^\W\d_]+)*)", summary.lower())
    if behind is None or behind[1] is None:
        return ""
    rhythm = rhythm_at([behind[1], *behind[2].split()], 0)
    return rhythm or (behind[1] if behind[1] in UNITS else "")


@lru_cache(maxsize=4096)
def by_examples(examples: tuple[str, ...]) -> Unit | None:
    """Find the one unit that most numbers are said in; of several nobody says which it is."""
    found = [one.unit for example in examples for one in numbers_in(normalise(example))]
    found = [unit for unit in found if not unit.startswith(COUNTED)]
    units = [UNITS[unit] for unit in found if unit]
    is_usual = len(units) >= _OFTEN and 2 * len(units) >= len(found)
    return units[0] if is_usual and len(set(units)) == 1 else None


@lru_cache(maxsize=4096)
def dimensions_of(examples: tuple[str, ...]) -> frozenset[str]:
    """Find in what the numbers of the examples are said: time, money, how often."""
    numbers = (one for example in examples for one in numbers_in(normalise(example)))
    units = (measured(one.unit) for one in numbers)
    return frozenset(unit.dimension for unit in units if unit is not None)
