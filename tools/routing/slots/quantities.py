"""Which of the numbers that a text says is the one of a slot, and how much it is in its unit."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from state.action import Action
from tools.routing.slots.measures import MONEY, SIGNS, UNITS, Unit, turned, window_of
from tools.routing.slots.named import Read
from tools.routing.slots.numerals import Number, days_in, numbers_in, out_of
from tools.routing.slots.superseded import without_old
from tools.routing.slots.texts.free_text import Spoken
from tools.routing.words.normalise import normalise
from tools.routing.words.phrases import word_set

_BEGIN = frozenset({"from", "since", "start", "min"})
"""In the name of a slot: it is the first number of a range."""
_CHANGES = word_set(
    "change correct update adjust set raise lower reduce increase move bump make edit fix amend "
    "bring actually instead rather not was were"
)
"""Without any of these `from 3 to 7` is how many there may be, and not the old and the new one."""
_COUNTED_NOW = word_set(
    "have has had got left was were came used took there last usually normally already remain "
    "remains remaining arrived broke"
)
"""In a clause beside the order: it tells how many there are, or were, and not how many to take."""
_MORE = word_set("more extra further additional")
_MORE_BEFORE = _MORE | {"another"}
_THAN = 8
"""Words within which `than` follows: `two more filters than last time`."""
_BOUNDS_BEFORE = re.compile(r"(?:at most|at least|up to|(?:more|less|fewer) than|under|over)$")
_BOUNDS_BEHIND = frozenset({"at most", "at least", "or more", "or less", "or so"})
"""A change needs the number itself: `set it to under 1500` says none."""
_ENOUGH_TO = re.compile(r"\benough(?: [\w-]+){0,3} (?:to|for) (?:have|get|reach|make|bring)\b")
"""`Order enough bulbs to have 12`: how many that are is to be counted first."""
_OF_MONEY = frozenset({"amount", "price", "cost", "total", "sum", "fee", "budget", "money"})
_OFTEN = 2
"""Examples that say a unit, from which it is the slot's; one may only be about something else."""
_OF_SHARE = frozenset({"percent", "percentage", "pct", "share", "rate"})
_NO_UNITS = _BEGIN | {"max", "second", "foot"}
"""In the name of a slot: what only looks like a unit, `min_price`, `second_dose`."""


def number_of(action: Action, name: str, read: Read, used: set[int]) -> Any:  # a number, or a list
    """Take the number beside the slot's own name, else the only one that is part of nothing else.

    "4 or 5", "40, sorry, 4", "½": which one is for the person to say.
    """
    slot, normal = action.slots[name], read.spoken.normal
    words = [token.text for token in normal.tokens]
    own = set(name.split("_"))
    fitting = _fitting(action, name, read, used)
    if slot.maximum is not None and not slot.many:
        scores = [one for one in out_of(normal, slot.maximum) if used.isdisjoint((one.first,))]
        fitting = scores if len(scores) == 1 and scores[0].first in read.spoken.kept else fitting
    if not slot.many and not own & _BEGIN and not _CHANGES.isdisjoint(words):
        new = without_old(normal, [(one.first, one.end) for one in fitting])
        fitting = [one for one in fitting if (one.first, one.end) in new]

    def is_named(place: int, end: int) -> bool:
        return bool(own & {*words[max(0, place - 1) : place], *words[end : end + 1]})

    named = [number for number in fitting if is_named(number.first, number.end)]
    best = fitting if slot.many else named or fitting
    window = window_of(name, words) if not best else None
    if window is not None and window.first in read.spoken.kept:
        used.update(range(window.first, window.end))
        return [window.days] if slot.many else window.days
    if not best or (len(best) > 1 and not slot.many) or not all(one.is_sure for one in best):
        return None
    if any(_is_relative(action, name, one, words) for one in best):
        return None
    found = [one.value for one in best]
    if slot.type == "integer" and not all(value.is_integer() for value in found):
        return None
    used.update(place for one in best for place in range(one.first, one.end))
    values = [int(value) if value.is_integer() else value for value in found]
    return list(dict.fromkeys(values)) if slot.many else values[0]


