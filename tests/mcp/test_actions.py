"""Tools become actions: names, classes, slots and words, whatever a server says of them."""

from pathlib import Path
from typing import Any

import pytest

from state.errors import InvalidArguments
from tests.mcp.conftest import OpenBench
from tests.mcp.servers import honest, lying
from tools.catalogue.arguments import read_arguments
from tools.catalogue.mcp_file import McpServer
from tools.catalogue.summaries import render_summary
from tools.mcp.actions import Converted, to_actions
from tools.mcp.described import DescribedTool
from tools.mcp.slots import slots_of

STDIO = {"transport": "stdio", "command": "server"}


def _tool(name: str = "set_sail", **given: Any) -> DescribedTool:
    plain = {"title": "", "description": "", "schema": {"type": "object"}, "annotations": {}}
    return DescribedTool(**{"name": name, **plain, **given})


def _converted(*tools: DescribedTool, **given: Any) -> Converted:
    return to_actions("boat", "rig", McpServer.model_validate({**STDIO, **given}), tools)


@pytest.mark.parametrize(
    ("annotations", "effect", "floor"),
    [
        ({"readOnlyHint": True}, "read", "A"),
        ({"readOnlyHint": True, "destructiveHint": False}, "read", "A"),
        ({"readOnlyHint": True, "destructiveHint": True}, "destructive", "C"),
        ({"readOnlyHint": "true"}, "destructive", "C"),
        ({"readOnlyHint": 1}, "destructive", "C"),
        ({"destructiveHint": False}, "write", "B"),
        ({"destructiveHint": 0}, "destructive", "C"),
        ({"destructiveHint": None}, "destructive", "C"),
        ({"idempotentHint": True, "title": "read only"}, "destructive", "C"),
        ({}, "destructive", "C"),
    ],
)
def test_the_class_follows_the_annotations_and_doubt_is_destructive(
    annotations: dict[str, Any], effect: str, floor: str
) -> None:
    action = _converted(_tool(annotations=annotations)).actions["rig_set_sail"]
    assert (action.effect, action.floor) == (effect, floor)


@pytest.mark.parametrize(
    ("claimed", "ours", "effect", "is_told"),
    [
        ({"readOnlyHint": True}, "financial", "financial", False),
        ({"destructiveHint": False}, "read", "write", True),
        ({}, "read", "destructive", True),
        ({}, "write", "destructive", True),
        ({}, "compliance", "compliance", False),
    ],
)
def test_our_own_word_only_raises_a_class(
    claimed: dict[str, Any], ours: str, effect: str, *, is_told: bool
) -> None:
    found = _converted(_tool(annotations=claimed), tools={"set_sail": {"effect": ours}})
    assert found.actions["rig_set_sail"].effect == effect
    assert bool(found.troubles) == is_told


async def test_odd_tools_are_left_out_and_named(open_bench: OpenBench, tmp_path: Path) -> None:
    async with open_bench(lying(tmp_path, "odd")) as bench:
        names = set(bench.actions)
    told = "\n".join(bench.troubles)
    plain = {"desk_pay", "desk_peek", "desk_both", "desk_softly"}
    assert names == plain | {"desk_class", "desk_ring", "desk_inject"}
    for reason in ("both be desk_open_door", "too long", "outside itself", "too deep", "too large"):
        assert reason in told
    with pytest.raises(InvalidArguments, match="schema"):
        read_arguments(bench.actions["desk_ring"], {"a": 1})


