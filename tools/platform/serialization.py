"""Strict JSON reading, canonical JSON writing (RFC 8785), and configuration files.

Faults of JSON and TOML are reported as one sentence for operators.
"""

import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import orjson
import rfc8785
from pydantic import JsonValue, ValidationError

from state.errors import BadInput
from state.noun import Noun, clean_json

_EXACT = 2**53 - 1


def canonical_json(value: Any) -> bytes:  # any JSON value
    """Write a JSON value in the one form that RFC 8785 gives it.

    Raises:
        ValueError: an integer beyond 2**53, NaN, infinity, or half of a surrogate pair.
    """
    if _is_plain(value):  # the quick writer gives the same bytes for these
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return rfc8785.dumps(value)


def sorted_json(value: Any) -> bytes:  # any JSON value
    """Write a JSON value that no standard covers, such as a huge integer, always the same way."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:  # half a surrogate pair: it goes in as an escape
        return json.dumps(value, sort_keys=True).encode()


def _is_plain(value: Any) -> bool:  # any JSON value
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return bool(-_EXACT <= value <= _EXACT)
    if kind is dict:  # keys are ordered by UTF-16 there and by UTF-8 here; in ASCII that is one
        return all(type(key) is str and key.isascii() and _is_plain(value[key]) for key in value)
    return kind is list and all(map(_is_plain, value))


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


def read_toml(path: Path, setting: str, table: str | None = None) -> dict[str, Any]:
    """Read it.

    Args:
        path: where it is.
        setting: what names it in the environment.
        table: the only name in it, of `[[tables]]`, at least one; None: any.

    Raises:
        BadInput: it cannot be read, is no TOML, or holds something else.
    """
    read = parse_toml(read_toml_text(path, setting), path, setting)
    if table is not None:
        if unknown := sorted(read.keys() - {table}):
            named = ", ".join(unknown)
            raise BadInput(f"{setting}: {path}: unknown {named}; it holds [[{table}]] tables alone")
        if not read.get(table):
            raise BadInput(
                f"{setting}: {path}: holds no [[{table}]]; write one, or unset {setting}"
            )
    return read


@cache
def prompt_beside(module: str, name: str = "") -> str:
    """Read, once, the Markdown file beside a module that instructs a model.

    Args:
        module: its `__file__`.
        name: of the Markdown file; nothing: that of the module.
    """
    path = Path(module)
    return (path.with_name(name) if name else path.with_suffix(".md")).read_text("utf-8")


def read_toml_text(path: Path, setting: str) -> str:
    """Read its text.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise BadInput(f"{setting}: {reason}; name a file that can be read") from error
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise BadInput(f"{setting}: {path}: is not UTF-8 ({place}); save it as UTF-8") from error


def parse_toml(text: str, path: Path, setting: str) -> dict[str, Any]:
    """Read what a text of such a file holds.

    Raises:
        BadInput: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{setting}: {path}: is not TOML: {error}") from error


def toml_error(setting: str, path: Path, error: ValidationError) -> BadInput:
    """Say of each value that does not fit where it stands and what is wrong."""
    faults = "; ".join(
        f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}"
        for one in error.errors()
    )
    return BadInput(f"{setting}: {path}: {faults}")


SHOWN_FAULTS = 5

N = TypeVar("N", bound=Noun)


def validated(noun: type[N], value: JsonValue) -> N:
    """Make a noun of a JSON value.

    Raises:
        BadInput: with every field that is wrong.
    """
    try:
        return noun.model_validate(value)
    except ValidationError as error:
        raise BadInput(faults_of(error)) from error


def faults_of(error: ValidationError, *, name_of: Callable[[str], str] = str) -> str:
    """Say on one line what is wrong with which field."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    told = [
        _told(".".join(str(part) for part in fault["loc"]), fault["type"], fault["msg"], name_of)
        for fault in found[:SHOWN_FAULTS]
    ]
    if len(found) > SHOWN_FAULTS:
        told.append(f"and {len(found) - SHOWN_FAULTS} more")
    return "; ".join(told)


def _told(field: str, kind: str, message: str, name_of: Callable[[str], str]) -> str:
    if kind == "extra_forbidden":
        return f"unknown field {field[:80]!r}"
    message = plain_fault(message)
    return f"{name_of(field)}: {message}" if field else message


_SUBJECT = re.compile(r"(?:Value error, |(?:Input|String|List|Tuple|Dictionary) should )")


def plain_fault(message: str) -> str:
    """Word a fault of pydantic's as we do: what the value must be."""
    told = {"Field required": "is missing", "Extra inputs are not permitted": "is not known here"}
    if message in told:
        return told[message]
    subject = _SUBJECT.match(message)
    if subject is None:
        return message
    rest = message[subject.end() :]
    return rest if subject[0].startswith("Value") else f"must {rest}"
