"""The handlers of the small pack, as the text of their module."""

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
    if note is not None and note.startswith("refuse "):
        raise Conflict(f"the lock does not take {note}", "locked")
    done = _effect(context, "open_valve", {"valve": valve, "turns": turns, "note": note})
    if note is not None and note.startswith("break "):
        raise OSError(f"the wire broke at {note}")
    if note is not None and note.startswith("say "):
        return ActionResult(text=f"done: {note}", data={"note": [note]}, changed=(f"x: {note}",))
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
