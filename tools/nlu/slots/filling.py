"""Fill the slots of an action from a text; what cannot be read for sure is left empty.

What the grammar leaves empty is filled with a value that the reader tags, where it can be one thing
alone: a single day for the only date slot, a single number for the only number slot.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.nlu.dialogue_acts.negation import denied_from, takes_denied
from tools.nlu.entities.names import PackEntityType
from tools.nlu.entities.recognition import Mention
from tools.nlu.lexicon.normalization import Match, Phrases, word_set, words_of
from tools.nlu.reader.reading import Reading
from tools.nlu.slots.date_slots import (
    day_it_lasts_to,
    ends_of_time,
    side_of_span,
    taken_days,
    taken_period,
)
from tools.nlu.slots.entity_slots import MOST_CHOICES, match_entity, runs_in
from tools.nlu.slots.free_text import SlotContext, fill_texts, text_parts_of, written
from tools.nlu.slots.number_slots import number_of, own_unit, without_counts
from tools.nlu.values.date_offsets import (
    DateDirection,
    date_direction_of,
    direction_of,
    leaning_of,
    offsets_in,
)
from tools.nlu.values.engine import extract_kinds
from tools.nlu.values.model import Kind
from tools.nlu.values.views import date_spans_in, places_of

_NOT = frozenset({"not", "no", "without", "non"})


def plain_value(
    action: Action, name: str, read: SlotContext, used: set[int]
) -> Any:  # by slot type
    """Read a number, a date, a yes or no, or a list from the words that are not used yet."""
    slot = action.slots[name]
    if slot.choices:
        return _choice(name, slot, read, used)
    match slot.type:
        case "integer" | "number":
            return number_of(action, name, read, used)
        case "date":
            return _date(action, name, read, used)
        case "shift":
            return _shift(action, read, used)
        case "boolean":
            return _boolean(name, read)
    return _told_list(read, used)


def _choice(name: str, slot: Slot, read: SlotContext, used: set[int]) -> str | list[str] | None:
    """Take the one of the slot's choices that is said; of several none, unless it holds many."""
    words = read.spoken.normal.words
    said = Phrases[str]()
    for choice in slot.choices:
        said.add(words_of(choice), choice)
        said.add(words_of(f"un{choice}"), choice)  # `unread`: denied in one word
    found = said.find(words, lambda place: place in read.spoken.kept and place not in used)
    found = [one for one in found if _is_denied(one, read) == takes_denied(name)]
    values = list(dict.fromkeys(match.payloads[0] for match in found))
    if not values or (len(values) > 1 and not slot.many):
        return None
    used.update(place for match in found for place in range(match.first, match.end))
    return values if slot.many else values[0]


def _is_denied(match: Match[str], read: SlotContext) -> bool:
    token = read.spoken.normal.tokens[match.first]
    is_un = token.text == f"un{words_of(match.payloads[0])[0]}"
    return is_un or denied_from(read.spoken.normal.text, token.start) is not None


def _date(action: Action, name: str, read: SlotContext, used: set[int]) -> str | list[str] | None:
    taken = taken_days(action, name, read, used)
    if not taken.values:
        return None
    used |= taken.places
    return list(taken.values) if action.slots[name].many else taken.values[0]


def day_gone_by(action: Action, name: str, read: SlotContext, used: set[int]) -> str | None:
    """Find what was said of the day of a slot and tells none that it can be.

    `Due last Friday`, `due tomorrow or Friday` and `on next Friday` are asked about, not dropped;
    in `it failed last Friday` the day is of something else.
    """
    taken = taken_days(action, name, read, used)
    if taken.asked is not None:
        used |= taken.places
    return taken.asked


def _shift(action: Action, read: SlotContext, used: set[int]) -> str | None:
    """Take the one move that is said; two are for the person to choose from."""
    found = [
        one
        for one in offsets_in(read.spoken.normal, direction_of(action))
        if one.first in read.spoken.kept and used.isdisjoint(range(one.first, one.end))
    ]
    if len(found) != 1:
        return None
    used.update(range(found[0].first, found[0].end))
    return found[0].value


def _boolean(name: str, read: SlotContext) -> bool | None:
    words = read.spoken.normal.words
    own = name.removeprefix("is_").removeprefix("has_").split("_")
    for place in range(len(words) - len(own) + 1):
        if words[place : place + len(own)] == own and place in read.spoken.kept:
            return place == 0 or words[place - 1] not in _NOT
    return None


def _told_list(read: SlotContext, used: set[int]) -> list[str] | None:
    """Part what is told behind a colon; what no colon brings is for the free words to find."""
    first, end = read.spoken.content_first, len(read.spoken.normal.tokens)
    if first is None:
        return None
    items = text_parts_of(written(read.spoken.normal, first, end))
    used.update(range(first, end))
    return items or None


_CHOSEN = "chosen"
_IN_TURN = (_CHOSEN, "shift", "date", "integer", "number", "boolean", "list")
"""What a slot can only be one of is looked for first: `due next week` is no day that is unread."""


@dataclass(frozen=True)
class FilledSlots:
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


