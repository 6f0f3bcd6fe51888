"""Read a text as the answer to a question about slots: `WO-1042`, `four`, `the gasket leaks`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.routing.named import MOST_CHOICES, Read
from tools.routing.names import Kind
from tools.routing.phrases import word_set
from tools.routing.plain import plain_value
from tools.routing.slots import Filled, fill_things

_YES = word_set("yes y yeah yep sure true")
_NO = word_set("no n nope false")
_SAYS_NOTHING = word_set("the a an it its is please on in for of to one that this i mean meant")


def fill_missing(action: Action, missing: Sequence[str], read: Read) -> Filled:
    """Fill the slots that were asked for and no other; the whole text is about them."""
    everything = range(len(read.spoken.normal.tokens))
    spoken = replace(read.spoken, asked=everything, kept=frozenset(everything), content_first=None)
    read = replace(read, spoken=spoken)
    asked = action.model_copy(update={"slots": {name: action.slots[name] for name in missing}})
    used: set[int] = set()
    things = fill_things(asked, read, used, set())
    values, choices = dict(things.values), dict(things.choices)
    for name, slot in asked.slots.items():
        if slot.type not in PRIMITIVE_SLOT_TYPES:
            if name not in values and name not in choices and name not in things.not_found:
                _by_part_of_name(name, slot, Kind(action.pack, slot.type), read, values, choices)
            continue
        value = _value(name, slot, read, used)
        if value is not None:
            values[name] = value
    return Filled(values, choices, things.not_found, things.reasons)


def _by_part_of_name(
    name: str,
    slot: Slot,
    kind: Kind,
    read: Read,
    values: dict[str, Any],  # by slot type
    choices: dict[str, tuple[str, ...]],
) -> None:
    """Take `1042` for the only id with that number, `seal change` for the only name with it."""
    words = [token.text for token in read.spoken.normal.tokens]
    telling = [word for word in words if word not in _SAYS_NOTHING]
    if len(telling) == 1 and telling[0].isdigit():
        ids = (read.names.of(kind).canonical or {}).values()
        found = {one for one in ids if "".join(filter(str.isdigit, one)) == telling[0]}
    else:
        found = read.names.of(kind).resolve_all(telling)
    if len(found) == 1:
        (value,) = found
        values[name] = [value] if slot.many else value
    elif found:
        choices[name] = tuple(sorted(found)[:MOST_CHOICES])


def _value(name: str, slot: Slot, read: Read, used: set[int]) -> Any:  # by slot type
    text = read.spoken.normal.original.strip()
    words = {token.text for token in read.spoken.normal.tokens}
    match slot.type:
        case "json":
            return None
        case "text" if slot.choices:
            return plain_value(name, slot, read, used)
        case "boolean" if words & (_YES | _NO):
            return None if words & _YES and words & _NO else bool(words & _YES)
        case "list":
            return _items(text)
        case "text":
            return _items(text) if slot.many else text
    return plain_value(name, slot, read, used)


def _items(text: str) -> list[str]:
    parts = text.replace(" and ", ",").replace(";", ",").replace("\n", ",").split(",")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
