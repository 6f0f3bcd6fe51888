"""mcp.yaml as a pack's author meets it: read with lines, alone or beside actions, connected."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli
from tests.mcp.servers import HERE
from tools.catalog.pack import check_pack, load_pack

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


def test_a_pack_of_servers_alone_is_sound_and_starts_none(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, NOTEBOOK.replace(sys.executable, "/no/such/thing")))
    assert list(pack.mcp) == ["notebook"]
    assert pack.actions == {}


def test_an_intent_may_name_a_tool_that_only_its_server_knows(tmp_path: Path) -> None:
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
def test_a_fault_is_named_with_its_line_and_field(
    tmp_path: Path, old: str, new: str, field: str, problem: str
) -> None:
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
def test_an_address_that_could_lead_elsewhere_is_a_fault(
    tmp_path: Path, url: str, headers: str, problem: str
) -> None:
    server = f'servers:\n  far:\n    transport: sse\n    url: "{url}"\n    headers: {headers}\n'
    faults = check_pack(write(tmp_path, server))
    assert any(problem in fault.problem for fault in faults), faults


def test_connected_the_tools_are_listed_by_class(tmp_path: Path) -> None:
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


def test_connected_what_is_missing_is_told_and_fails(tmp_path: Path) -> None:
    pack = write(tmp_path, NOTEBOOK, actions__yaml=ACTIONS)
    taken = RUNNER.invoke(cli, ["pack", "check", str(pack), "--connect"])
    assert taken.exit_code == 1
    assert "another action's name" in " ".join(taken.stdout.split())
    (pack / "mcp.yaml").write_text(NOTEBOOK.replace(sys.executable, "/no/such/thing"), "utf-8")
    down = RUNNER.invoke(cli, ["pack", "check", str(pack), "--connect"])
    assert down.exit_code == 1
    assert "is down" in " ".join(down.stdout.split())


def test_doctor_says_which_server_is_down(tmp_path: Path) -> None:
    pack = write(tmp_path, NOTEBOOK.replace(sys.executable, "/no/such/thing"))
    command = ["doctor", "--json", "--pack", str(pack), "--data-dir", str(tmp_path / "data")]
    found = json.loads(RUNNER.invoke(cli, command).stdout)["findings"]
    (servers,) = [each for each in found if each["what"] == "servers"]
    assert servers["state"] == "degraded"
    assert "notebook" in servers["says"]
