"""Choose which number of a text fills a number slot, and convert it to the unit of the slot."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from state.action import Action, Slot
from tools.nlu.entities.names import PackEntityType
from tools.nlu.entities.recognition import SAYS_NUMBER, Mention, is_said_as_number, stands_right_at
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Normal, normalise, singular, word_set, words_of
from tools.nlu.slots.free_text import SlotContext, TextParts
from tools.nlu.slots.value_changes import is_relative, is_set, without_corrected
from tools.nlu.values.date_offsets import ORDINALS
from tools.nlu.values.numbers import numbers_in, out_of
from tools.nlu.values.units import (
    CENTS,
    COUNTED,
    MONEY,
    SIGNS,
    UNITS,
    Number,
    Unit,
    converted,
    measured,
    rhythm_at,
    window_of,
)
from tools.nlu.values.views import date_spans_in

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


_WRITTEN = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")


def fitting_in_place(
    slot: Slot, numbers: Iterable[Number], words: Sequence[str]
) -> Iterator[Number]:
    """Give the numbers that stand where the slot wants them; most take them from anywhere."""
    yield from (one for one in numbers if not slot.behind or _is_behind(slot, one, words))
    if slot.behind:
        yield from _ordinals_before(slot, words)


def _is_behind(slot: Slot, number: Number, words: Sequence[str]) -> bool:
    place = number.first - 1
    while place >= 0 and words[place] in SAYS_NUMBER:  # `page number 2`
        place -= 1
    return place >= 0 and words[place] in slot.behind


def _ordinals_before(slot: Slot, words: Sequence[str]) -> Iterator[Number]:
    for place, (word, noun) in enumerate(pairwise(words)):
        written = _WRITTEN.fullmatch(word)
        number = int(written[1]) if written else ORDINALS.get(word)
        if noun in slot.behind and number is not None:
            yield Number(float(number), place, place + 1)


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


def number_of(
    action: Action, name: str, read: SlotContext, used: set[int]
) -> Any:  # a number, or a list
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


def _candidates(action: Action, name: str, read: SlotContext, used: set[int]) -> Sequence[Number]:
    """Find the numbers that may be the slot's, without those that it was until now."""
    slot, normal = action.slots[name], read.spoken.normal
    fitting = _fitting(action, name, read, used)
    if slot.many:
        return fitting
    if slot.maximum is not None:
        scores = [one for one in out_of(normal, slot.maximum) if used.isdisjoint((one.first,))]
        fitting = scores if len(scores) == 1 and scores[0].first in read.spoken.kept else fitting
    is_set_anew = _is_change(normal) or is_set(action, name)
    if _BEGIN.isdisjoint(name.split("_")) and is_set_anew:
        new = without_corrected(normal, [(one.first, one.end) for one in fitting])
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


def _fitting(action: Action, name: str, read: SlotContext, used: set[int]) -> Sequence[Number]:
    """Find the numbers that may be the slot's, in its unit."""
    spoken = read.spoken
    taken = {place for m in read.mentions for place in range(m.first, m.end)} | used
    taken |= {place for day in date_spans_in(spoken.normal, None) if day.value is not None
              for place in range(day.first, day.end)}  # fmt: skip
    told = frozenset() if is_set(action, name) else _told(spoken)
    words = spoken.normal.words
    fitting = []
    numbers = numbers_in(spoken.normal, of_money=is_of_money(action, name))
    for number in fitting_in_place(action.slots[name], numbers, words):
        is_free = number.first in spoken.kept and number.first not in told
        value = value_in_unit(action, name, number)
        is_free = is_free and taken.isdisjoint(range(number.first, number.end))
        if not is_free or value is None or _is_span(action, name, number, spoken):
            continue
        own = number._replace(value=value)
        if not _is_of_another(action, name, own, number, spoken.normal):
            is_sure = own.is_sure and not _is_multiplied(action, own, words)
            is_sure = is_sure and not _is_rate(action, name, own, words)
            fitting.append(own._replace(is_sure=is_sure))
    return fitting


def _is_multiplied(action: Action, number: Number, words: Sequence[str]) -> bool:
    """Tell whether `twice` or `two times` stands before it, and no slot counts times."""
    is_multiplied = not _TIMES.isdisjoint(words[: number.first][-1:])
    units = (own_unit(action, one) for one in _numbers(action))
    counts = (unit is not None and unit.dimension.startswith(COUNTED) for unit in units)
    return is_multiplied and not any(counts)


