"""Read JSON in which every reader sees the same: no duplicate keys, no NaN, no odd text."""

import json
from typing import NoReturn

from pydantic import JsonValue

from state.errors import BadInput
from state.noun import clean_json

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1
"""Largest integer every JSON reader takes for the same number. Source: RFC 7493 §2.2."""


def read_json(raw: bytes) -> JsonValue:
    """Parse one JSON text in UTF-8.

    Raises:
        BadInput: it is not JSON, or means different things to different readers.
    """
    try:
        value: JsonValue = _DECODER.decode(raw.decode())
        _refuse_deep(value)
        return clean_json(value)
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise BadInput(f"not JSON at column {error.pos + 1}: {error.msg}") from error
    except RecursionError as error:
        raise BadInput(f"nested deeper than {MAX_DEPTH} levels") from error
    except ValueError as error:
        raise BadInput(str(error)) from error


def _refuse_deep(value: JsonValue) -> None:
    level = [value]
    for _depth in range(MAX_DEPTH):
        level = [inside for item in level for inside in _inside(item)]
        if not level:
            return
    raise BadInput(f"nested deeper than {MAX_DEPTH} levels")


def _inside(item: JsonValue) -> list[JsonValue]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_INTEGER:
        raise BadInput(f"an integer beyond ±{MAX_INTEGER} is not exact in JSON; send it as text")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise BadInput("a number is too large for a double")
    return number


def _constant(name: str) -> NoReturn:
    raise BadInput(f"{name} is not JSON; leave the field out")


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in found:
            raise BadInput(f"the key {key[:80]!a} stands twice in one object")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_number,
    parse_constant=_constant,
)
