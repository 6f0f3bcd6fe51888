"""Fill the slots of an action from the words of a text; what cannot be read is left out."""

from dataclasses import dataclass, field, replace
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.routing.slots.how_many import without_counts
from tools.routing.slots.named import named_by
from tools.routing.slots.numerals import unread_days_in
from tools.routing.slots.plain import day_gone_by, plain_value
from tools.routing.slots.read import Read
from tools.routing.slots.texts.free_text import fill_texts
from tools.routing.things.entities import Mention

_CHOSEN = "chosen"
_IN_TURN = (_CHOSEN, "shift", "date", "integer", "number", "boolean", "list")
"""What a slot can only be one of is looked for first: `due next week` is no day that is unread."""


@dataclass(frozen=True)
class Filled:
    """The values found, in slot order, and what stands in the way of the others."""

    values: dict[str, Any]  # by slot type
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Slot → the several things that its words may name."""
    not_found: dict[str, str] = field(default_factory=dict)
    """Slot → a name that nothing has."""
    reasons: tuple[str, ...] = ()
    found: tuple[Mention, ...] = ()
    """Things that only the need of them made out: by a part of their names."""
    places: frozenset[int] = frozenset()
    """Words that the values are read from; those of free words not among them."""


def fill_slots(action: Action, read: Read) -> Filled:
    """Fill what the text gives: things first, then numbers and dates, then free words."""
    if not action.slots:
        return Filled({})
    read = without_counts(action, read)
    used: set[int] = set()
    also_text: set[int] = set()  # `add the bilge pump alarm to the handover` is about the pump
    things = fill_things(action, read, used, also_text)
    values = things.values
    for sort in _IN_TURN:
        for name, slot in action.slots.items():
            value = plain_value(action, name, read, used) if _sort_of(slot) == sort else None
            if value is not None:
                values[name] = value
            elif sort == _sort_of(slot) == "date":
                unread = _unread_day(read, used) or day_gone_by(action, name, read, used)
                things.not_found.update({name: unread} if unread else {})
    values |= fill_texts(action, read.spoken, used - also_text, also_text)
    ordered = {name: values[name] for name in action.slots if name in values}
    return replace(things, values=ordered, places=frozenset(used))


def _sort_of(slot: Slot) -> str:
    return _CHOSEN if slot.type == "text" and slot.choices else slot.type


def _unread_day(read: Read, used: set[int]) -> str | None:
    """Find a day that was said and cannot be told: it must not become another one, or a number."""
    for day in unread_days_in(read.spoken.normal):
        places = set(range(day.first, day.end))
        if day.first in read.spoken.kept and not places & used:
            used |= places
            return day.value
    return None


def fill_things(action: Action, read: Read, used: set[int], also_text: set[int]) -> Filled:
    """Fill the slots of things, noting the words they take in `used` and `also_text`."""
    values: dict[str, Any] = {}  # by slot type
    choices: dict[str, tuple[str, ...]] = {}
    not_found: dict[str, str] = {}
    reasons: list[str] = []
    found: list[Mention] = []
    for name, slot in action.slots.items():
        if slot.type in PRIMITIVE_SLOT_TYPES:
            continue
        named = named_by(action, name, read, used)
        found += named.found
        if named.unclear is not None:
            reasons.append(f"unknown_{slot.type}:{named.unclear.value}")
        if len(named.choices) > 1:
            choices[name] = named.choices
        elif named.unclear is not None and named.is_missed:
            not_found[name] = named.unclear.value
        if named.values:
            values[name] = list(named.values) if slot.many else named.values[0]
            used.update(named.places)
            if not slot.required and slot.type != action.container:
                also_text.update(named.places)
    return Filled(values, choices, not_found, tuple(reasons), tuple(found))
