"""Read an action's arguments strictly, parse typed values, and render the action for people.

What does not fit a slot is an error, never corrected. Summaries are templates filled by code in
which no character can hide.
"""

import hashlib
import json
import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from state.action import Action, Slot
from state.errors import BadInput, InvalidArguments
from state.noun import clean_json
from tools.platform.clock import clean_shift
from tools.platform.redaction import masked
from tools.platform.unicode_safety import show_hidden

_SAID: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}
_DESCRIBED: Mapping[str, str] = {
    "integer": "whole number",
    "boolean": "true or false",
    "date": "date such as 2026-02-07",
    "list": "list of texts",
    "json": "JSON as a text",
}


def parse_slot_values(action: Action, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
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
            raise BadInput(
                f"{action.name} has no argument {name}; it has {', '.join(action.slots)}"
            )
        said = value.strip() or None if isinstance(value, str) else value
        values[name] = None if said is None else _value(name, slot, said)
    return values


def describe_slots(action: Action) -> str:
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
        return _parse_one(name, slot, value)
    return [_parse_one(name, slot, part) for part in _parts(value)]


def _parts(value: Any) -> list[Any]:  # JSON values
    if not isinstance(value, str):
        return value if isinstance(value, list) else [value]
    if value.startswith("["):
        try:
            return list(json.loads(value))
        except ValueError:
            pass  # a text that begins so
    return [part.strip() for part in value.split(",") if part.strip()]


def _parse_one(name: str, slot: Slot, value: Any) -> Any:  # by slot type
    try:
        if slot.type == "json":
            return json.loads(value) if isinstance(value, str) else value
        if isinstance(value, list):
            [value] = value
        match slot.type:
            case "integer":
                return _whole(value)
            case "number":
                return value if _is_number(value) else float(_parse_text(value))
            case "boolean":
                return value if isinstance(value, bool) else _SAID[value.lower()]
            case _:
                return _parse_text(value)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        told = f"{name} takes a value of type {slot.type}, not {str(value)[:60]!r}"
        raise BadInput(told) from error


def _whole(value: Any) -> int:  # a JSON value
    if _is_number(value) and value == int(value):
        return int(value)
    if isinstance(value, str):
        return int(value)
    raise TypeError(type(value).__name__)


def _parse_text(value: Any) -> str:  # a JSON value
    if isinstance(value, str):
        return value
    if _is_number(value):
        return str(value)  # a number in a text, such as an id that is all digits
    raise TypeError(type(value).__name__)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


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
    faults = [f"no argument {str(name)[:60]!r}" for name in given if name not in action.slots]
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


MAX_SHOWN = 300
_MOST_LISTED = 4
_HEAD, _TAIL = 200, 60
_NUMBERS = ("integer", "number")
_LEADS = (
    r"(?:to|for|from|on|at|in|of|by|with|due|x|until|till|before|after|since|as|than|per|via|into"
    r"|onto|about|between|except|without)"
)
_DANGLING = re.compile(rf"(?:\s*[:;,(]|\s+{_LEADS})*\s*$")
"""What leads up to a value and says nothing without it."""
_UNIT = re.compile(
    r"\s*(?:%|percent|degrees|seconds|minutes|euros?|dollars?|pounds|francs)(?!\w)(?:\s+of(?!\w))?"
)
"""What a number is counted in, behind it: `{amount} euros of order {order}`."""


def render_summary(action: Action, arguments: Mapping[str, Any]) -> str:  # by slot type
    """Fill an action's template; an absent optional slot leaves nothing behind.

    The words that only lead to its value go with it, and behind a number the unit. An agent's own
    tool whose template names no slot is shown with its arguments: its name alone says nothing.
    """
    shown, is_behind_number = "", False
    named = False
    for written, name, _, _ in string.Formatter().parse(action.summary):
        named |= name is not None
        unit = _UNIT.match(written) if is_behind_number else None
        literal = written[unit.end() :] if unit is not None else written
        value = arguments.get(name) if name is not None else None
        if name is not None and value is not None and action.is_secret(name):
            value = masked(value)
        if name is None or value is not None:
            shown += literal + _shown(value)
        else:
            shown += _DANGLING.sub("", literal)
        slot = action.slots.get(name or "")
        is_behind_number = value is None and slot is not None and slot.type in _NUMBERS
    if action.permit is not None and not named and (given := _listed(action, arguments)):
        shown = f"{shown.strip()}: {given}"
    return shown.strip()


def _listed(action: Action, arguments: Mapping[str, Any]) -> str:  # by slot type
    """Name the first arguments, of a single object its members: `command "rm -rf build"`."""
    told = {
        name: masked(value) if action.is_secret(name) else value
        for name, value in arguments.items()
        if value is not None
    }
    if len(told) == 1 and isinstance(only := next(iter(told.values())), Mapping):
        told = dict(only)
    parts = [f"{show_hidden(name)} {_quoted(value)}" for name, value in told.items()]
    rest = len(parts) - _MOST_LISTED
    return ", ".join(parts[:_MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def _quoted(value: Any) -> str:  # one JSON value of an argument
    return _shortened(show_hidden(json.dumps(value, ensure_ascii=False)))


def _shown(value: Any) -> str:  # one JSON value of an argument
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _shortened(", ".join(show_hidden(str(item)) for item in value))
    return _shortened(show_hidden(str(value)))


def _shortened(text: str) -> str:
    """Show a long text by head, tail, length and hash, so that no two look alike."""
    if len(text) <= MAX_SHOWN:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[:_HEAD]} … {text[-_TAIL:]} ({len(text)} characters, sha256 {digest})"
