"""Which of the numbers that a text says is the one of a slot, and how much it is in its unit."""

import re
from collections.abc import Sequence, Set
from typing import Any

from state.action import Action, Slot
from tools.routing.slots.measures import (
    COUNTED,
    MONEY,
    Number,
    Unit,
    measured,
    turned,
    window_of,
)
from tools.routing.slots.numbered import fitting_in_place
from tools.routing.slots.numerals import days_in, numbers_in, out_of
from tools.routing.slots.read import Read
from tools.routing.slots.relative import is_relative, is_set
from tools.routing.slots.slot_units import OF_MONEY, by_examples, dimensions_of, unit_in
from tools.routing.slots.superseded import without_old
from tools.routing.slots.texts.free_text import Spoken
from tools.routing.words.normalise import Normal
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
_ADDED = re.compile(r",? ?(?:plus|minus|less|no|sorry|wait|rather)\b[, ]*")
"""Between two numbers: either is a part of what is meant, or taken back."""
_EITHER = re.compile(r",|-|,? ?(?:or|to)")
_EITHER_OLD = re.compile(r",|,? ?or")
"""As `_EITHER` in a change, where `1200 to 1350` may be the old and the new one."""
_PARTED = re.compile(r"[,;.\n]")
_TIMES = frozenset({"twice", "thrice", COUNTED})
_OF_SHARE = frozenset({"percent", "percentage", "pct", "share", "rate"})
_SPANS = frozenset({"time", "nights"})
"""How long something lasts."""
_LASTING = frozenset({"for", "last", "past", "next", "within", "over", "during", "in"})
_NO_NAMES = _BEGIN | {"max", "to", "until", "of", "per", "number"}
"""In the name of a slot: what may stand beside any number."""


def number_of(action: Action, name: str, read: Read, used: set[int]) -> Any:  # a number, or a list
    """Take the number beside the slot's own name, else the only one that is part of nothing else.

    "4 or 5", "40, sorry, 4", "½": which one is for the person to say.
    """
    slot, normal = action.slots[name], read.spoken.normal
    words = normal.words
    fitting = _candidates(action, name, read, used)
    best = fitting if slot.many else _named(name, fitting, normal) or fitting
    if len(best) == 1 and _is_alternative(normal, best[0], fitting):
        return None
    window = window_of(name, words) if not best else None
    if window is not None and window.first in read.spoken.kept:
        used.update(range(window.first, window.end))
        return [window.days] if slot.many else window.days
    if not best or (len(best) > 1 and not slot.many) or not all(one.is_sure for one in best):
        return None
    if any(is_relative(action, name, one, read.spoken) for one in best):
        return None
    found = [one.value for one in best]
    if slot.type == "integer" and not all(value.is_integer() for value in found):
        return None
    used.update(place for one in best for place in range(one.first, one.end))
    values = [int(value) if value.is_integer() else value for value in found]
    return list(dict.fromkeys(values)) if slot.many else values[0]


def _candidates(action: Action, name: str, read: Read, used: set[int]) -> Sequence[Number]:
    """Find the numbers that may be the slot's, without those that it was until now."""
    slot, normal = action.slots[name], read.spoken.normal
    fitting = _fitting(action, name, read, used)
    if slot.many:
        return fitting
    if slot.maximum is not None:
        scores = [one for one in out_of(normal, slot.maximum) if used.isdisjoint((one.first,))]
        fitting = scores if len(scores) == 1 and scores[0].first in read.spoken.kept else fitting
    if _BEGIN.isdisjoint(name.split("_")) and _is_change(normal):
        new = without_old(normal, [(one.first, one.end) for one in fitting])
        fitting = [one for one in fitting if (one.first, one.end) in new]
    return fitting


def _is_change(normal: Normal) -> bool:
    return not _CHANGES.isdisjoint(normal.words)


def _named(name: str, fitting: Sequence[Number], normal: Normal) -> Sequence[Number]:
    """Find those that stand beside the slot's own name: `8 hours`, `quantity 3`."""
    own = set(name.split("_"))
    return [one for one in fitting if not own.isdisjoint(_beside(normal, one))]


def _beside(normal: Normal, number: Number) -> Set[str]:
    """Give the words of a number and at it, with no comma between: `2022, limit 50`."""
    tokens, text = normal.tokens, normal.text
    found = {token.text for token in tokens[number.first : number.end]}
    for last, first in ((number.first - 1, number.first), (number.end - 1, number.end)):
        is_inside = last >= 0 and first < len(tokens)
        if is_inside and not _PARTED.search(text, tokens[last].end, tokens[first].start):
            found |= {tokens[last].text, tokens[first].text}
    return found


def _is_alternative(normal: Normal, one: Number, fitting: Sequence[Number]) -> bool:
    """Tell whether another number stands right at it: `8 or 9 hours`, `10 hours, no, 8`."""
    either = _EITHER_OLD if _is_change(normal) else _EITHER
    tokens = normal.tokens
    for other in fitting:
        first, last = sorted((one, other), key=lambda number: number.first)
        between = normal.text[tokens[first.end - 1].end : tokens[last.first].start]
        between = between.strip().removeprefix(first.unit)
        if other.end <= one.first and not other.unit and either.fullmatch(between):
            return True
        if other is not one and _ADDED.fullmatch(between):
            return True
    return False


