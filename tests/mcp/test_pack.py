"""mcp.yaml as a pack's author meets it: read with lines, alone or beside actions, connected."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from state.errors import InvalidArguments
from tests.mcp.conftest import OpenBench
from tests.mcp.servers import HERE, honest, lying
from tools.adapters.mcp.tool_actions import ConvertedTools, slots_of, to_actions
from tools.adapters.mcp.tool_pins import DescribedTool, differences
from tools.catalog.arguments import read_arguments, render_summary
from tools.catalog.pack import check_pack, load_pack
from tools.catalog.pack_schema import McpServer

RUNNER = CliRunner()
NOTEBOOK = f"""\
servers:
  notebook:
    transport: stdio
    command: {sys.executable}
    args: [{HERE / "honest.py"}, BOOK]
"""
ACTIONS = """\
actions:
  notebook_add_entry:
    summary: "Add"
    verb: add
    object: entry
    effect: read
    http: {method: GET, url: "https://a.example/"}
"""


def write(folder: Path, text: str, **files: str) -> Path:
    pack = folder / "desk"
    pack.mkdir()
    (pack / "mcp.yaml").write_text(text.replace("BOOK", str(folder / "book")), encoding="utf-8")
    for name, content in files.items():
        (pack / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return pack


def test_a_pack_of_servers_alone_is_sound_and_starts_none(tmp_path: Path):
    pack = load_pack(write(tmp_path, NOTEBOOK.replace(sys.executable, "/no/such/thing")))
    assert list(pack.mcp) == ["notebook"]
    assert pack.actions == {}


def test_an_intent_may_name_a_tool_that_only_its_server_knows(tmp_path: Path):
    policy = "intents:\n  look: {words: [look], force_tool: notebook_count_entries}\n"
    assert check_pack(write(tmp_path, NOTEBOOK, policy__yaml=policy)) == []


@pytest.mark.parametrize(
    ("old", "new", "field", "problem"),
    [
        ("transport: stdio", "transport: carrier_pigeon", "transport", "stdio"),
        ("command:", "comand:", "comand", "did you mean command?"),
        ("transport: stdio", "transport: sse", "notebook", "takes url"),
        ("notebook:", "Note-Book:", "", "small letters"),
        ("args:", "seconds: 0\n    args:", "seconds", "greater than 0"),
        ("args:", "tools: {a: {efect: read}}\n    args:", "efect", "did you mean effect?"),
        ("args:", "env: {A: '${lower}'}\n    args:", "A", "CAPITAL_LETTERS"),
        ("args:", "env: {'A=B': x}\n    args:", "A=B", "no name of a variable"),
    ],
)
def test_a_fault_is_named_with_its_line_and_field(tmp_path: Path, old, new, field, problem):
    faults = check_pack(write(tmp_path, NOTEBOOK.replace(old, new)))
    assert any(field in fault.field and problem in fault.problem for fault in faults), faults
    assert all(fault.line for fault in faults)


@pytest.mark.parametrize(
    ("url", "headers", "problem"),
    [
        ("http://{a}.example/", "{}", "must begin"),
        ("http://u:p@a.example/", "{}", "must begin"),
        ("http://0x7f.1/", "{}", "no plain host"),
        ("http://a.example/{b}", "{}", "takes no slots"),
        ("http://a.example/", "{Host: b.example}", "no header that you may set"),
        ("http://a.example/", '{X: "a\\r\\nY: b"}', "no header can hold"),
    ],
)
def test_an_address_that_could_lead_elsewhere_is_a_fault(tmp_path: Path, url, headers, problem):
    server = f'servers:\n  far:\n    transport: sse\n    url: "{url}"\n    headers: {headers}\n'
    faults = check_pack(write(tmp_path, server))
    assert any(problem in fault.problem for fault in faults), faults


def test_connected_the_tools_are_listed_by_class(tmp_path: Path):
    pack = write(tmp_path, NOTEBOOK)
    written = (pack / "mcp.yaml").read_text("utf-8")
    plain = RUNNER.invoke(cli, ["pack", "check", str(pack), "--json"])
    assert json.loads(plain.stdout)["classes"] == {"A": [], "B": [], "C": []}
    for trusted, letter in (("false", "B"), ("true", "A")):
        (pack / "mcp.yaml").write_text(f"{written}    trusted: {trusted}\n", encoding="utf-8")
        told = RUNNER.invoke(cli, ["pack", "check", str(pack), "--connect", "--json"])
        assert told.exit_code == 0
        classes = json.loads(told.stdout)["classes"]
        assert "notebook_search_entries" in classes[letter]
        assert "notebook_add_entry" in classes["B"]
        assert classes["C"] == ["notebook_erase_notebook"]


def test_connected_what_is_missing_is_told_and_fails(tmp_path: Path):
    pack = write(tmp_path, NOTEBOOK, actions__yaml=ACTIONS)
    taken = RUNNER.invoke(cli, ["pack", "check", str(pack), "--connect"])
    assert taken.exit_code == 1
    assert "another action's name" in " ".join(taken.stdout.split())
    (pack / "mcp.yaml").write_text(NOTEBOOK.replace(sys.executable, "/no/such/thing"), "utf-8")
    down = RUNNER.invoke(cli, ["pack", "check", str(pack), "--connect"])
    assert down.exit_code == 1
    assert "is down" in " ".join(down.stdout.split())


def test_doctor_says_which_server_is_down(tmp_path: Path):
    pack = write(tmp_path, NOTEBOOK.replace(sys.executable, "/no/such/thing"))
    command = ["doctor", "--json", "--pack", str(pack), "--data-dir", str(tmp_path / "data")]
    found = json.loads(RUNNER.invoke(cli, command).stdout)["findings"]
    (servers,) = [each for each in found if each["what"] == "servers"]
    assert servers["state"] == "degraded"
    assert "notebook" in servers["says"]


# Tools become actions: names, classes, slots and words, whatever a server says of them.

STDIO = {"transport": "stdio", "command": "server"}
READS = {"readOnlyHint": True}
ADDS = {"destructiveHint": False}


def _tool(name: str = "set_sail", **given: Any) -> DescribedTool:
    plain = {"title": "", "description": "", "schema": {"type": "object"}, "annotations": {}}
    return DescribedTool(**{"name": name, **plain, **given})


def _converted(*tools: DescribedTool, **given: Any) -> ConvertedTools:
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
def test_the_class_follows_the_annotations_of_a_trusted_server_and_doubt_is_destructive(
    annotations: dict[str, Any], effect: str, floor: str
):
    action = _converted(_tool(annotations=annotations), trusted=True).actions["rig_set_sail"]
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
):
    rules = {"set_sail": {"effect": ours}}
    found = _converted(_tool(annotations=claimed), trusted=True, tools=rules)
    assert found.actions["rig_set_sail"].effect == effect
    assert bool(found.troubles) == is_told


@pytest.mark.parametrize(
    ("name", "arguments", "claims", "floor"),
    [
        ("list_shelves", {}, READS, "B"),  # it may only read: its server's own word
        ("whoami", {}, READS, "B"),
        ("wipe_archive", {}, READS, "C"),
        ("purgeQueue", {}, READS, "C"),
        ("fetch_and_delete", {}, READS, "C"),
        ("order-cancel", {}, ADDS, "C"),
        ("rig_stop_engine", {}, ADDS, "C"),
        ("send_mail", {}, ADDS, "C"),
        ("refund", {}, ADDS, "C"),
        ("set_sail", {}, READS, "B"),
        ("get_block", {}, READS, "B"),
        ("add_entry", {"text": {}}, ADDS, "B"),
        ("look_up", {"sql": {}}, READS, "C"),
        ("run_report", {"shellCommand": {}}, ADDS, "C"),
        ("add_entry", {"amount": {}}, ADDS, "C"),
        ("list_shelves", {"max_price": {}}, READS, "B"),
        ("list_shelves", {}, {}, "C"),
    ],
)
def test_the_word_of_a_server_that_is_not_trusted_gives_no_class_a_and_hides_no_name(
    name: str, arguments: dict[str, Any], claims: dict[str, Any], floor: str
):
    schema = {"type": "object", "properties": arguments}
    (action,) = _converted(_tool(name, schema=schema, annotations=claims)).actions.values()
    assert action.floor == floor


def test_a_pin_covers_all_that_is_said_in_whatever_order_it_is_written():
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}
    turned = {"properties": {"b": {}, "a": {"type": "string"}}, "type": "object"}
    first = _tool(schema=schema, annotations={"title": "t", **READS})
    assert _tool(schema=turned, annotations={**READS, "title": "t"}).pin_sha256 == first.pin_sha256
    others = (
        _tool("set_sails", schema=schema, annotations={"title": "t", **READS}),
        _tool(schema=schema, annotations={"title": "t", **READS}, description="pay"),
        _tool(schema=schema, annotations={"title": "t"}),
        _tool(schema={**schema, "required": ["a"]}, annotations={"title": "t", **READS}),
    )
    assert len({one.pin_sha256 for one in (first, *others)}) == 5
    fields = [tuple(change.field for change in differences(first, one)) for one in others]
    assert fields == [
        ("name",),
        ("description",),
        ("annotations.readOnlyHint",),
        ("schema.required",),
    ]


async def test_odd_tools_are_left_out_and_named(open_bench: OpenBench, tmp_path: Path):
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
):
    async with open_bench(lying(tmp_path, "odd")) as bench:
        action = bench.actions["desk_inject"]
    assert all(example.isprintable() for example in action.examples)
    assert "Ignore" not in action.summary + action.name
    assert action.summary == "desk: inject"


async def test_slots_are_typed_and_the_rest_is_checked_json(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path)) as bench:
        add = bench.actions["desk_add_entry"]
    assert read_arguments(add, {"text": "fog"}) == {"text": "fog"}
    assert render_summary(add, {"text": "fog\n\u202e"}) == "desk: add entry · text fogU+000AU+202E"
    for wrong in ({}, {"text": 1}, {"text": "a", "mood": "sad"}, {"text": "a", "__class__": "b"}):
        with pytest.raises(InvalidArguments):
            read_arguments(add, wrong)


def test_each_json_schema_gets_the_slot_that_fits():
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


def test_the_hash_covers_all_that_is_said_and_who_says_it():
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


def test_a_tool_that_we_leave_out_is_no_action():
    found = _converted(_tool(), _tool("other"), tools={"set_sail": {"leave_out": True}})
    assert set(found.actions) == {"rig_other"}
    assert _converted(_tool(), tools={"set_sale": {}}).troubles == ("set_sale is no tool of it",)


def test_our_words_summary_and_roles_stand_beside_those_of_the_tool():
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
