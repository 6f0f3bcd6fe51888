"""Who is to do a work order: give it to somebody, or take it from whoever has it."""

import sqlite3

from state.action import ActionResult
from state.errors import Conflict

from .document_changes import address_of
from .effects import changes
from .names import CREW
from .unit_of_work import UnitOfWork
from .work_orders import label_of, unfinished


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
