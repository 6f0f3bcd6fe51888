"""Read what a person typed for a slot into the value its type wants."""

import json
from collections.abc import Mapping
from typing import Any

from state.action import Action, Slot
from state.errors import BadInput

_SAID: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}


def values_of(action: Action, typed: Mapping[str, str]) -> dict[str, Any]:  # by slot type
    """Read typed slots; an empty one is None, as if it had not been given.

    Raises:
        BadInput: the action has no such slot, or the text is no value of its type.
    """
    values: dict[str, Any] = {}
    for name, text in typed.items():
        slot = action.slots.get(name)
        if slot is None:
            raise BadInput(f"{action.name} has no slot {name}; it has {', '.join(action.slots)}")
        values[name] = _value(name, slot, text.strip()) if text.strip() else None
    return values


def _value(name: str, slot: Slot, text: str) -> Any:  # by slot type
    if slot.many and slot.type != "json":
        # A comma stands between values: a value with one in it goes over the API.
        return [_one(name, slot, part) for part in _parts(text)]
    return _one(name, slot, text)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _one(name: str, slot: Slot, text: str) -> Any:  # by slot type
    try:
        match slot.type:
            case "integer":
                return int(text)
            case "number":
                return float(text)
            case "boolean":
                return _SAID[text.lower()]
            case "list":
                return _parts(text)
            case "json":
                return json.loads(text)
            case _:
                return text
    except (ValueError, KeyError) as error:
        raise BadInput(f"{name} takes a value of type {slot.type}, not {text[:60]!r}") from error
