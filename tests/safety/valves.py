"""A small pack on disk whose handlers leave one line an effect, to be counted from outside."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.safety.valve_handlers import HANDLERS

ACTIONS = """\
actions:
  read_gauge:
    summary: "Read gauge {gauge}"
    verb: show
    words: [read, show]
    object: gauge
    slots:
      gauge: {type: gauge, required: true}
    effect: read
    handler: "handlers:read_gauge"
    examples: ["read gauge G-1", "show gauge G-22"]
  label_valve:
    summary: "Label valve {valve}: {label}"
    verb: update
    words: [label]
    object: valve
    slots:
      valve: {type: valve, required: true}
      label: {type: text}
    effect: write
    handler: "handlers:label_valve"
    examples: ["label valve V-101", "label valve V-7"]
  open_valve:
    summary: "Open valve {valve} by {turns} turns {note}"
    verb: update
    words: [open]
    object: valve
    slots:
      valve: {type: valve, required: true}
      turns: {type: integer}
      note: {type: text}
    effect: destructive
    roles: [engineer, captain]
    approvers: {roles: [engineer, captain]}
    handler: "handlers:open_valve"
    examples: ["open valve V-101", "open valve V-7"]
  flood_hold:
    summary: "Flood hold {hold}"
    verb: update
    words: [flood]
    object: hold
    slots:
      hold: {type: hold, required: true}
    effect: compliance
    approvers: {roles: [captain], four_eyes: true, expires_minutes: 1}
    handler: "handlers:flood_hold"
    examples: ["flood hold H-1"]
  shift_ballast:
    summary: "Shift {tonnes} t of ballast"
    verb: update
    words: [shift]
    object: ballast
    slots:
      tonnes: {type: number, required: true}
    effect: multi_user
    approvers: {roles: [engineer, captain], quorum: 2}
    handler: "handlers:shift_ballast"
    examples: ["shift 20 tonnes of ballast"]
  buy_pump:
    summary: "Buy {count} pumps"
    verb: order
    words: [buy]
    object: pump
    slots:
      count: {type: integer, required: true}
    effect: financial
    handler: "handlers:buy_pump"
    examples: ["buy 2 pumps"]
  drain_all:
    summary: "Drain {tanks}"
    verb: update
    words: [drain]
    object: tank
    slots:
      tanks: {type: list, required: true}
    effect: bulk
    handler: "handlers:drain_all"
    examples: ["drain all tanks"]
"""

ENTITIES = """\
entities:
  gauge: {patterns: ["G-\\\\d{1,4}"]}
  valve: {patterns: ["V-\\\\d{1,4}"], words: [valve]}
  hold: {patterns: ["H-\\\\d{1,4}"]}
"""

TARGETS: dict[str, tuple[tuple[str, str], ...]] = {
    "blind": (),
    "status": (
        (
            'handler: "handlers:open_valve"',
            'handler: "handlers:open_valve"\n    status: "handlers:has_happened"',
        ),
    ),
    "transactional": (
        (
            'handler: "handlers:open_valve"',
            'handler: "handlers:open_inside"\n    transactional: true',
        ),
    ),
}
"""What an effect of open_valve may be at: one that cannot be asked, one that can, our own store."""


def write_valves(folder: Path, *replacements: tuple[str, str]) -> Path:
    """Write the pack as `folder`/valves; each replacement changes its actions.yaml."""
    actions = ACTIONS
    for old, new in replacements:
        assert old in actions
        actions = actions.replace(old, new)
    pack = folder / "valves"
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "actions.yaml").write_text(actions, encoding="utf-8")
    (pack / "entities.yaml").write_text(ENTITIES, encoding="utf-8")
    (pack / "handlers.py").write_text(HANDLERS, encoding="utf-8")
    return pack


def effects(data_dir: Path) -> list[dict[str, Any]]:
    """Read every effect there ever was, in any tenant, oldest first within each."""
    return [
        json.loads(line)
        for file in sorted(data_dir.rglob("effects.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def effects_inside(database: Path) -> list[str]:
    """Read the action of every effect in our own store, oldest first."""
    with closing(sqlite3.connect(database)) as connection:
        table = "select 1 from sqlite_master where name = 'valves_effect'"
        if connection.execute(table).fetchone() is None:
            return []
        return [str(row[0]) for row in connection.execute("select action_id from valves_effect")]
