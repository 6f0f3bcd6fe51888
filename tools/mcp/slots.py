"""From a tool's JSON Schema to slots: what we know by type becomes that, the rest stays JSON."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from state.action import Slot
from tools.visible import visible

MAX_SLOTS = 64
MAX_SCHEMA_BYTES = 64 * 1024
MAX_SCHEMA_DEPTH = 32
MAX_DESCRIPTION = 300
_NOT_KEPT = frozenset({"pattern", "patternProperties", "format", "$schema", "$id", "$anchor"})
"""A pattern could take minutes to match; the server checks it itself."""
_NAMED = frozenset({"properties", "$defs", "definitions"})
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def slots_of(schema: Mapping[str, Any]) -> dict[str, Slot]:  # JSON Schema's own values
    """Give each property of an object schema its slot.

    Raises:
        ValueError: the schema is broken, too large, or points outside itself.
    """
    _check(schema)
    names = slot_names(schema)
    required = schema.get("required", [])
    return {
        slot: _slot(schema["properties"][name], schema, is_required=name in required)
        for name, slot in names.items()
    }


def slot_names(schema: Mapping[str, Any]) -> dict[str, str]:  # JSON Schema's own values
    """Map each property to the identifier that we call it by.

    Raises:
        ValueError: two of them would be called the same, or one has no letter.
    """
    names = {name: identifier(name) for name in schema.get("properties", {})}
    if not all(names.values()) or len(set(names.values())) < len(names):
        raise ValueError("its arguments cannot be told apart by plain names")
    return names


def identifier(name: str) -> str:
    """Make a plain identifier of any name: `maxResults` and `max-results` become max_results."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name[:200])
    plain = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    return f"n_{plain}" if plain[:1].isdigit() else plain


def _check(schema: Mapping[str, Any]) -> None:
    try:
        is_large = len(json.dumps(schema)) > MAX_SCHEMA_BYTES
        _walk(schema, MAX_SCHEMA_DEPTH)
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError, TypeError) as error:
        raise ValueError("its schema is broken") from error
    properties = schema.get("properties", {})
    if is_large or not isinstance(properties, dict) or len(properties) > MAX_SLOTS:
        raise ValueError("its schema is too large")
    missing = [name for name in schema.get("required", []) if name not in properties]
    if missing:
        raise ValueError("its schema requires what it does not describe")


def _walk(value: Any, depth: int) -> None:  # any JSON
    """Refuse what is too deep, and a reference that would have to be fetched or runs in a ring."""
    if depth == 0:
        raise ValueError("its schema is too deep")
    if isinstance(value, dict):
        for key, inside in value.items():
            if key in _REFERENCES and not _is_local(inside):
                raise ValueError("its schema points outside itself")
            _walk(inside, depth - 1)
    elif isinstance(value, list):
        for inside in value:
            _walk(inside, depth - 1)


def _is_local(reference: object) -> bool:
    return isinstance(reference, str) and reference.startswith(("#/$defs/", "#/definitions/"))


def _slot(described: Any, root: Mapping[str, Any], *, is_required: bool) -> Slot:  # JSON Schema
    one = _without_null(described) if isinstance(described, dict) else {}
    told = visible(str(one.get("description") or one.get("title") or ""))[:MAX_DESCRIPTION]
    kind = one.get("type")
    choices = one.get("enum")
    if choices is not None:
        if kind in ("string", None) and all(isinstance(each, str) for each in choices):
            return Slot(type="text", required=is_required, description=told, choices=tuple(choices))
    elif kind in ("string", "boolean"):
        name = "text" if kind == "string" else "boolean"
        return Slot(type=name, required=is_required, description=told)
    elif kind in ("integer", "number"):
        return Slot(
            type=kind,
            required=is_required,
            description=told,
            minimum=_bound(one.get("minimum")),
            maximum=_bound(one.get("maximum")),
        )
    elif kind == "array" and one.get("items") == {"type": "string"}:
        return Slot(type="list", required=is_required, description=told)
    return Slot(
        type="json", required=is_required, description=told, json_schema=_alone(described, root)
    )


def _without_null(described: Mapping[str, Any]) -> Mapping[str, Any]:  # JSON Schema
    """Read `X or null` as X: a slot that is not given is absent."""
    kinds = described.get("type")
    if isinstance(kinds, list) and len(kinds) == 2 and "null" in kinds:
        return {**described, "type": next(kind for kind in kinds if kind != "null")}
    either = described.get("anyOf")
    if isinstance(either, list) and len(either) == 2 and {"type": "null"} in either:
        only: Any = next((each for each in either if each != {"type": "null"}), {})
        outer = {key: value for key, value in described.items() if key != "anyOf"}
        return {**outer, **only} if isinstance(only, dict) else described
    return described


def _alone(described: Any, root: Mapping[str, Any]) -> dict[str, Any]:  # JSON Schema
    """Give one property's schema the definitions it may refer to."""
    alone: dict[str, Any] = _kept(described) if isinstance(described, dict) else {}
    for place in ("$defs", "definitions"):
        if place in root:
            alone[place] = _kept(root[place], are_names=True)
    return alone


def _kept(value: Any, *, are_names: bool = False) -> Any:  # JSON Schema
    """Copy a schema without what we do not use; under `properties` keys are names, not keywords."""
    if isinstance(value, dict):
        return {
            key: _kept(inside, are_names=key in _NAMED and not are_names)
            for key, inside in value.items()
            if are_names or key not in _NOT_KEPT
        }
    return [_kept(inside) for inside in value] if isinstance(value, list) else value


def _bound(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None
