"""Work orders: list, show, create, change, assign, close, cancel and reopen."""

import sqlite3

from prefrontal.pack import ActionResult, BadInput, Conflict

from .documents import address_of
from .effects import changes, listed, reads, take_back
from .formatting import checked_text, counted, day_moved, day_of, days_between, in_words, window
from .names import CREW, WORK_ORDER, equipment_named
from .unit_of_work import UnitOfWork

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


@changes
def assign_work_order(unit: UnitOfWork, *, work_order: str, assignee: str) -> ActionResult:
    """Give a work order to a member of the crew.

    Raises:
        NotFound: no such work order or crew member.
        Conflict: it has ended, or is theirs already.
    """
    order = unfinished(unit, work_order)
    person = str(unit.find(CREW, assignee)["name"])
    if order["assignee"] == person:
        raise Conflict(f"{label_of(order)} is assigned to {person} already", person)
    unit.recipients.append(address_of(person))
    return _hand_over(unit, order, person)


@changes
def unassign_work_order(
    unit: UnitOfWork, *, work_order: str, back_to: str | None = None
) -> ActionResult:
    """Take a work order from whoever has it, and give it back to somebody if named.

    Raises:
        NotFound: no such work order or crew member.
        Conflict: it has ended, or nobody has it.
    """
    order = unfinished(unit, work_order)
    person = str(unit.find(CREW, back_to)["name"]) if back_to else None
    if order["assignee"] is None:
        raise Conflict(f"{label_of(order)} is assigned to nobody", "nobody")
    unit.recipients += map(address_of, filter(None, (str(order["assignee"]), person)))
    return _hand_over(unit, order, person)


def _hand_over(unit: UnitOfWork, order: sqlite3.Row, person: str | None) -> ActionResult:
    was = order["assignee"]
    unit.update("work_order", order["id"], assignee=person)
    back = {"back_to": was} if was else {}
    return ActionResult(
        text=f"{label_of(order)} is now assigned to {person or 'nobody'}.",
        data={"work_order": order["id"], "was": was, "assignee": person},
        changed=(f"{order['id']}: {was or 'nobody'} -> {person or 'nobody'}",),
        # what a person has is given back to him; what he had not, is taken from him
        undo={"work_order": order["id"], **(back if person else {"assignee": was})},
    )


_PARTS = (
    "SELECT quantity, name, number FROM work_order_part JOIN part ON number = part"
    " WHERE work_order = ? ORDER BY work_order_part.id"
)
_LAID = (
    "SELECT kind, title, added_by FROM attachment WHERE container = 'work_order' AND target = ?"
    " ORDER BY id"
)
_ENDED = ("closed", "cancelled")
_CLOSED = ("closed", "finished", "completed")
"""What people call a work order that is closed."""


@reads
def show_work_order(unit: UnitOfWork, *, work_order: str) -> ActionResult:
    """Tell everything on one work order: state, notes, parts used, what is attached.

    Raises:
        NotFound: no such work order.
    """
    order = unit.find(WORK_ORDER, work_order)
    key = order["id"]
    notes = unit.rows(
        "SELECT written_at, author, text FROM work_order_note WHERE work_order = ? ORDER BY id", key
    )
    parts, laid = unit.rows(_PARTS, key), unit.rows(_LAID, key)
    lines = [
        _line(unit, order),
        f"{order['priority']}, opened {order['opened']}, on {order['equipment']}",
        *(f"{note['written_at'][:10]} {note['author']}: {note['text']}" for note in notes),
        *(f"used: {part['quantity']} x {part['name']} ({part['number']})" for part in parts),
        *(f"{paper['kind']}: {paper['title']} ({paper['added_by']})" for paper in laid),
    ]
    return ActionResult(
        text="\n".join(lines),
        data={
            "work_order": dict(order),
            "notes": [dict(note) for note in notes],
            "parts": [dict(part) for part in parts],
            "attachments": [dict(paper) for paper in laid],
            **listed(WORK_ORDER, [order]),
        },
    )


@reads
def show_work_orders(  # noqa: PLR0913  # a slot each
    unit: UnitOfWork,
    *,
    equipment: str | None = None,
    assignee: str | None = None,
    state: str | None = None,
    priority: str | None = None,
    due_by: str | None = None,
    due_in: str | None = None,
    ended: str | None = None,
    except_state: str | None = None,
    except_ended: str | None = None,
    except_equipment: str | None = None,
    except_assignee: str | None = None,
) -> ActionResult:
    """List work orders by what is asked of them; without a state, what is unfinished.

    What is not to be listed is said by slots of its own; a work order that is over is listed only
    where it is asked for, so that "not closed" is what is unfinished.

    Raises:
        NotFound: no such equipment or crew member.
        BadInput: a day cannot be read, or two spans of days are given.
    """
    machines, others = _machines(unit, equipment), _machines(unit, except_equipment)
    person, other = _person(unit, assignee), _person(unit, except_assignee)
    wanted = _over(ended) or state
    days = window(due_by, due_in, unit.now.date())
    orders = [
        order
        for order in unit.rows("SELECT * FROM work_order ORDER BY due, id")
        if (not machines or order["equipment"] in machines)
        and order["equipment"] not in others
        and person in (None, order["assignee"])
        and (other is None or order["assignee"] != other)
        and _is_in(unit, order, wanted)
        and not (except_state and _is_in(unit, order, except_state))
        and priority in (None, order["priority"])
        and days.holds(order["closed" if wanted == "closed" else "due"])
    ]
    without = [each for each in (except_state, except_ended, except_equipment, other) if each]
    but = f" but {', '.join(map(in_words, without))}" if without else ""
    kinds = " ".join(filter(None, (priority, in_words(wanted or "unfinished"))))
    when = "" if days.is_open else f" {'closed' if wanted == 'closed' else 'due'} {days}"
    whose = f" of {person}" if person else ""
    rest = f"{whose}{when}{but}"
    many = f"{counted(len(orders), f'{kinds} work order')}{rest}:"
    head = many if orders else f"No {kinds} work orders{rest}."
    return ActionResult(
        text="\n".join([head, *(_line(unit, order) for order in orders)]),
        data={"work_orders": [dict(order) for order in orders], **listed(WORK_ORDER, orders)},
    )


def _machines(unit: UnitOfWork, name: str | None) -> frozenset[str]:
    found = equipment_named(unit.connection, name) if name else ()
    return frozenset(each["name"] for each in found)


def _person(unit: UnitOfWork, name: str | None) -> str | None:
    return unit.find(CREW, name)["name"] if name else None


def _over(ended: str | None) -> str | None:
    return "closed" if ended in _CLOSED else ended


def _is_in(unit: UnitOfWork, order: sqlite3.Row, state: str | None) -> bool:
    if state == "unassigned":
        return order["state"] not in _ENDED and order["assignee"] is None
    if state == "overdue":
        return order["state"] not in _ENDED and _is_late(unit, order)
    return order["state"] == state if state else order["state"] not in _ENDED


def _is_late(unit: UnitOfWork, order: sqlite3.Row) -> bool:
    return days_between(order["due"], unit.now.date()) > 0


def _line(unit: UnitOfWork, order: sqlite3.Row) -> str:
    who = order["assignee"] or "nobody"
    if order["state"] in _ENDED:
        when = f" {order['closed']}" if order["closed"] else ""
        return f"{order['id']} {order['title']}: {order['state']}{when}, {who}"
    late = " and late" if _is_late(unit, order) else ""
    state = in_words(order["state"])
    return f"{order['id']} {order['title']}: {state}, due {order['due']}{late}, {who}"
