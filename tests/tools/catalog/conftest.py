"""A small pack on disk that is right, to be made wrong one piece at a time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import PackFault

ACTIONS = """\
actions:
  close_work_order:
    summary: "Close work order {work_order} {note}"
    verb: update
    words: [close, sign off, yes, on]
    object: work_order
    slots:
      work_order: {type: work_order, required: true}
      note: {type: text}
    effect: destructive
    roles: [engineer, captain]
    approvers: {roles: [captain]}
    handler: "handlers:close_work_order"
    undo: reopen_work_order
    examples: ["close WO-1042"]
  reopen_work_order:
    summary: "Reopen work order {work_order}"
    verb: update
    object: work_order
    slots:
      work_order: {type: work_order, required: true}
    effect: write
    handler: "handlers:reopen_work_order"
  search_documents:
    summary: "Search for {query}"
    verb: query
    object: document
    slots:
      query: {type: text, required: true}
    effect: read
    handler: "handlers:search_documents"
  measure:
    summary: "Measure"
    verb: show
    object: gauge
    slots:
      amount: {type: number}
      times: {type: integer}
      day: {type: date}
      is_loud: {type: boolean}
      places: {type: list}
    effect: read
    handler: "handlers:measure"
"""
ENTITIES = """\
entities:
  work_order:
    patterns: ["WO-\\\\d{3,5}"]
    list: [filter replacement]
    lookup: "lookups:work_orders"
"""
HANDLERS = """\
from state.action import ActionResult
from .store import search_documents

raise_if_imported = open("/nonexistent/never")

def close_work_order(context, *, work_order, note=None): ...
async def reopen_work_order(context, *, work_order): ...
def measure(context, *, amount=None, times=None, day=None, is_loud=None, places=None): ...
"""
STORE = "def search_documents(context, *, query): ...\n"
LOOKUPS = "def work_orders(data_dir): return {'WO-1042': ['filter replacement']}\n"

PackWriter = Callable[..., Path]


@pytest.fixture
def write_pack(tmp_path: Path) -> PackWriter:
    """Write the pack; `replace=(old, new)` changes actions.yaml, other files are given whole."""

    def write(name: str = "boat", replace: tuple[str, str] = ("", ""), **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        assert replace[0] in ACTIONS
        contents = {
            "actions.yaml": ACTIONS.replace(*replace) if replace[0] else ACTIONS,
            "entities.yaml": ENTITIES,
            "handlers.py": HANDLERS,
            "store.py": STORE,
            "lookups.py": LOOKUPS,
        }
        contents |= {name.replace("__", "."): text for name, text in files.items()}
        for file, text in contents.items():
            (folder / file).write_text(text, encoding="utf-8")
        return folder

    return write


def shown(faults: list[PackFault]) -> list[str]:
    """Write faults as a person reads them, without their folder."""
    return [f"{fault.file.name}:{fault.line}: {fault.field}: {fault.problem}" for fault in faults]
