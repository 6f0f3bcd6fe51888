"""A small pack on disk whose handlers leave one line an effect, to be counted from outside."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

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

HANDLERS = '''\
"""Each effect is one line of a file; a word in the arguments makes it go wrong."""

import asyncio
import json
import os
import signal
from pathlib import Path

from state.action import ActionResult
from state.errors import Conflict
from state.preview import Preview


def _effect(context, action, arguments):
    folder = Path(context.data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (folder / "die").read_text() if (folder / "die").exists() else ""
    if wanted == "before the effect":
        os.kill(os.getpid(), signal.SIGKILL)
    line = json.dumps({"action_id": context.action_id, "action": action, "arguments": arguments})
    file = os.open(folder / "effects.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, line.encode() + b"\\n")
    os.close(file)
    if wanted == "within the effect":
        os.kill(os.getpid(), signal.SIGKILL)
    return ActionResult(text=f"{action} done", changed=(f"{action}: done",))


def read_gauge(context, *, gauge):
    if gauge == "G-500":
        raise OSError("the gauge is broken")
    return _effect(context, "read_gauge", {"gauge": gauge})


def label_valve(context, *, valve, label=None):
    return _effect(context, "label_valve", {"valve": valve, "label": label})


async def open_valve(context, *, valve, turns=None, note=None):
    if note == "refuse":
        raise Conflict("the valve is locked", "locked")
    done = _effect(context, "open_valve", {"valve": valve, "turns": turns, "note": note})
    if note == "break":
        raise OSError("the wire broke")
    if note == "hang":
        await asyncio.Event().wait()
    if note == "nonsense":
        return {"text": "done"}
    await asyncio.sleep(0)
    return done


async def close_valve(context, *, valve, turns=None, note=None):
    return _effect(context, "close_valve", {"valve": valve, "turns": turns, "note": note})


def has_happened(context):
    if (Path(context.data_dir) / "dumb").exists():
        raise OSError("the target does not answer")
    file = Path(context.data_dir) / "effects.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    if any(json.loads(line)["action_id"] == context.idempotency_key for line in lines):
        return ActionResult(text="it is open")
    return None


def look_at(context, *, valve, turns=None, note=None):
    stands = (Path(context.data_dir) / "stands").read_text()
    if stands == "gone":
        raise Conflict("there is no such valve any more", "gone")
    if stands == "broken":
        raise OSError("the register does not open")
    return Preview(versions=dict(line.split() for line in stands.splitlines()))


def open_inside(context, connection, *, valve, turns=None, note=None):
    connection.execute("create table if not exists valves_effect (action_id text, valve text)")
    folder = Path(context.data_dir)
    wanted = (folder / "die").read_text() if (folder / "die").exists() else ""
    if wanted == "before the effect":
        os.kill(os.getpid(), signal.SIGKILL)
    connection.execute("insert into valves_effect values (?, ?)", (context.action_id, valve))
    if wanted == "within the effect":
        os.kill(os.getpid(), signal.SIGKILL)
    if note == "break":
        raise OSError("the wire broke")
    if note == "refuse":
        raise Conflict("the valve is locked", "locked")
    if note is not None and note.startswith("sql "):
        connection.execute(note.removeprefix("sql "))
    if note == "commit":
        connection.commit()
    if note == "roll back":
        connection.rollback()
    if note == "script":
        connection.executescript("insert into valves_effect values ('x', 'y');")
    return ActionResult(text="open_valve done", changed=("open_valve: done",))


def flood_hold(context, *, hold):
    return _effect(context, "flood_hold", {"hold": hold})


def shift_ballast(context, *, tonnes):
    return _effect(context, "shift_ballast", {"tonnes": tonnes})


def buy_pump(context, *, count):
    return _effect(context, "buy_pump", {"count": count})


def drain_all(context, *, tanks):
    return _effect(context, "drain_all", {"tanks": tanks})
'''


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
