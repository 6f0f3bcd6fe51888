"""Convert MCP tools to actions: JSON Schema to slots, names, examples and summaries."""

import json
import math
import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import ValidationError

from state.action import Action, McpTool, Slot
from tools.adapters.mcp.tool_effects import effect_of, graver_effect, identifier
from tools.adapters.mcp.tool_pins import DescribedTool
from tools.catalog.pack_schema import McpServer, McpToolRule
from tools.nlu.lexicon.verbs import (
    FAMILIES,
    GROUPS_OF_PHRASE,
    READ_FAMILIES,
    family_of_group,
)
from tools.platform.unicode_safety import show_hidden

MAX_SLOTS = 64
MAX_SCHEMA_BYTES = 64 * 1024
MAX_SCHEMA_DEPTH = 32
MAX_DESCRIPTION = 300
MAX_TOLD = 4_000
"""Characters of what a server says of a tool that agents are told."""
_NOT_KEPT = frozenset({"pattern", "patternProperties", "format", "$schema", "$id", "$anchor"})
"""A pattern could take minutes to match; the server checks it itself."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_NAMED = frozenset({"properties", "$defs", "definitions"})
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def slots_of(schema: Mapping[str, Any]) -> dict[str, Slot]:  # JSON Schema's own values
    """Give each property of an object schema its slot.

    Raises:
        ValueError: the schema is broken, too large, or points outside itself.
    """
    _check(schema)
    return _slots(schema, slot_names(schema))


def slots_as_named(schema: Mapping[str, Any]) -> dict[str, Slot]:  # JSON Schema's own values
    """Give each property of an object schema its slot under its own name; writeOnly is secret.

    Raises:
        ValueError: as slots_of; or a name that no template could hold.
    """
    _check(schema)
    described = schema.get("properties", {})
    odd = [name for name in described if not _PLAIN.fullmatch(name)]
    if odd:
        raise ValueError(
            f"an argument needs a name of letters, digits, _ and -, not {odd[0]!r:.60}"
        )
    return {
        name: slot.model_copy(update={"secret": _is_secret(described[name])})
        for name, slot in _slots(schema, {name: name for name in described}).items()
    }


def _is_secret(described: Any) -> bool:  # JSON Schema
    return isinstance(described, dict) and described.get("writeOnly") is True


def _slots(schema: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Slot]:
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
    told = show_hidden(str(one.get("description") or one.get("title") or ""))[:MAX_DESCRIPTION]
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


MAX_NAME = 60
_MAX_EXAMPLE = 120
_SHOWN_SLOTS = 4
_MOST_TROUBLES = 20
_SENTENCE = re.compile(r"[.!?:;\n]")
_NO_RULE = McpToolRule()


@dataclass(frozen=True)
class ConvertedTools:
    """The actions that the tools of one server became, and why others did not."""

    actions: Mapping[str, Action] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()


def to_actions(
    pack: str, name: str, server: McpServer, tools: Iterable[DescribedTool]
) -> ConvertedTools:
    """Convert the tools of a server; two that would be called the same are both left out."""
    actions: dict[str, Action] = {}
    troubles: list[str] = []
    taken: dict[str, str] = {}
    listed = list(tools)
    for tool in listed:
        rule = server.tools.get(tool.name, _NO_RULE)
        if rule.leave_out:
            continue
        shown = show_hidden(tool.name[:MAX_NAME])
        action_name = name_of_action(name, tool.name)
        if action_name in taken:
            actions.pop(action_name, None)
            troubles.append(f"{shown} and {taken[action_name]} would both be {action_name}")
            continue
        taken[action_name] = shown
        try:
            actions[action_name] = _action(pack, name, action_name, server, tool)
        except (ValidationError, ValueError) as error:
            reason = "it does not fit" if isinstance(error, ValidationError) else str(error)
            troubles.append(f"{shown} is left out: {reason}")
            continue
        troubles += _rule_troubles(shown, rule, actions[action_name])
    offered = {tool.name for tool in listed}
    troubles += [
        f"{told} is no tool of it"
        for told, rule in server.tools.items()
        if told not in offered and not rule.leave_out
    ]
    return ConvertedTools(actions, tuple(dict.fromkeys(troubles))[:_MOST_TROUBLES])


def name_of_action(server: str, tool: str) -> str:
    """Name the action that a tool becomes."""
    return f"{server}_{identifier(tool)}"


def _action(
    pack: str, server_name: str, name: str, server: McpServer, tool: DescribedTool
) -> Action:
    plain = identifier(tool.name)
    if tool.problem:
        raise ValueError(tool.problem)
    if not plain or len(plain) > MAX_NAME:
        raise ValueError("its name is empty or too long")
    rule = server.tools.get(tool.name, _NO_RULE)
    claimed = effect_of(tool, is_trusted=server.trusted, server=server_name)
    effect = rule.effect if rule.lowers and rule.effect else graver_effect(claimed, rule.effect)
    is_sure = server.trusted or (rule.lowers and rule.effect is not None)
    slots = slots_of(tool.schema)
    verb, words, thing = _spoken(plain.split("_"), server_name, is_read=effect == "read")
    summary = rule.summary if is_template(rule.summary, slots) else None
    return Action(
        name=name,
        pack=pack,
        summary=summary or summary_of(f"{server_name}: {plain.replace('_', ' ')}", slots),
        verb=verb,
        words=(*rule.words, *words),
        object=thing,
        slots=slots,
        effect=effect,
        roles=rule.roles or server.roles,
        approvers=server.approvers,
        mcp=McpTool(
            server=server_name,
            tool=tool.name,
            schema_sha256=tool.sha256(server),
            trusted=is_sure or (server.reads_run and effect == "read"),
        ),
        examples=(*rule.examples, *_examples(server_name, plain, tool)),
        description=_described(tool),
    )


def _spoken(
    words: list[str], server_name: str, *, is_read: bool
) -> tuple[str, tuple[str, ...], str]:
    """Split a tool's name into the verb it begins with and the thing it is about.

    A verb of reading on a tool that changes something, or the other way round, is only a word.
    """
    if words[0] == server_name and len(words) > 1:  # git_status of a server called git
        words = words[1:]
    groups = GROUPS_OF_PHRASE.get(words[0])
    family = family_of_group(groups[0]) if groups else None
    thing = "_".join(words[1:] if groups or len(words) > 1 else words) or server_name
    if family in FAMILIES and (family in READ_FAMILIES) == is_read:
        return words[0], (words[0],), thing
    return "show" if is_read else "update", (words[0],), thing


def summary_of(called: str, slots: Mapping[str, Slot]) -> str:
    """Write a template that shows what a tool is called and its first required arguments."""
    needed = [name for name, slot in slots.items() if slot.required and slot.type != "json"]
    told = "".join(f" · {name} {{{name}}}" for name in needed[:_SHOWN_SLOTS])
    return f"{called}{told}"


def _described(tool: DescribedTool) -> str:
    shown = "\n".join(map(show_hidden, tool.description.strip().splitlines()))
    return shown[:MAX_TOLD]


def is_template(summary: str | None, slots: Mapping[str, Slot]) -> bool:
    """Tell whether a text is a template over these slots."""
    if summary is None:
        return False
    try:
        parts = list(string.Formatter().parse(summary))
    except ValueError:
        return False
    return all(
        name is None or (name in slots and not layout and not conversion)
        for _, name, layout, conversion in parts
    )


def _examples(server_name: str, plain: str, tool: DescribedTool) -> tuple[str, ...]:
    """Take what it calls itself and the first sentence about it as things people might say."""
    spoken = plain.replace("_", " ")
    told = (tool.title, _SENTENCE.split(tool.description.strip(), maxsplit=1)[0])
    found = [spoken, f"{spoken} with {server_name.replace('_', ' ')}"]
    found += [show_hidden(" ".join(text.split()))[:_MAX_EXAMPLE] for text in told]
    return tuple(dict.fromkeys(text for text in found if any(map(str.isalpha, text))))


def _rule_troubles(shown: str, rule: McpToolRule, action: Action) -> Iterable[str]:
    if rule.effect is not None and action.effect != rule.effect:
        yield f"{shown} is {action.effect} by itself; {rule.effect} would lower its class"
    if not is_template(rule.summary, action.slots) and rule.summary is not None:
        yield f"the summary of {shown} is no template over its slots"