async def test_a_description_is_shown_with_all_its_characters_and_prompts_nobody(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    async with open_bench(lying(tmp_path, "odd")) as bench:
        action = bench.actions["desk_inject"]
    assert all(example.isprintable() for example in action.examples)
    assert "Ignore" not in action.summary + action.name
    assert action.summary == "desk: inject"


async def test_slots_are_typed_and_the_rest_is_checked_json(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    async with open_bench(honest(tmp_path)) as bench:
        add = bench.actions["desk_add_entry"]
    assert read_arguments(add, {"text": "fog"}) == {"text": "fog"}
    assert render_summary(add, {"text": "fog\n\u202e"}) == "desk: add entry · text fogU+000AU+202E"
    for wrong in ({}, {"text": 1}, {"text": "a", "mood": "sad"}, {"text": "a", "__class__": "b"}):
        with pytest.raises(InvalidArguments):
            read_arguments(add, wrong)


def test_each_json_schema_gets_the_slot_that_fits() -> None:
    schema = {
        "type": "object",
        "required": ["maxCount"],
        "$defs": {"point": {"type": "object", "required": ["x"]}},
        "properties": {
            "maxCount": {"type": "integer", "minimum": 1, "maximum": 9},
            "share": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "is-loud": {"type": ["boolean", "null"]},
            "names": {"type": "array", "items": {"type": "string"}},
            "format": {"type": "object", "properties": {"pattern": {"type": "string"}}},
            "at": {"$ref": "#/$defs/point"},
            "code": {"type": "array", "items": {"type": "string", "pattern": "(a+)+$"}},
        },
    }
    slots = slots_of(schema)
    kinds = {name: slot.type for name, slot in slots.items()}
    assert kinds == {
        "max_count": "integer",
        "share": "number",
        "is_loud": "boolean",
        "names": "list",
        "format": "json",
        "at": "json",
        "code": "json",
    }
    assert slots["max_count"].required
    assert (slots["max_count"].minimum, slots["max_count"].maximum) == (1, 9)
    action = _converted(_tool(schema=schema)).actions["rig_set_sail"]
    assert read_arguments(action, {"max_count": 2, "at": {"x": 1}})["at"] == {"x": 1}
    assert "pattern" not in str(slots["code"].json_schema), "nobody's pattern keeps us busy"
    assert "pattern" in str(slots["format"].json_schema), "a property may be called so"
    wrongs: list[dict[str, Any]] = [{"at": {}}, {"format": []}, {"max_count": 10}]
    for wrong in wrongs:
        with pytest.raises(InvalidArguments):
            read_arguments(action, {"max_count": 2, **wrong})


def test_the_hash_covers_all_that_is_said_and_who_says_it() -> None:
    server = McpServer.model_validate(STDIO)
    first = _tool(description="a").sha256(server)
    others = [
        _tool(description="b").sha256(server),
        _tool(description="a", title="t").sha256(server),
        _tool(description="a", annotations={"readOnlyHint": True}).sha256(server),
        _tool(description="a", schema={"type": "object", "title": "x"}).sha256(server),
        _tool(description="a").sha256(McpServer.model_validate({**STDIO, "args": ["-x"]})),
    ]
    assert len({first, *others}) == 6
    assert _tool(description="a").sha256(server) == first


def test_a_tool_that_we_leave_out_is_no_action() -> None:
    found = _converted(_tool(), _tool("other"), tools={"set_sail": {"leave_out": True}})
    assert set(found.actions) == {"rig_other"}
    assert _converted(_tool(), tools={"set_sale": {}}).troubles == ("set_sale is no tool of it",)


def test_our_words_summary_and_roles_stand_beside_those_of_the_tool() -> None:
    schema = {"type": "object", "properties": {"course": {"type": "string"}}}
    rule = {
        "words": ["hoist"],
        "examples": ["hoist the sails"],
        "roles": ["skipper"],
        "summary": "Sail {course}",
    }
    found = _converted(_tool(schema=schema), roles=["mate"], tools={"set_sail": rule})
    action = found.actions["rig_set_sail"]
    assert (action.words, action.roles, action.summary) == (
        ("hoist", "set"),
        ("skipper",),
        "Sail {course}",
    )
    assert "hoist the sails" in action.examples
    wrong = _converted(_tool(), tools={"set_sail": {"summary": "Sail {nowhere}"}})
    assert "no template" in wrong.troubles[0]
