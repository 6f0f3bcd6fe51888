"""Work orders: open one, change it, close it, cancel it, and open it again."""

import sqlite3

from state.action import ActionResult
from state.errors import BadInput, Conflict

from .effects import changes, take_back
from .names import WORK_ORDER, equipment_named
from .unit_of_work import UnitOfWork
from .wording import checked_text, day_moved, day_of, in_words

ENDED = ("closed", "cancelled")
PRIORITIES = ("routine", "urgent", "safety")


@changes
def create_work_order(
    unit: UnitOfWork,
    *,
    equipment: str,
    title: str,
    priority: str | None = None,
    due: str | None = None,
) -> ActionResult:
    """Open a work order on one piece of equipment; without a day it is due today.

    Raises:
        NotFound: no such equipment.
        BadInput: a whole family, no title, or no such priority or date.
    """
    words = checked_text(title, "title")
    machines = equipment_named(unit.connection, equipment)
    if len(machines) > 1:
        named = ", ".join(str(machine["name"]) for machine in machines)
        raise BadInput(f"{equipment!r} is several: {named}; name one of them")
    number = unit.next_id("work_order", "WO-")
    values = _details(priority or "routine", due or unit.day)
    unit.insert(
        "work_order",
        id=number,
        title=words,
        equipment=machines[0]["name"],
        also="[]",
        state="open",
        assignee=None,
        opened=unit.day,
        closed=None,
        closed_by=None,
        **values,
    )
    return ActionResult(
        text=f"{number} ({words}) is open on {machines[0]['name']}, due {values['due']}.",
        data={"work_order": number, "equipment": machines[0]["name"], "title": words, **values},
        undo={"work_order": number},
    )


@changes
def update_work_order(
    unit: UnitOfWork,
    *,
    work_order: str,
    priority: str | None = None,
    due: str | None = None,
    due_moved: str | None = None,
) -> ActionResult:
    """Change the priority of a work order, or the day it is due, also by how much it moves.

    Raises:
        NotFound: no such work order.
        Conflict: it has ended.
        BadInput: nothing to change, or no such priority or date.
    """
    order = unfinished(unit, work_order)
    due = day_moved(due, due_moved, order["due"], "due")
    if not (priority or due):
        raise BadInput(f"say what changes on {order['id']}: its priority or the day it is due")
    unit.update("work_order", order["id"], **_details(priority, due))
    if not unit.changes:
        raise Conflict(f"{order['id']} is so already", order["state"])
    return ActionResult(
        text=f"{order['id']} ({order['title']}) is changed.", undo={"work_order": order["id"]}
    )


@changes
def revert_work_order(unit: UnitOfWork, *, work_order: str) -> ActionResult:
    """Put priority and day of a work order back to what they were before the last change.

    Raises:
        NotFound: no such work order.
        Conflict: there is no such change, or the order has moved on since.
    """
    order = unit.find(WORK_ORDER, work_order)
    if not take_back(unit, "update_work_order", "work_order", order["id"]):
        raise Conflict(f"{order['id']} has no change that could be reverted", order["state"])
    return ActionResult(text=f"The last change of {order['id']} ({order['title']}) is reverted.")


@changes
def close_work_order(unit: UnitOfWork, *, work_order: str, note: str | None = None) -> ActionResult:
    """Close a work order and enter the work into the history of its equipment.

    Raises:
        NotFound: no such work order.
        Conflict: it is closed or cancelled already.
        BadInput: the note is too long.
    """
    remark = checked_text(note, "note") if note and note.strip() else None
    order = unfinished(unit, work_order)
    key = order["id"]
    unit.update("work_order", key, state="closed", closed=unit.day, closed_by=unit.user)
    if remark:
        write_note(unit, key, remark)
    unit.insert(
        "equipment_history",
        equipment=order["equipment"],
        day=unit.day,
        author=unit.user,
        what=f"{order['title']} ({key})" + (f": {remark}" if remark else ""),
    )
    changed = [f"{key}: {in_words(order['state'])} -> closed"]
    changed += [f"{key}: note added"] if remark else []
    changed.append(f"{order['equipment']}: history entry added")
    return ActionResult(
        text=f"{label_of(order)} is closed.{_still_on_order(unit, order)}",
        data={"work_order": key, "was": order["state"], "state": "closed", "closed": unit.day},
        changed=tuple(changed),
        undo={"work_order": key},
    )


@changes
def cancel_work_order(unit: UnitOfWork, *, work_order: str) -> ActionResult:
    """Give a work order up: nothing was done, and nothing will be.

    Raises:
        NotFound: no such work order.
        Conflict: it is closed or cancelled already.
    """
    order = unfinished(unit, work_order)
    unit.update("work_order", order["id"], state="cancelled")
    return ActionResult(
        text=f"{label_of(order)} is cancelled.{_still_on_order(unit, order)}",
        changed=(f"{order['id']}: {in_words(order['state'])} -> cancelled",),
        undo={"work_order": order["id"]},
    )


@changes
def reopen_work_order(unit: UnitOfWork, *, work_order: str) -> ActionResult:
    """Open a work order that has ended; what its closing wrote is taken back with it.

    Raises:
        NotFound: no such work order.
        Conflict: it has not ended.
    """
    order = unit.find(WORK_ORDER, work_order)
    if order["state"] not in ENDED:
        raise Conflict(f"{label_of(order)} is {in_words(order['state'])}", order["state"])
    ending = "close_work_order" if order["state"] == "closed" else "cancel_work_order"
    if not take_back(unit, ending, "work_order", order["id"]):
        unit.update("work_order", order["id"], state="open", closed=None, closed_by=None)
    return ActionResult(
        text=f"{label_of(order)} is open again.",
        data={"work_order": order["id"], "was": order["state"]},
    )


def unfinished(unit: UnitOfWork, work_order: str) -> sqlite3.Row:
    """Return a work order that is neither closed nor cancelled.

    Raises:
        NotFound: no such work order.
        Conflict: it has ended.
    """
    order = unit.find(WORK_ORDER, work_order)
    if order["state"] in ENDED:
        when = f" since {order['closed']}" if order["closed"] else ""
        raise Conflict(f"{label_of(order)} is {in_words(order['state'])}{when}", order["state"])
    return order


def label_of(order: sqlite3.Row) -> str:
    """Name a work order with its title."""
    return f"{order['id']} ({order['title']})"


def write_note(unit: UnitOfWork, work_order: str, text: str) -> int:
    """Write a note on a work order; returns its number."""
    written = unit.now.isoformat()
    return unit.insert(
        "work_order_note", work_order=work_order, written_at=written, author=unit.user, text=text
    )


def _details(priority: str | None, due: str | None) -> dict[str, str]:
    """Give the columns that are to change, checked."""
    if priority is not None and priority not in PRIORITIES:
        raise BadInput(f"no priority {priority!r}; choose one of {', '.join(PRIORITIES)}")
    values = {"priority": priority} if priority else {}
    return {**values, "due": day_of(due)} if due else dict(values)


def _still_on_order(unit: UnitOfWork, order: sqlite3.Row) -> str:
    query = "SELECT id FROM purchase_order WHERE work_order = ? AND state = 'ordered'"
    return "".join(
        f" {row['id']} for it is still on order." for row in unit.rows(query, order["id"])
    )
