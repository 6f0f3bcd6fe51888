"""A command line in an empty folder, and a small pack that loads at once."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from typer.testing import CliRunner, Result

from api.cli import cli

ACTIONS = """
actions:
  check_stock:
    summary: "Check the stock of {part}"
    verb: query
    words: [check, check stock, how many]
    object: stock
    slots: {part: {type: part}}
    effect: read
    handler: "handlers:check_stock"
    examples: ["check stock of oil filters", "how many belts do we have", "check stock"]
  add_note:
    summary: "Add to {work_order} the note: {note}"
    verb: add
    words: [add, add note, note]
    object: note
    container: work_order
    slots:
      work_order: {type: work_order, required: true}
      note: {type: text, required: true}
    effect: write
    handler: "handlers:add_note"
    examples: ["add note to WO-1042: filter fitted", "note on WO-1038 that it weeps"]
  close_work_order:
    summary: "Close work order {work_order}"
    verb: update
    words: [close, close out, complete]
    object: work_order
    slots: {work_order: {type: work_order, required: true}}
    effect: destructive
    roles: [engineer, chief]
    approvers: {roles: [chief]}
    handler: "handlers:close_work_order"
    examples: ["close WO-1042", "please close out WO-1029", "complete WO-1030"]
  order_part:
    summary: "Order {quantity} x {part}"
    verb: create
    words: [order, buy]
    object: part
    slots:
      part: {type: part, required: true}
      quantity: {type: integer, required: true}
    effect: financial
    approvers: {roles: [chief], quorum: 2}
    handler: "handlers:order_part"
    examples: ["order 4 oil filters", "buy 6 belts"]
"""
ENTITIES = """
entities:
  work_order: {patterns: ["WO-\\\\d{3,5}"]}
  part: {list: {oil filter: [oil filters], belt: [belts]}}
"""
HANDLERS = '''
"""What the shop can do."""

import sqlite3
from pathlib import Path

from state.action import ActionResult
from state.errors import NotFound


def _note(context, text):
    Path(context.data_dir).mkdir(parents=True, exist_ok=True)
    store = sqlite3.connect(Path(context.data_dir) / "shop.sqlite", isolation_level=None)
    store.execute("create table if not exists done (what text)")
    store.execute("insert into done values (?)", (text,))
    store.close()


def check_stock(context, *, part=None):
    return ActionResult(text=f"3 of {part or 'everything'} in stock")


def add_note(context, *, work_order, note):
    _note(context, f"{work_order}: {note}")
    return ActionResult(text=f"Noted on {work_order}", changed=(f"{work_order}: note",))


def close_work_order(context, *, work_order):
    if work_order == "WO-404":
        raise NotFound("work order", work_order)
    _note(context, f"{work_order} closed")
    return ActionResult(text=f"{work_order} is closed", changed=(f"{work_order}: closed",))


def order_part(context, *, part, quantity):
    _note(context, f"{quantity} x {part}")
    return ActionResult(text=f"Ordered {quantity} x {part}")
'''
HEURISTICS = """
heuristics:
  - {id: bilge, condition: bilge level high, say: "{text}. Start the pump.", confidence: 0.95}
"""

SALIENT: Mapping[str, float] = {"goal_relevance": 0.9, "actionability": 0.8, "novelty": 0.7}

Prefrontal = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder, as a new user does."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write_shop(folder: Path) -> Path:
    """Write a pack of four actions: one A, one B, two C."""
    folder.mkdir()
    for name, content in {
        "actions.yaml": ACTIONS,
        "entities.yaml": ENTITIES,
        "heuristics.yaml": HEURISTICS,
        "handlers.py": HANDLERS,
    }.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return the pack in a folder of the test's own."""
    return write_shop(tmp_path / "shop")


@contextmanager
def logs_as_they_were() -> Iterator[None]:
    """Undo what a command sets of logging."""
    before, handlers = structlog.get_config(), list(logging.getLogger().handlers)
    level = logging.getLogger().level
    yield
    structlog.configure(**before)
    logging.getLogger().handlers = handlers
    logging.getLogger().setLevel(level)


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    with logs_as_they_were():
        yield


@pytest.fixture(scope="session")
def learnt(learnt_once: Path) -> Path:
    """Return where the router keeps what it learns, for all workers and what they start."""
    return learnt_once


@pytest.fixture
def environment(shop: Path, learnt: Path) -> Mapping[str, str]:
    """Return the variables that every command is run with."""
    return {"EXECUTIVE_PACKS": str(shop), "EXECUTIVE_CACHE_DIR": str(learnt)}


@pytest.fixture
def prefrontal(here: Path, environment: Mapping[str, str]) -> Prefrontal:
    """Return a function that runs one command on the small pack."""
    runner = CliRunner(env=environment)

    def run(*words: str, given: str | bytes | None = None) -> Result:
        return runner.invoke(cli, list(words), input=given)

    return run


@pytest.fixture
def stream(here: Path) -> Callable[..., str]:
    """Return a function that writes events, a line each, and names the file."""

    def write(*lines: Mapping[str, Any] | str) -> str:
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        (here / "events.jsonl").write_text(text, encoding="utf-8")
        return "events.jsonl"

    return write


def records(result: Result) -> list[dict[str, Any]]:
    """Read the JSON lines a command printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]