def fill_slots(action: Action, read: SlotContext) -> FilledSlots:
    """Fill what the text gives: things first, then numbers and dates, then free words."""
    if not action.slots:
        return FilledSlots({})
    read = without_counts(action, read)
    used: set[int] = set()
    also_text: set[int] = set()  # `add the bilge pump alarm to the handover` is about the pump
    things = fill_entities(action, read, used, also_text)
    values = things.values
    for sort in _IN_TURN:
        if sort == "date":
            values |= {
                name: day
                for name, day in taken_period(action, read, used).items()
                if name not in values
            }
        for name, slot in action.slots.items():
            if name in values and sort == "date":
                continue
            value = plain_value(action, name, read, used) if _sort_of(slot) == sort else None
            if value is not None:
                values[name] = value
            elif sort == _sort_of(slot) == "date":
                unread = _unread_day(read, used) or day_gone_by(action, name, read, used)
                things.not_found.update({name: unread} if unread else {})
    begins, ends = ends_of_time(action)
    if ends and ends not in {*values, *things.not_found} and not _counts_time(action):
        day = day_it_lasts_to(action, read, used, values.get(begins))
        values |= {ends: day} if day else {}
    values |= fill_texts(action, read.spoken, used - also_text, also_text)
    ordered = {name: values[name] for name in action.slots if name in values}
    return replace(things, values=ordered, places=frozenset(used))


def _counts_time(action: Action) -> bool:
    """Tell whether a slot of the action may hold how long something lasts itself."""
    units = (own_unit(action, name) for name, one in action.slots.items() if one.type in _NUMBERS)
    is_shifted = any(slot.type == "shift" for slot in action.slots.values())
    return is_shifted or any(unit is not None and unit.dimension == "time" for unit in units)


def _sort_of(slot: Slot) -> str:
    return _CHOSEN if slot.type == "text" and slot.choices else slot.type


def _unread_day(read: SlotContext, used: set[int]) -> str | None:
    """Find a day that was said and cannot be told: it must not become another one, or a number."""
    words = read.spoken.normal.words
    for day in date_spans_in(read.spoken.normal, None):
        places = set(range(day.first, day.end))
        if day.value is None and day.first in read.spoken.kept and not places & used:
            used |= places
            return " ".join(words[day.first : day.end])
    return None


def fill_entities(
    action: Action, read: SlotContext, used: set[int], also_text: set[int]
) -> FilledSlots:
    """Fill the slots of things, noting the words they take in `used` and `also_text`."""
    values: dict[str, Any] = {}  # by slot type
    choices: dict[str, tuple[str, ...]] = {}
    not_found: dict[str, str] = {}
    reasons: list[str] = []
    found: list[Mention] = []
    for name, slot in action.slots.items():
        if slot.type in PRIMITIVE_SLOT_TYPES:
            continue
        named = match_entity(action, name, read, used)
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
    return FilledSlots(values, choices, not_found, tuple(reasons), tuple(found))


_NOT_MEANT = frozenset("cxnsr")
"""Tags of what a value is not for: a condition, an exception, not meant, superseded, a reason."""
_EXCEPTED = "x"
_NUMBERS = ("integer", "number")
_DAYS = frozenset({Kind.DATE})
_THIS_PART = "this_part"
"""The rule of `this evening`, which is of today."""


def with_read_values(
    action: Action, filled: FilledSlots, heard: SlotContext, read: Reading
) -> FilledSlots:
    """Give the slots with the only day and the only number that are left, where they are meant."""
    filled = _without_exceptions(action, filled, heard, read)
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


_EVERY = word_set("all every everything everyone everybody each whatever")


def _without_exceptions(
    action: Action, filled: FilledSlots, heard: SlotContext, read: Reading
) -> FilledSlots:
    """Leave out of the things of a slot what is excepted: `all of B1 to B4 except B3`."""
    words, kept = heard.spoken.normal.words, heard.spoken.kept
    every = frozenset(place for place in kept if words[place] in _EVERY)
    for name, slot in action.slots.items():
        if not slot.many or slot.type in PRIMITIVE_SLOT_TYPES:
            continue
        kind = PackEntityType(action.pack, slot.type)
        own = [one for one in heard.mentions if one.kind == kind and one.is_known]
        out = [one for one in own if _EXCEPTED in read.tags[one.first : one.end]]
        out = out or [one for one in own if every and one.first not in kept]
        less = {one.value for one in out}
        less.update(*(things for _places, things in runs_in(kind, out, heard)))
        known = heard.names.of(kind).in_order if every else ()
        said = [one for one in filled.values.get(name, ()) if one not in less]
        left = said or [one for one in known if one not in less]
        if less and left and len(left) <= MOST_CHOICES:
            values = {**filled.values, name: left}
            ordered = {name: values[name] for name in action.slots if name in values}
            span = range(min(one.first for one in out), max(one.end for one in out))
            places = filled.places | every.union(span)
            filled = replace(filled, values=ordered, places=places)
        elif less and every and not left:  # all but one of what nobody can list: it is asked
            values = {key: one for key, one in filled.values.items() if key != name}
            filled = replace(filled, values=values)
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
        if filled.places & places or not _is_meant(core, read):
            continue
        is_over = toward is DateDirection.AHEAD and one.is_over
        if one.value is not None and not is_over:
            yield one.value.isoformat(), places
    if today is None:
        return
    for part in extract_kinds(normal.text, today, _DAYS):
        places = frozenset(places_of(normal, part))
        is_new = part.rule == _THIS_PART and not filled.places & places
        if is_new and _is_meant(places, read):
            yield today.isoformat(), places


def _number(
    action: Action, name: str, heard: SlotContext, read: Reading, filled: FilledSlots
) -> _Found:
    everything = range(len(heard.spoken.normal.tokens))
    spoken = heard.spoken._replace(kept=frozenset(everything), clauses=())
    heard, used = without_counts(action, replace(heard, spoken=spoken)), set(filled.places)
    value = number_of(action, name, heard, used)
    places = frozenset(used) - filled.places
    if value is not None and _is_meant(places, read):
        yield value, places


def _is_meant(places: Set[int], read: Reading) -> bool:
    return all(read.tags[at] not in _NOT_MEANT for at in places if at < len(read.tags))
