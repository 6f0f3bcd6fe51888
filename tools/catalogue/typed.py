"""Read what a person typed or a model wrote for a slot into the value its type wants."""

import json
from collections.abc import Mapping
from typing import Any

from state.action import Action, Slot
from state.errors import BadInput

_SAID: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}
_DESCRIBED: Mapping[str, str] = {
    "integer": "whole number",
    "boolean": "true or false",
    "date": "date such as 2026-02-07",
    "list": "list of texts",
    "json": "JSON as a text",
}


def values_of(action: Action, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Read slots from text or JSON values; an empty text is None, as if it had not been given.

    A list in text is JSON, or its values with commas between them; a value that holds a comma
    needs JSON. A single value for a list is a list of one.

    Raises:
        BadInput: the action has no such slot, or the value is none of its type.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        slot = action.slots.get(name)
        if slot is None:
            raise BadInput(f"{action.name} has no slot {name}; it has {', '.join(action.slots)}")
        said = value.strip() or None if isinstance(value, str) else value
        values[name] = None if said is None else _value(name, slot, said)
    return values


def described(action: Action) -> str:
    """Write an action's slots with the type of value each takes; `?` marks an optional one."""
    return ", ".join(
        f"{name}{'' if slot.required else '?'}: {_described(slot)}"
        for name, slot in action.slots.items()
    )


def _described(slot: Slot) -> str:
    kind = " or ".join(slot.choices) or _DESCRIBED.get(slot.type, slot.type.replace("_", " "))
    return f"list of {kind}" if slot.many and slot.type != "json" else kind


def _value(name: str, slot: Slot, value: Any) -> Any:  # by slot type
    if slot.type == "json" or not (slot.many or slot.type == "list"):
        return _one(name, slot, value)
    return [_one(name, slot, part) for part in _parts(value)]


def _parts(value: Any) -> list[Any]:  # JSON values
    if not isinstance(value, str):
        return value if isinstance(value, list) else [value]
    if value.startswith("["):
        try:
            return list(json.loads(value))
        except ValueError:
            pass  # a text that begins so
    return [part.strip() for part in value.split(",") if part.strip()]


def _one(name: str, slot: Slot, value: Any) -> Any:  # by slot type
    try:
        if slot.type == "json":
            return json.loads(value) if isinstance(value, str) else value
        if isinstance(value, list):
            [value] = value
        match slot.type:
            case "integer":
                return _whole(value)
            case "number":
                return value if _is_number(value) else float(_text(value))
            case "boolean":
                return value if isinstance(value, bool) else _SAID[value.lower()]
            case _:
                return _text(value)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        told = f"{name} takes a value of type {slot.type}, not {str(value)[:60]!r}"
        raise BadInput(told) from error


def _whole(value: Any) -> int:  # a JSON value
    if _is_number(value) and value == int(value):
        return int(value)
    if isinstance(value, str):
        return int(value)
    raise TypeError(type(value).__name__)


def _text(value: Any) -> str:  # a JSON value
    if isinstance(value, str):
        return value
    if _is_number(value):
        return str(value)  # a number in a text, such as an id that is all digits
    raise TypeError(type(value).__name__)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