def _fitting(action: Action, name: str, read: Read, used: set[int]) -> Sequence[Number]:
    """Find the numbers that may be the slot's, in its unit."""
    spoken = read.spoken
    taken = {place for m in read.mentions for place in range(m.first, m.end)} | used
    taken |= {place for day in days_in(spoken.normal, None) for place in range(day.first, day.end)}
    told = frozenset() if _is_set(action, name) else _told(spoken)
    fitting = []
    for number in numbers_in(spoken.normal):
        is_free = number.first in spoken.kept and number.first not in told
        value = held(action, name, number)
        if is_free and value is not None and taken.isdisjoint(range(number.first, number.end)):
            fitting.append(number._replace(value=value))
    return fitting


def _told(spoken: Spoken) -> frozenset[int]:
    """Find the clauses beside the order that tell something: `order some, we only have 3 left`."""
    words = [token.text for token in spoken.normal.tokens]
    return frozenset(
        place
        for clause in spoken.clauses
        if clause.start not in spoken.asked
        if not _COUNTED_NOW.isdisjoint(words[clause.start : clause.stop])
        for place in clause
    )


def _is_set(action: Action, name: str) -> bool:
    """Tell whether the slot is what something is set to, by the summary: `Set … to {level}`."""
    return re.search(rf"(?:\bto|\bat|[:=]) \{{{name}\}}", action.summary) is not None


def _is_relative(action: Action, name: str, number: Number, words: Sequence[str]) -> bool:
    """Tell whether it is by how much, or beside what else, and not how much: `dim it by 10`."""
    behind = words[number.end :]
    if behind and behind[0] in UNITS:
        behind = behind[1:]
    before = words[max(0, number.first - 2) : number.first]
    if not _MORE.isdisjoint(behind[:1]) or not _MORE_BEFORE.isdisjoint(before[-1:]):
        return "than" in behind[:_THAN] or _is_set(action, name)
    is_bound = _BOUNDS_BEFORE.search(" ".join(before)) or " ".join(behind[:2]) in _BOUNDS_BEHIND
    if is_bound and action.effect != "read":
        return True
    if _ENOUGH_TO.search(" ".join(words[: number.first])):
        return True
    is_by = before[-1:] == ["by"] and action.effect != "read"
    return is_by and not _is_moved(action.examples)


@lru_cache(maxsize=4096)
def _is_moved(examples: tuple[str, ...]) -> bool:
    """Tell whether somebody asks for it by how much: `raise the heat by two`."""
    return any(
        normal.tokens[number.first - 1].text == "by"
        for normal in map(normalise, examples)
        for number in numbers_in(normal)
        if number.first
    )


def held(action: Action, name: str, number: Number) -> float | None:
    """Turn `2`, said in months, into the 61 of a slot called `days`.

    None: it is of another measure than the slot, such as the weeks of what is held in kilos, or
    of one that nothing says the slot has, such as `20%` of a price.
    """
    said, own = UNITS.get(number.unit), own_unit(action, name)
    if said is None:
        return number.value
    if own is not None and own.dimension == "pounds" and number.unit.startswith("pound"):
        said = own
    if own is not None:
        is_same = said.dimension == own.dimension
        return turned(number.value, said, own) if is_same else None
    parts, slot = {*name.split("_")}, action.slots[name]
    if said.dimension == "share":
        is_of_100 = (slot.minimum, slot.maximum) == (0, 100)
        return number.value if is_of_100 or parts & _OF_SHARE else None
    if said.dimension in MONEY:
        return number.value if slot.risk == "amount" or parts & _OF_MONEY else None
    return None if number.is_glued else number.value


def own_unit(action: Action, name: str) -> Unit | None:
    """Find the unit of a slot: of its name, of the summary (`{weight} kg`), or of the examples."""
    for part in name.split("_"):
        if len(part) > 1 and part in UNITS and part not in _NO_UNITS:
            return UNITS[part]
    shown = re.search(rf"([{SIGNS}]?) ?\{{{name}\}} ?([^\W\d_]+|[{SIGNS}])?", action.summary)
    for unit in shown.groups() if shown else ():
        if unit and unit.lower() in UNITS:
            return UNITS[unit.lower()]
    numbers = [one for one, slot in action.slots.items() if slot.type in ("integer", "number")]
    return _by_examples(action.examples) if numbers == [name] else None


@lru_cache(maxsize=4096)
def _by_examples(examples: tuple[str, ...]) -> Unit | None:
    """Find the one unit that most numbers are said in; of several nobody says which it is."""
    found = [one.unit for example in examples for one in numbers_in(normalise(example))]
    units = [UNITS[unit] for unit in found if unit]
    is_usual = len(units) >= _OFTEN and 2 * len(units) >= len(found)
    return units[0] if is_usual and len(set(units)) == 1 else None
