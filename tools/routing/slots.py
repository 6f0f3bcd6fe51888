"""Fill the slots of an action from the words of a text; what cannot be read is left out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.routing.entities import Mention
from tools.routing.free_text import EDGES, Spoken, fill_texts, written
from tools.routing.names import Kind, Names
from tools.routing.numerals import days_in, numbers_in

_LONGEST_NAME = 8
_NOT = frozenset({"not", "no", "without", "non"})


@dataclass(frozen=True)
class Read:
    """What the earlier stages found, for filling slots."""

    spoken: Spoken
    mentions: Sequence[Mention]
    names: Names
    today: date | None


@dataclass(frozen=True)
class Filled:
    """The values found, in slot order, and the reasons for some that were not."""

    values: dict[str, Any]  # by slot type
    reasons: tuple[str, ...] = ()


def fill_slots(action: Action, read: Read) -> Filled:
    """Fill what the text gives: things first, then numbers and dates, then free words."""
    used: set[int] = set()
    also_text: set[int] = set()  # `add the bilge pump alarm to the handover` is about the pump
    values: dict[str, Any] = {}  # by slot type
    reasons: list[str] = []
    for name, slot in action.slots.items():
        if slot.type in PRIMITIVE_SLOT_TYPES:
            continue
        mention = _mention_for(action, slot, read, used)
        if mention is not None and mention.is_known:
            values[name] = mention.value
            used.update(range(mention.first, mention.end))
            if not slot.required and slot.type != action.container:
                also_text.update(range(mention.first, mention.end))
        elif mention is not None:
            reasons.append(f"unknown_{slot.type}:{mention.value}")
    for slot_type in ("date", "integer", "number", "boolean", "list"):
        for name, slot in action.slots.items():
            value = _plain(name, slot_type, read, used) if slot.type == slot_type else None
            if value is not None:
                values[name] = value
    values |= fill_texts(action, read.spoken, used - also_text)
    ordered = {name: values[name] for name in action.slots if name in values}
    return Filled(ordered, tuple(reasons))


def _mention_for(action: Action, slot: Slot, read: Read, used: set[int]) -> Mention | None:
    kind = Kind(action.pack, slot.type)
    spoken = read.spoken
    words = [token.text for token in spoken.normal.tokens]
    fitting = [
        mention
        for mention in read.mentions
        if mention.kind == kind
        and mention.first in spoken.kept
        and not used.intersection(range(mention.first, mention.end))
    ]

    def rank(mention: Mention) -> tuple[bool, bool, bool, int]:
        before = words[max(0, mention.first - 2) : mention.first]
        is_in_place = action.container == slot.type and bool({"to", "on", "in"} & set(before))
        is_told = spoken.content_first is not None and mention.first >= spoken.content_first
        return (is_told, not mention.is_known, not is_in_place, mention.first)

    return min(fitting, key=rank) if fitting else _named_behind(slot, read, kind)


def _named_behind(slot: Slot, read: Read, kind: Kind) -> Mention | None:
    """Read the words right behind `work order` as the name of one, if exactly one has them."""
    words = [token.text for token in read.spoken.normal.tokens]
    for thing in read.spoken.things.all:
        if thing.name != slot.type:
            continue
        end = thing.end
        stop = min(read.spoken.asked.stop, thing.end + _LONGEST_NAME)
        while end < stop and words[end] not in EDGES:
            end += 1
        found = read.names.resolve(words[thing.end : end], kind)
        if found is not None:
            return Mention(kind, found, 0.75, thing.end, end)
    return None


def _plain(name: str, slot_type: str, read: Read, used: set[int]) -> Any:  # by slot type
    match slot_type:
        case "integer" | "number":
            return _number(name, read, used, is_whole=slot_type == "integer")
        case "date":
            return _date(read, used)
        case "boolean":
            return _boolean(name, read)
    return _list(read, used)


def _number(name: str, read: Read, used: set[int], *, is_whole: bool) -> int | float | None:
    """Take the number beside the slot's own name, else the first that is part of nothing else."""
    normal = read.spoken.normal
    words = [token.text for token in normal.tokens]
    taken = {place for m in read.mentions for place in range(m.first, m.end)} | used
    taken |= {place for day in days_in(normal, None) for place in range(day.first, day.end)}
    own = set(name.split("_"))
    fitting = [
        number
        for number in numbers_in(normal)
        if number.first in read.spoken.kept and not taken & set(range(number.first, number.end))
    ]

    def is_named(place: int, end: int) -> bool:
        return bool(own & {*words[max(0, place - 1) : place], *words[end : end + 1]})

    named = [number for number in fitting if is_named(number.first, number.end)]
    fitting = named or fitting
    # "4 or 5", "40, sorry, 4", "½": which one is for the person to say.
    if len(fitting) != 1 or not fitting[0].is_sure:
        return None
    best = fitting[0]
    if is_whole and not best.value.is_integer():
        return None
    used.update(range(best.first, best.end))
    return int(best.value) if best.value.is_integer() else best.value


def _date(read: Read, used: set[int]) -> str | None:
    for day in days_in(read.spoken.normal, read.today):
        place = set(range(day.first, day.end))
        if day.first in read.spoken.kept and not place & used:
            used |= place
            return day.value
    return None


def _boolean(name: str, read: Read) -> bool | None:
    words = [token.text for token in read.spoken.normal.tokens]
    own = name.removeprefix("is_").removeprefix("has_").split("_")
    for place in range(len(words) - len(own) + 1):
        if words[place : place + len(own)] == own and place in read.spoken.kept:
            return place == 0 or words[place - 1] not in _NOT
    return None


def _list(read: Read, used: set[int]) -> list[str] | None:
    first, end = read.spoken.content_first, len(read.spoken.normal.tokens)
    if first is None:
        return None
    items = re.split(r",|;|\band\b|\n", written(read.spoken.normal, first, end))
    used.update(range(first, end))
    return [item.strip(" .") for item in items if item.strip(" .")] or None
