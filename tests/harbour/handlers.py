"""What the harbour does: each effect is a line in its book, so that a test can count them."""

import json
from pathlib import Path

from state.action import ActionResult, HandlerContext
from state.errors import Conflict

BOOK = "harbour.jsonl"


def show_lock(context: HandlerContext, *, lock: str) -> ActionResult:
    return ActionResult(text=f"Lock {lock} is open.")


def search_notices(context: HandlerContext, *, query: str) -> ActionResult:
    return ActionResult(text=f"Notices on {query}: none.")


def count_swans(context: HandlerContext) -> ActionResult:
    raise RuntimeError("the swans are asleep")


def note_in_log(context: HandlerContext, *, note: str) -> ActionResult:
    _write(context, "note_in_log", note)
    return ActionResult(text="Written.", changed=(f"log: {note}",))


def ring_bell(context: HandlerContext) -> ActionResult:
    raise Conflict("the bell is out for repair", "absent")


def close_lock(context: HandlerContext, *, lock: str, minutes: int | None = None) -> ActionResult:
    _write(context, "close_lock", f"{lock} {minutes}")
    return ActionResult(text=f"Lock {lock} is closed.", changed=(f"{lock}: open → closed",))


def drain_basin(context: HandlerContext) -> ActionResult:
    _write(context, "drain_basin", "half empty")
    raise RuntimeError("the pump stopped")


def _write(context: HandlerContext, action: str, what: str) -> None:
    folder = Path(context.data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    line = {"action": action, "what": what, "user": context.user, "id": context.action_id}
    with (folder / BOOK).open("a", encoding="utf-8") as book:
        book.write(json.dumps(line) + "\n")
