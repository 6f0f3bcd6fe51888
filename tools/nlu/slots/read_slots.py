"""Fill the slots that the grammar leaves empty with the values that the reader tags.

Only what can be one thing alone is filled: a single day for the only date slot that is empty, and
a single number for the only number slot.
"""

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Any

from state.action import Action
from tools.nlu.lexicon.normalization import Normal
from tools.nlu.reader.reading import Reading
from tools.nlu.slots.date_slots import side_of_span
from tools.nlu.slots.filling import FilledSlots
from tools.nlu.slots.free_text import SlotContext
from tools.nlu.slots.value_changes import is_relative
from tools.nlu.values.date_offsets import DateDirection, date_direction_of, leaning_of
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import Kind, Value
from tools.nlu.values.numbers import numbers_in
from tools.nlu.values.units import Number
from tools.nlu.values.views import date_spans_in

_OF_DAYS, _OF_NUMBERS = frozenset("ta"), frozenset("qa")
_NUMBERS = ("integer", "number")
_COUNTED, _DAYS = frozenset({Kind.NUMBER, Kind.MONEY}), frozenset({Kind.DATE})
_THIS_PART = "this_part"
"""The rule of `this evening`, which is of today."""


def with_read_values(
    action: Action, filled: FilledSlots, heard: SlotContext, read: Reading
) -> FilledSlots:
    """Give the slots with the day and the number that the reader tags as the order's own."""
    for types, find in ((("date",), _day), (_NUMBERS, _number)):
        empty = [
            name
            for name, slot in action.slots.items()
            if slot.type in types
            and not slot.many
            and name not in {*filled.values, *filled.not_found, *filled.choices}
        ]
        if len(empty) != 1:
            continue
        found = list(find(action, empty[0], heard, read, filled))
        if len({value for value, _places in found}) == 1:
            value, places = found[0]
            values = {**filled.values, empty[0]: value}
            ordered = {name: values[name] for name in action.slots if name in values}
            filled = replace(filled, values=ordered, places=filled.places | places)
    return filled


_Found = Iterator[tuple[Any, frozenset[int]]]  # a value by slot type, and the words that say it


def _day(
    action: Action, name: str, heard: SlotContext, read: Reading, filled: FilledSlots
) -> _Found:
    if side_of_span(action, name) is not None:
        return
    normal, today = heard.spoken.normal, heard.today
    toward = date_direction_of(action, name)
    leaning = leaning_of(action, name) if action.effect == "read" else None
    for one in date_spans_in(normal, today, toward, leaning):
        places = frozenset(range(one.first, one.end))
        core = frozenset(range(one.core, one.end))
        if filled.places & places or not _is_tagged(core, read, _OF_DAYS):
            continue
        is_over = toward is DateDirection.AHEAD and one.is_over
        if one.value is not None and not is_over:
            yield one.value.isoformat(), places
    if today is None:
        return
    for part in extract_kinds(normal.text, today, _DAYS):
        places = _words_of(part, normal)
        is_new = part.rule == _THIS_PART and not filled.places & places
        if is_new and _is_tagged(places, read, _OF_DAYS):
            yield today.isoformat(), places


def _number(
    action: Action, name: str, heard: SlotContext, read: Reading, filled: FilledSlots
) -> _Found:
    normal = heard.spoken.normal
    known = {at for one in numbers_in(normal) for at in range(one.first, one.end)}
    for one in extract_kinds(normal.text, heard.today or ANY_DAY, _COUNTED):
        places = _words_of(one, normal)
        if (filled.places | known) & places or not _is_tagged(places, read, _OF_NUMBERS):
            continue  # what the grammar reads and does not take is no number of the slot
        number = float(one.payload.value)
        said = Number(number, min(places, default=0), max(places, default=-1) + 1)
        if is_relative(action, name, said, heard.spoken):
            continue
        if number.is_integer():
            yield int(number), places
        elif action.slots[name].type == "number":
            yield number, places


def _words_of(value: Value, normal: Normal) -> frozenset[int]:
    tokens = enumerate(normal.tokens)
    return frozenset(at for at, one in tokens if one.start < value.end and value.start < one.end)


def _is_tagged(places: Set[int], read: Reading, letters: frozenset[str]) -> bool:
    return bool(places) and all(read.tags[at] in letters for at in places if at < len(read.tags))
