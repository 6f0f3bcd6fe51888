"""Write an action's arguments as JSON Schema, for agents and for MCP clients."""

from collections.abc import Mapping
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action, Slot
from tools.catalog.arguments import MAX_ITEM, MAX_ITEMS, MAX_NAME, MAX_TEXT
from tools.catalog.pack_schema import EntityType

JsonSchema = dict[str, Any]
MOST_NAMES = 100
"""Things of a kind that are listed; where a pack knows more, any name is let through."""

_PRIMITIVES: Mapping[str, JsonSchema] = {
    "text": {"type": "string", "maxLength": MAX_TEXT},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "shift": {"type": "string", "maxLength": MAX_NAME},
    "list": {
        "type": "array",
        "items": {"type": "string", "maxLength": MAX_ITEM},
        "maxItems": MAX_ITEMS,
    },
}


def argument_schema(action: Action, kinds: Mapping[str, EntityType]) -> JsonSchema:
    """Return the schema of an action's arguments, draft 2020-12; nothing else is accepted.

    What it accepts is read strictly once more: a name that fits may be nobody's.

    Args:
        kinds: the entity types of the action's pack.
    """
    return {
        "type": "object",
        "properties": {name: _slot(slot, kinds) for name, slot in action.slots.items()},
        "required": [name for name, slot in action.slots.items() if slot.required],
        "additionalProperties": False,
    }


def _slot(slot: Slot, kinds: Mapping[str, EntityType]) -> JsonSchema:
    drawn = _one(slot, kinds)
    if slot.many and slot.type != "json":
        drawn = {"type": "array", "items": drawn, "maxItems": MAX_ITEMS, "uniqueItems": True}
    told = slot.description or _described(slot)
    return {**drawn, "description": told} if told else drawn


def _one(slot: Slot, kinds: Mapping[str, EntityType]) -> JsonSchema:
    if slot.type == "json":
        return dict(slot.json_schema or {})
    drawn = dict(_PRIMITIVES.get(slot.type, {"type": "string", "maxLength": MAX_NAME}))
    names = _names(slot.type, kinds)
    if slot.choices or names:
        drawn["enum"] = [*(slot.choices or names)]
    if slot.minimum is not None:
        drawn["minimum"] = slot.minimum
    if slot.maximum is not None:
        drawn["maximum"] = slot.maximum
    if slot.secret:
        drawn["writeOnly"] = True
    return drawn


def _names(slot_type: str, kinds: Mapping[str, EntityType]) -> tuple[str, ...]:
    """List the canonical names of a kind that is a closed, short list."""
    kind = kinds.get(slot_type)
    if kind is None or kind.lookup or kind.patterns or len(kind.names) > MOST_NAMES:
        return ()
    return tuple(kind.names)


def _described(slot: Slot) -> str:
    if slot.type == "shift":
        return "A move of the date that is there, such as `+1 week`"
    if slot.type in PRIMITIVE_SLOT_TYPES:
        return ""
    return f"Name or id of the {slot.type.replace('_', ' ')}"
