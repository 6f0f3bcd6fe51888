"""Read an action's arguments strictly: what does not fit its slots is named, never mended."""

import json
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from state.action import Action, Slot
from state.errors import InvalidArguments
from state.noun import clean_json
from tools.shift import clean_shift

MAX_TEXT = 8_000
MAX_NAME = 200
MAX_ITEMS = 200
MAX_ITEM = 1_000
MAX_BYTES = 32_768
_EXACT = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""


def read_arguments(action: Action, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Give back plain JSON values in slot order; an optional None counts as absent.

    Raises:
        InvalidArguments: all faults: unknown or missing slot, wrong type, too large.
    """
    return _values(action, given, [f"{name} is missing" for name in missing_slots(action, given)])


def read_some(action: Action, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Read some of an action's arguments just as strictly; the others may be missing.

    Raises:
        InvalidArguments: see read_arguments.
    """
    return _values(action, given, [])


def _values(
    action: Action,
    given: Mapping[str, Any],  # by slot type
    missing: list[str],
) -> dict[str, Any]:
    faults = [f"no slot {str(name)[:60]!r}" for name in given if name not in action.slots]
    faults += missing
    values: dict[str, Any] = {}
    for name, slot in action.slots.items():
        value = given.get(name)
        if value is None or (slot.required and _is_blank(value)):
            continue
        try:
            values[name] = _read(slot, value)
        except ValueError as error:
            faults.append(f"{name} {error}")
    if not faults and len(json.dumps(values, ensure_ascii=False).encode()) > MAX_BYTES:
        faults.append(f"all together are larger than {MAX_BYTES} bytes")
    if faults:
        raise InvalidArguments(action.name, faults)
    return values


def missing_slots(action: Action, given: Mapping[str, Any]) -> tuple[str, ...]:  # by slot type
    """Name the required slots that have no value."""
    return tuple(
        name for name, slot in action.slots.items() if slot.required and _is_blank(given.get(name))
    )


def _read(slot: Slot, value: object) -> Any:  # one JSON value, or a list of them
    if slot.type == "json":
        return _json(value, slot.json_schema)
    if not slot.many:
        return _one(slot, value)
    if not isinstance(value, (list, tuple)) or len(value) > MAX_ITEMS:
        raise ValueError(f"must be a list of at most {MAX_ITEMS}")
    items = [_one(slot, item) for item in value]
    if len({json.dumps(item) for item in items}) < len(items):
        raise ValueError("names something twice")
    return items


def _one(slot: Slot, value: object) -> Any:  # one JSON value
    read = _READERS.get(slot.type, _name)(value)
    if slot.choices and read not in slot.choices:
        raise ValueError(f"must be one of {', '.join(slot.choices)}")
    if slot.minimum is not None and isinstance(read, (int, float)) and read < slot.minimum:
        raise ValueError(f"must be at least {slot.minimum:g}")
    if slot.maximum is not None and isinstance(read, (int, float)) and read > slot.maximum:
        raise ValueError(f"must be at most {slot.maximum:g}")
    return read


def _json(value: Any, schema: Mapping[str, Any] | None) -> Any:  # plain JSON, cleaned
    clean = clean_json(value)
    if schema is not None:
        # An empty registry: nothing that a schema refers to is ever fetched.
        validator = Draft202012Validator(schema, registry=Registry())
        try:
            fault = best_match(validator.iter_errors(clean))
        except (RecursionError, Unresolvable) as error:
            raise ValueError("cannot be checked: its schema refers to nowhere") from error
        if fault is not None:
            raise ValueError(f"does not fit its schema: {fault.message[:200]}")
    return clean


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value == []


def _name(value: object) -> str:
    name = _text(value, MAX_NAME)
    if not name.strip():
        raise ValueError("is empty")
    return name


def _text(value: object, limit: int = MAX_TEXT) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a text")
    if len(value) > limit:
        raise ValueError(f"is longer than {limit} characters")
    clean_json(value)
    return unicodedata.normalize("NFC", value)


def _number(value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("must be a number")
    if not abs(value) <= _EXACT:  # NaN is not, either
        raise ValueError("must be a finite number of common size")
    # 3 and 3.0 are one argument and must have one digest.
    return int(value) if float(value).is_integer() else value


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _EXACT:
        raise ValueError("must be a whole number")
    return value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _list(value: object) -> list[str]:
    if not isinstance(value, (list, tuple)) or len(value) > MAX_ITEMS:
        raise ValueError(f"must be a list of at most {MAX_ITEMS} texts")
    return [_text(item, MAX_ITEM) for item in value]


def _date(value: object) -> str:
    try:
        if isinstance(value, str) and len(value) == len("2026-02-07"):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    raise ValueError("must be a date such as 2026-02-07")


_READERS: Mapping[str, Callable[[object], Any]] = {  # one JSON value each
    "text": _text,
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "date": _date,
    "shift": clean_shift,
    "list": _list,
}
