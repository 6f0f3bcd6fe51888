"""Work orders: write a note on one, close one."""

import sqlite3
from datetime import datetime

from state.action import ActionResult
from state.errors import Conflict

from .names import WORK_ORDER, find
from .wording import checked_text, in_words

ENDED = ("closed", "cancelled")


def add_note(
    connection: sqlite3.Connection, work_order: str, note: str, *, author: str, now: datetime
) -> ActionResult:
    """Write a note on a work order that has not ended.

    Raises:
        NotFound: no such work order.
        Conflict: it is closed or cancelled.
        BadInput: the note is empty or too long.
    """
    text = checked_text(note, "note")
    order = unfinished(connection, work_order)
    _write_note(connection, order["id"], text, author, now)
    return ActionResult(
        text=f"Noted on {order['id']} ({order['title']}): {text}",
        data={"work_order": order["id"], "note": text, "author": author},
        changed=(f"{order['id']}: note added",),
    )


def close(
    connection: sqlite3.Connection,
    work_order: str,
    note: str | None,
    *,
    author: str,
    now: datetime,
) -> ActionResult:
    """Close a work order and enter the work into the history of its equipment.

    Raises:
        NotFound: no such work order.
        Conflict: it is closed or cancelled already.
        BadInput: the note is too long.
    """
    remark = checked_text(note, "note") if note and note.strip() else None
    order = unfinished(connection, work_order)
    day = now.date().isoformat()
    connection.execute(
        "UPDATE work_order SET state = 'closed', closed = ?, closed_by = ? WHERE id = ?",
        (day, author, order["id"]),
    )
    if remark:
        _write_note(connection, order["id"], remark, author, now)
    what = f"{order['title']} ({order['id']})" + (f": {remark}" if remark else "")
    connection.execute(
        "INSERT INTO equipment_history (equipment, day, author, what) VALUES (?, ?, ?, ?)",
        (order["equipment"], day, author, what),
    )
    changed = [f"{order['id']}: {in_words(order['state'])} -> closed"]
    changed += [f"{order['id']}: note added"] if remark else []
    changed.append(f"{order['equipment']}: history entry added")
    return ActionResult(
        text=f"{order['id']} ({order['title']}) is closed.{_still_on_order(connection, order)}",
        data={"work_order": order["id"], "was": order["state"], "state": "closed", "closed": day},
        changed=tuple(changed),
    )


def unfinished(connection: sqlite3.Connection, work_order: str) -> sqlite3.Row:
    """Return a work order that is neither closed nor cancelled.

    Raises:
        NotFound: no such work order.
        Conflict: it has ended.
    """
    order = find(connection, WORK_ORDER, work_order)
    if order["state"] in ENDED:
        when = f" since {order['closed']}" if order["closed"] else ""
        raise Conflict(
            f"{order['id']} ({order['title']}) is {in_words(order['state'])}{when}", order["state"]
        )
    return order


def _write_note(
    connection: sqlite3.Connection, work_order: str, text: str, author: str, now: datetime
) -> None:
    connection.execute(
        "INSERT INTO work_order_note (work_order, written_at, author, text) VALUES (?, ?, ?, ?)",
        (work_order, now.isoformat(), author, text),
    )


def _still_on_order(connection: sqlite3.Connection, order: sqlite3.Row) -> str:
    rows = connection.execute(
        "SELECT id FROM purchase_order WHERE work_order = ? AND state = 'ordered'", (order["id"],)
    ).fetchall()
    return "".join(f" {row['id']} for it is still on order." for row in rows)
