"""The tutorial's pack works, and docs/reference/packs.md names every key."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from api.cli import cli
from state.action import Action, ActionResult, Approvers, HandlerContext, Slot
from state.errors import Forbidden
from state.preview import Change, Fact, Preview
from state.principal import Principal
from tests.graph.harbour import Harbour
from tools.catalog.pack_schema import (
    EntityType,
    Heuristic,
    IntentRule,
    MemoryRule,
    PolicyFile,
    SearchDefaults,
    StageRule,
)

ANN = Principal(user="ann", tenant_id="default", roles=("clerk",))
HUGO = Principal(user="hugo", tenant_id="default", roles=("head",))

_NOT_WRITTEN = {"name", "pack"}
"""Of an action: its key, and its folder."""


def tool(shed: Harbour, name: str) -> tuple[str, str]:
    """Read branch and state of a tool in the pack's own store."""
    (store,) = shed.data_dir.rglob("toolshed.sqlite")
    with closing(sqlite3.connect(store)) as connection:
        query = "select branch, state from tool where id = ?"
        branch, state = connection.execute(query, (name,)).fetchone()
    return branch, state


def test_the_whole_pack_has_no_fault(toolshed: Path) -> None:
    assert {file.name for file in toolshed.iterdir()} == {
        "actions.yaml",
        "entities.yaml",
        "handlers.py",
    }
    told = CliRunner().invoke(cli, ["pack", "check", str(toolshed)])
    assert told.exit_code == 0, told.output
    assert "toolshed: 4 actions, no faults" in told.output
    assert "destructive: approved by head, not the requester, within 60 min" in told.output


async def test_its_read_runs_for_a_name_that_the_store_knows(shed: Harbour) -> None:
    record = await shed.says("where is the tile cutter?", ANN)
    assert (record.outcome, record.action) == ("executed", "show_tool")
    assert "T-102, tile cutter: North, fit" in record.text


async def test_its_write_is_a_chip_and_is_undone_by_itself(shed: Harbour) -> None:
    record = await shed.says("move T-101 to the harbour branch", ANN)
    assert (record.outcome, record.action) == ("offered", "move_tool")
    assert tool(shed, "T-101") == ("North", "fit")
    moved = await shed.executive.offers.choose(record.offer_id or "", "chip-1", ANN)
    assert moved.outcome == "executed"
    assert tool(shed, "T-101") == ("South", "fit")
    undone = await shed.executive.actions.undo(moved.action_id or "", ANN)
    assert (undone.outcome, undone.action) == ("executed", "move_tool")
    assert tool(shed, "T-101") == ("North", "fit")


async def test_its_class_c_is_asked_approved_executed_and_undone(shed: Harbour) -> None:
    asked = await shed.says("scrap T-102: the motor is burnt", ANN)
    assert (asked.outcome, asked.execution_class) == ("awaiting_approval", "C")
    assert asked.arguments == {"tool": "T-102", "reason": "the motor is burnt"}
    assert tool(shed, "T-102") == ("North", "fit")
    with pytest.raises(Forbidden):
        await shed.answers(asked.action_id, who=ANN)
    done = await shed.answers(asked.action_id, who=HUGO)
    assert done.state == "succeeded"
    assert done.target_versions == {"T-102": "1"}
    assert tool(shed, "T-102") == ("North", "scrapped")
    undo = await shed.executive.actions.undo(done.action_id, ANN)
    assert (undo.outcome, undo.action) == ("awaiting_approval", "restore_tool")
    with pytest.raises(Forbidden):
        await shed.answers(undo.action_id, who=ANN)
    assert (await shed.answers(undo.action_id, who=HUGO)).state == "succeeded"
    assert tool(shed, "T-102") == ("North", "fit")


async def test_its_yes_is_stale_once_the_tool_has_moved(shed: Harbour) -> None:
    asked = await shed.says("scrap T-102: the motor is burnt", ANN)
    offered = await shed.says("move T-102 to South", ANN)
    await shed.executive.offers.choose(offered.offer_id or "", "chip-1", ANN)
    assert (await shed.answers(asked.action_id, who=HUGO)).state == "stale"
    assert tool(shed, "T-102") == ("South", "fit")


@pytest.mark.parametrize(
    ("heading", "noun"),
    [
        ("## An action", Action),
        ("### Slots", Slot),
        ("### Approvers", Approvers),
        ("### HandlerContext", HandlerContext),
        ("### ActionResult", ActionResult),
        ("### Preview", Preview),
        ("## Entities", EntityType),
        ("## Heuristics", Heuristic),
        ("## Policy", PolicyFile),
        ("## Policy", IntentRule),
        ("## Policy", MemoryRule),
        ("## Policy", SearchDefaults),
        ("## Policy", StageRule),
    ],
)
def test_every_key_is_named_where_it_belongs(page: str, heading, noun) -> None:
    section = re.split(r"\n##+ ", page.partition(f"\n{heading}\n")[2])[0]
    named = set(re.findall(r"`(\w+)(?:: \w+)?`", section))
    keys = {field.alias or name for name, field in noun.model_fields.items()}
    assert keys - (_NOT_WRITTEN if noun is Action else set()) - named == set()


@pytest.mark.parametrize("noun", [Fact, Change])
def test_the_parts_of_a_preview_are_written_as_they_are(page: str, noun: type[BaseModel]) -> None:
    assert f"`{noun.__name__}({', '.join(noun.model_fields)})`" in page