def _fitting(action: Action, name: str, read: Read, used: set[int]) -> Sequence[Number]:
    """Find the numbers that may be the slot's, in its unit."""
    spoken = read.spoken
    taken = {place for m in read.mentions for place in range(m.first, m.end)} | used
    taken |= {place for day in days_in(spoken.normal, None) for place in range(day.first, day.end)}
    told = frozenset() if is_set(action, name) else _told(spoken)
    words = spoken.normal.words
    fitting = []
    for number in fitting_in_place(action.slots[name], numbers_in(spoken.normal), words):
        is_free = number.first in spoken.kept and number.first not in told
        value = held(action, name, number)
        is_free = is_free and taken.isdisjoint(range(number.first, number.end))
        if not is_free or value is None or _is_span(action, name, number, spoken):
            continue
        own = number._replace(value=value)
        if not _is_of_another(action, name, own, number, spoken.normal):
            is_sure = own.is_sure and not _is_multiplied(action, own, words)
            fitting.append(own._replace(is_sure=is_sure))
    return fitting


def _is_multiplied(action: Action, number: Number, words: Sequence[str]) -> bool:
    """Tell whether `twice` or `two times` stands before it, and no slot counts times."""
    is_multiplied = not _TIMES.isdisjoint(words[: number.first][-1:])
    units = (own_unit(action, one) for one in _numbers(action))
    counts = (unit is not None and unit.dimension.startswith(COUNTED) for unit in units)
    return is_multiplied and not any(counts)


def _is_of_another(action: Action, name: str, own: Number, said: Number, normal: Normal) -> bool:
    """Tell whether another number slot takes it: by its unit, its name, or the value's bounds.

    Args:
        own: the number in the unit of the slot.
        said: as it is said.
    """
    is_measured = said.unit != "" and own_unit(action, name) is None
    beside = _beside(normal, said) - _NO_NAMES
    is_named = not beside.isdisjoint(name.split("_"))
    for other in _numbers(action):
        value = held(action, other, said) if other != name else None
        if value is None:
            continue
        if is_measured and own_unit(action, other) is not None:
            return True
        is_taken = _takes(action.slots[other], value) and not _takes(action.slots[name], own.value)
        is_others = not beside.isdisjoint(other.split("_"))  # `100 citations` are no `limit`
        if not is_named and (is_others or is_taken):
            return True
    return False


def _numbers(action: Action) -> Sequence[str]:
    return [name for name, slot in action.slots.items() if slot.type in ("integer", "number")]


def _takes(slot: Slot, value: float) -> bool:
    is_low = slot.minimum is not None and value < slot.minimum
    is_high = slot.maximum is not None and value > slot.maximum
    return not is_low and not is_high and (slot.type != "integer" or value.is_integer())


def _is_span(action: Action, name: str, number: Number, spoken: Spoken) -> bool:
    """Tell how long something lasts from how many there are: `for 3 nights` are no persons."""
    said = measured(number.unit)
    if said is None or said.dimension not in _SPANS or own_unit(action, name) is not None:
        return False
    if _numbers(action) == [name] and said.dimension in dimensions_of(action.examples):
        return False
    last = name.rsplit("_", maxsplit=1)[-1]
    is_count = last.endswith("s") and not last.endswith("ss")
    before = spoken.normal.tokens[number.first - 1].text if number.first else ""
    return is_count or (before in _LASTING and f"{before} {{{name}}}" not in action.summary)


def _told(spoken: Spoken) -> frozenset[int]:
    """Find the clauses beside the order that tell something: `order some, we only have 3 left`."""
    words = spoken.normal.words
    return frozenset(
        place
        for clause in spoken.clauses
        if clause.start not in spoken.asked
        if not _COUNTED_NOW.isdisjoint(words[clause.start : clause.stop])
        for place in clause
    )


def held(action: Action, name: str, number: Number) -> float | None:
    """Turn `2`, said in months, into the 61 of a slot called `days`.

    None: it is of another measure than the slot, such as the weeks of what is held in kilos, or
    of one that nothing says the slot has, such as `20%` of a price.
    """
    said, own = measured(number.unit), own_unit(action, name)
    if said is None:
        return number.value
    if own is not None and own.dimension == "pounds" and number.unit.startswith("pound"):
        said = own
    if own is not None and own.dimension.startswith(COUNTED):
        is_same = said == own or COUNTED in (own.dimension, said.dimension)
        return number.value if is_same and said.dimension.startswith(COUNTED) else None
    if own is not None:
        is_same = said.dimension == own.dimension
        return turned(number.value, said, own) if is_same else None
    parts, slot = {*name.split("_")}, action.slots[name]
    if said.dimension == "share":
        is_of_100 = (slot.minimum, slot.maximum) == (0, 100)
        return number.value if is_of_100 or parts & _OF_SHARE else None
    if said.dimension in MONEY:
        return number.value if slot.risk == "amount" or parts & OF_MONEY else None
    return None if number.is_glued else number.value


def own_unit(action: Action, name: str) -> Unit | None:
    """Find the unit of a slot: of its name, of the summary (`{weight} kg`), or of the examples."""
    found = unit_in(name, action.summary, action.slots[name].description)
    if found is None and _numbers(action) == [name]:
        return by_examples(action.examples)
    return found