def _is_rate(action: Action, name: str, number: Number, words: Sequence[str]) -> bool:
    """Tell `5 g per fish`, whose whole amount nobody said; a price is set so."""
    end = number.end + (words[number.end : number.end + 1] == [number.unit])
    each = words[end : end + 2]
    is_rate = each[:1] == ["per"] and each[1:] != [] and each[1] not in UNITS and each[1].isalpha()
    is_price = is_of_money(action, name) and is_set(action, name)
    return is_rate and each[1] != "cent" and not is_price and "per" not in words_of(action.summary)


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
        value = value_in_unit(action, other, said) if other != name else None
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


def _is_span(action: Action, name: str, number: Number, spoken: TextParts) -> bool:
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


def _told(spoken: TextParts) -> frozenset[int]:
    """Find the clauses beside the order that tell something: `order some, we only have 3 left`."""
    words = spoken.normal.words
    return frozenset(
        place
        for clause in spoken.clauses
        if clause.start not in spoken.asked
        if not _COUNTED_NOW.isdisjoint(words[clause.start : clause.stop])
        for place in clause
    )


def value_in_unit(action: Action, name: str, number: Number) -> float | None:
    """Turn `2`, said in months, into the 61 of a slot called `days`.

    None: it is of another measure than the slot, such as the weeks of what is held in kilos, or
    of one that nothing says the slot has, such as `20%` of a price.
    """
    said, own = measured(number.unit), own_unit(action, name)
    if said is None:
        return number.value
    if own is not None and own.dimension == "pounds" and number.unit.startswith("pound"):
        said = own
    if own is not None and CENTS in (said.dimension, own.dimension) and own.dimension in MONEY:
        return converted(number.value, said, own) if said.dimension in MONEY else None
    if own is not None and own.dimension.startswith(COUNTED):
        is_same = said == own or COUNTED in (own.dimension, said.dimension)
        return number.value if is_same and said.dimension.startswith(COUNTED) else None
    if own is not None:
        is_same = said.dimension == own.dimension
        return converted(number.value, said, own) if is_same else None
    parts, slot = {*name.split("_")}, action.slots[name]
    if said.dimension == "share":
        is_of_100 = (slot.minimum, slot.maximum) == (0, 100)
        return number.value if is_of_100 or parts & _OF_SHARE else None
    if said.dimension in MONEY:
        return number.value * said.factor if is_of_money(action, name) else None
    return None if number.is_glued else number.value


def is_of_money(action: Action, name: str) -> bool:
    """Tell whether a slot holds an amount of money, by its unit, its name or its risk."""
    own = own_unit(action, name)
    if own is not None:
        return own.dimension in MONEY
    return action.slots[name].risk == "amount" or not OF_MONEY.isdisjoint(name.split("_"))


def own_unit(action: Action, name: str) -> Unit | None:
    """Find the unit of a slot: of its name, of the summary (`{weight} kg`), or of the examples."""
    found = unit_in(name, action.summary, action.slots[name].description)
    if found is None and _numbers(action) == [name]:
        return by_examples(action.examples)
    return found


def without_counts(action: Action, read: SlotContext) -> SlotContext:
    """Let a bare number be how many, and name nothing, where an action needs to know that.

    It does where it takes no thing of that kind, `set the stock to 1042`, or where what is counted
    stands behind the only number: `order 1042 gaskets`, but not `order 4 gaskets for 1042`.
    """
    if not any(slot.type in ("integer", "number") for slot in action.slots.values()):
        return read
    counts = [one for one in read.mentions if _is_bare(one, read) and _is_count(action, one, read)]
    if not counts:
        return read
    return replace(read, mentions=tuple(one for one in read.mentions if one not in counts))


def _is_bare(mention: Mention, read: SlotContext) -> bool:
    normal = read.spoken.normal
    is_number = mention.end - mention.first == 1 and normal.tokens[mention.first].text.isdigit()
    return is_number and not is_said_as_number(normal, mention.first)


def _is_count(action: Action, mention: Mention, read: SlotContext) -> bool:
    kinds = {PackEntityType(action.pack, slot.type) for slot in action.slots.values()}
    if mention.kind not in kinds:
        return True
    normal = read.spoken.normal
    if any(one.first != mention.first for one in numbers_in(normal)):
        return False
    if mention.end >= len(normal.tokens) or not stands_right_at(normal, mention.end):
        return False
    word = normal.tokens[mention.end].text
    is_plural = singular(word) != word and word not in FUNCTION_WORDS
    own = PackEntityType(action.pack, action.object)
    return is_plural or any(one.first == mention.end and one.kind == own for one in read.mentions)
