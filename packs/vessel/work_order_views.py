"""Work orders to look at: one in full, or a list of those that match."""

import sqlite3

from state.action import ActionResult

from .effects import reads
from .listed import listed
from .names import CREW, WORK_ORDER, equipment_named
from .unit_of_work import UnitOfWork
from .windows import window
from .wording import days_between, in_words

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
    what = f"{kinds} work orders{whose}{when}{but}"
    head = f"{len(orders)} {what}:" if orders else f"No {what}."
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
